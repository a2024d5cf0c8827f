/* SPDX-License-Identifier: BSD-3-Clause */
/* Missing values of a table of comma-separated values: the means of their columns in their place. */
#include <math.h>
#include <string.h>

#include "data/csv_table.h"
#include "matrix/dense.h"

static double value_at(const struct csv_table *table, int64_t k)
{
    return table->csv->options->value_type == DCPN_FLOAT64 ? ((double *)table->values)[k]
                                                           : (double)((float *)table->values)[k];
}

/* The entries in the order of the file within each column, whatever the threads: the sums are always the same. */
static int64_t column_of(const struct csv_table *table, int64_t k)
{
    return table->is_sparse ? table->sparse.indices[k] : k / table->rows;
}

static void add_up(const struct csv_table *table, int64_t entries, double *sums, int64_t *missing)
{
    for (int64_t k = 0; k < entries; k++) {
        double value = value_at(table, k);
        if (isnan(value))
            missing[column_of(table, k)]++;
        else
            sums[column_of(table, k)] += value;
    }
}

static dcpn_status impute(struct csv_table *table, double *sums, int64_t *missing)
{
    const struct csv *csv = table->csv;
    int64_t entries = table->is_sparse ? table->entries : table->rows * csv->features;
    add_up(table, entries, sums, missing);
    for (int64_t j = 0; j < csv->features; j++) {
        if (missing[j] == table->rows)
            return dcpn_fail(
                csv->content->context, DCPN_DATA,
                "%s: feature %lld: found missing values alone, expected one to take the mean of; leave the "
                "column out",
                csv->content->name, (long long)j + 1);
        sums[j] /= (double)(table->rows - missing[j]);
    }
    for (int64_t k = 0; k < entries; k++)
        if (isnan(value_at(table, k)))
            dcpn_store_value(table->values, csv->options->value_type, k, sums[column_of(table, k)]);
    return DCPN_OK;
}

dcpn_status dcpn_csv_impute_means(struct csv_table *table)
{
    dcpn_context *context = table->csv->content->context;
    size_t features = (size_t)table->csv->features;
    double *sums = dcpn_allocate(context, features, sizeof *sums);
    int64_t *missing = sums ? dcpn_allocate(context, features, sizeof *missing) : NULL;
    dcpn_status status = DCPN_MEMORY;
    if (missing) {
        memset(sums, 0, features * sizeof *sums);
        memset(missing, 0, features * sizeof *missing);
        status = impute(table, sums, missing);
    }
    dcpn_free(context, sums);
    dcpn_free(context, missing);
    return status;
}
