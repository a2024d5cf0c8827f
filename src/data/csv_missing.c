/* SPDX-License-Identifier: BSD-3-Clause */
/* Missing values of a table of comma-separated values: what is put in their place. */
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

/* Sums become means. */
static dcpn_status average(const struct csv_table *table, double *sums, const int64_t *missing)
{
    const struct csv *csv = table->csv;
    for (int64_t j = 0; j < csv->features; j++) {
        if (missing[j] == table->rows)
            return dcpn_fail(
                csv->content->context, DCPN_DATA,
                "%s: feature %lld: found missing values alone, expected one to take the mean of; leave the "
                "column out",
                csv->content->name, (long long)j + 1);
        sums[j] /= (double)(table->rows - missing[j]);
    }
    return DCPN_OK;
}

static dcpn_status find_means(const struct csv_table *table, int64_t entries)
{
    dcpn_context *context = table->csv->content->context;
    size_t features = (size_t)table->csv->features;
    int64_t *missing = dcpn_allocate(context, features, sizeof *missing);
    if (!missing) return DCPN_MEMORY;
    memset(missing, 0, features * sizeof *missing);
    add_up(table, entries, table->fill, missing);
    dcpn_status status = average(table, table->fill, missing);
    dcpn_free(context, missing);
    return status;
}

static void fill_gaps(struct csv_table *table, int64_t entries)
{
    int64_t count = 0;
    for (int64_t k = 0; k < entries; k++) {
        if (!isnan(value_at(table, k))) continue;
        dcpn_store_value(table->values, table->csv->options->value_type, k, table->fill[column_of(table, k)]);
        count++;
    }
    if (count > 0 && table->csv->missing == CSV_FILL)
        dcpn_log(table->csv->content->context, DCPN_LOG_NOTE,
                 "%s: missing values, %lld of them, count as in the data of the fit", table->csv->content->name,
                 (long long)count);
}

dcpn_status dcpn_csv_fill_gaps(struct csv_table *table)
{
    const struct csv *csv = table->csv;
    size_t features = (size_t)csv->features;
    int64_t entries = table->is_sparse ? table->entries : table->rows * csv->features;
    if (csv->missing == CSV_REFUSE) return DCPN_OK;
    table->fill = dcpn_allocate(csv->content->context, features, sizeof *table->fill);
    if (!table->fill) return DCPN_MEMORY;
    memset(table->fill, 0, features * sizeof *table->fill);
    if (csv->missing == CSV_ZERO) return DCPN_OK;
    if (csv->missing == CSV_FILL) memcpy(table->fill, csv->fill, features * sizeof *table->fill);
    if (csv->missing == CSV_MEAN) DCPN_TRY(find_means(table, entries));
    fill_gaps(table, entries);
    return DCPN_OK;
}
