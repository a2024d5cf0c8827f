/* SPDX-License-Identifier: BSD-3-Clause */
/* Missing values of a table of comma-separated values: what is put in their place. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/csv_categories.h"
#include "data/csv_table.h"
#include "data/place.h"
#include "matrix/dense.h"

enum { WORST_SHOWN = 3 /* columns with the most gaps, by name */ };

static double value_at(const struct csv_table *table, int64_t k)
{
    return table->csv->options->value_type == DCPN_FLOAT64 ? ((double *)table->values)[k]
                                                           : (double)((float *)table->values)[k];
}

/* The column of entry k. In each column, entries come in the order of the file, whatever the number of threads, so that
 * the sums are always the same. */
static int64_t column_of(const struct csv_table *table, int64_t k)
{
    return table->is_sparse ? table->sparse.indices[k] : k / table->rows;
}

static void add_up(const struct csv_table *table, int64_t entries, double *sums)
{
    for (int64_t k = 0; k < entries; k++) {
        double value = value_at(table, k);
        if (!isnan(value)) sums[column_of(table, k)] += value;
    }
}

/* Turns the sums of columns into means. */
static dcpn_status average(const struct csv_table *table, double *sums)
{
    const struct csv *csv = table->csv;
    for (int64_t j = 0; j < csv->features; j++) {
        if (table->gaps[j] == table->rows)
            return dcpn_fail(
                csv->content->context, DCPN_DATA,
                "%s: feature %lld: found missing values alone, expected one to take the mean of; leave the "
                "column out",
                csv->content->name, (long long)j + 1);
        sums[j] /= (double)(table->rows - table->gaps[j]);
    }
    return DCPN_OK;
}

static void fill_gaps(struct csv_table *table, int64_t entries)
{
    for (int64_t k = 0; k < entries; k++)
        if (isnan(value_at(table, k)))
            dcpn_store_value(table->values, table->csv->options->value_type, k, table->fill[column_of(table, k)]);
}

/* ---- What is said of them -----------------------------------------------------------------------------------------*/

/* Counts the gaps of the column of a field: a missing category is missing in all features of its column. */
static int64_t gaps_of(const struct csv_table *table, int64_t field)
{
    const struct csv_coding *coding = dcpn_csv_coding(table->csv, field);
    int64_t feature = dcpn_csv_is_feature(table->csv, field) ? table->csv->feature_of[field] : -1;
    for (int64_t k = 0; coding && feature < 0 && k < coding->category.count; k++) feature = coding->feature_of[k];
    return feature >= 0 ? table->gaps[feature] : 0;
}

/* The field with the most gaps of those after `before` in the order of most gaps, then of the file; -1: no more. */
static int64_t next_worst(const struct csv_table *table, int64_t before)
{
    int64_t worst = -1, most = 0, limit = before < 0 ? INT64_MAX : gaps_of(table, before);
    for (int64_t f = 0; f < table->csv->columns; f++) {
        int64_t gaps = gaps_of(table, f);
        int is_later = gaps < limit || (gaps == limit && f > before);
        if (gaps <= most || !is_later) continue;
        worst = f;
        most = gaps;
    }
    return worst;
}

/* " (12 in 'bmi', 9 in 'age' ...)" */
static void list_worst(const struct csv_table *table, char *list, size_t room)
{
    char name[DCPN_QUOTE_LENGTH + 20];
    size_t used = 0;
    int64_t worst = next_worst(table, -1);
    *list = '\0';
    for (int k = 0; k < WORST_SHOWN && worst >= 0; k++, worst = next_worst(table, worst))
        used += (size_t)snprintf(list + used, room - used, "%s%lld in %s", k ? ", " : " (",
                                 (long long)gaps_of(table, worst), dcpn_csv_name_column(table->csv, worst, name));
    snprintf(list + used, room - used, used == 0 ? "" : worst >= 0 ? " ...)" : ")");
}

static void say_of_gaps(const struct csv_table *table)
{
    static const char *const meaning[] = {
        [CSV_ZERO] = "0", [CSV_MEAN] = "the mean of their column", [CSV_KEEP] = "missing",
        [CSV_FILL] = "in the data of the fit"};
    const struct csv *csv = table->csv;
    char list[WORST_SHOWN * (DCPN_QUOTE_LENGTH + 50) + 20];
    int64_t count = 0, columns = 0, all = 0;
    for (int64_t f = 0; f < csv->columns; f++) {
        count += gaps_of(table, f);
        columns += gaps_of(table, f) > 0;
        all += dcpn_csv_is_feature(csv, f) || (dcpn_csv_coding(csv, f) && dcpn_csv_coding(csv, f)->features > 0);
    }
    if (count == 0) return;
    list_worst(table, list, sizeof list);
    dcpn_log(csv->content->context, DCPN_LOG_NOTE,
             "%s: found %lld missing value%s in %lld of %lld columns%s, which count%s as %s", csv->content->name,
             (long long)count, count == 1 ? "" : "s", (long long)columns, (long long)all, list, count == 1 ? "s" : "",
             meaning[csv->missing]);
}

static void say_of_strangers(const struct csv_table *table)
{
    char name[DCPN_QUOTE_LENGTH + 20];
    for (int64_t f = 0; table->strangers && f < table->csv->columns; f++)
        if (table->strangers[f] > 0 && dcpn_csv_coding(table->csv, f)->features > 0)
            dcpn_log(table->csv->content->context, DCPN_LOG_WARNING,
                     "%s: %lld row%s a category in %s that the data of the fit did not have: it counts as missing",
                     table->csv->content->name, (long long)table->strangers[f],
                     table->strangers[f] == 1 ? " has" : "s have", dcpn_csv_name_column(table->csv, f, name));
}

dcpn_status dcpn_csv_fill_gaps(struct csv_table *table)
{
    const struct csv *csv = table->csv;
    size_t features = (size_t)csv->features;
    int64_t entries = table->is_sparse ? table->entries : table->rows * csv->features;
    say_of_strangers(table);
    if (csv->missing == CSV_REFUSE) return DCPN_OK;
    table->fill = dcpn_allocate(csv->content->context, features, sizeof *table->fill);
    if (!table->fill) return DCPN_MEMORY;
    memset(table->fill, 0, features * sizeof *table->fill);
    if (csv->missing == CSV_FILL) memcpy(table->fill, csv->fill, features * sizeof *table->fill);
    for (size_t j = 0; csv->missing == CSV_KEEP && j < features; j++) table->fill[j] = DCPN_MISSING;
    if (csv->missing == CSV_MEAN) {
        add_up(table, entries, table->fill);
        DCPN_TRY(average(table, table->fill));
    }
    if (csv->missing != CSV_ZERO) fill_gaps(table, entries);
    say_of_gaps(table);
    return DCPN_OK;
}
