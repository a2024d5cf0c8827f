/* SPDX-License-Identifier: BSD-3-Clause */
/* The counts and ranges of a data set: one walk over its rows. */
#include "census.h"

#include <math.h>
#include <stdlib.h>

struct walk {
    int64_t *columns;
    double *values;
    unsigned char *column_used;
};

static void count_entry(struct census *census, struct walk *walk, int64_t column, double value)
{
    walk->column_used[column] = 1;
    census->entries++;
    census->value_min = fmin(census->value_min, value);
    census->value_max = fmax(census->value_max, value);
}

static void count_rows(const dcpn_dataset *data, struct census *census, struct walk *walk)
{
    census->value_min = census->value_max = NAN;
    for (int64_t i = 0; i < data->rows; i++) {
        int64_t length = dcpn_matrix_row(data->matrix, i, walk->columns, walk->values);
        census->empty_rows += length == 0;
        for (int64_t k = 0; k < length; k++) count_entry(census, walk, walk->columns[k], walk->values[k]);
    }
    for (int64_t j = 0; j < data->features; j++) census->empty_columns += !walk->column_used[j];
    double places = (double)data->rows * (double)data->features;
    census->density = places > 0.0 ? (double)census->entries / places : 0.0;
}

static int by_value(const void *left, const void *right)
{
    double a = ((const struct label_count *)left)->value, b = ((const struct label_count *)right)->value;
    return (a > b) - (a < b);
}

static int count_labels(const struct cli *cli, const dcpn_dataset *data, struct census *census)
{
    struct label_count *labels = census->labels = dcpn_cli_allocate(cli, data->rows, sizeof *labels);
    if (!labels) return dcpn_status_exit_code(DCPN_MEMORY);
    for (int64_t i = 0; i < data->rows; i++) labels[i] = (struct label_count){data->labels[i], 1};
    qsort(labels, (size_t)data->rows, sizeof *labels, by_value);
    int64_t last = 0;
    for (int64_t i = 1; i < data->rows; i++) {
        if (labels[i].value > labels[last].value)
            labels[++last] = labels[i];
        else
            labels[last].rows++;
    }
    census->label_count = last + 1;
    return 0;
}

int dcpn_cli_census_take(const struct cli *cli, const dcpn_dataset *data, struct census *census)
{
    struct walk walk = {.columns = dcpn_cli_allocate(cli, data->features, sizeof *walk.columns),
                        .values = dcpn_cli_allocate(cli, data->features, sizeof *walk.values),
                        .column_used = dcpn_cli_allocate(cli, data->features, 1)};
    int code = dcpn_status_exit_code(DCPN_MEMORY);
    if (walk.columns && walk.values && walk.column_used) {
        count_rows(data, census, &walk);
        code = count_labels(cli, data, census);
    }
    free(walk.column_used);
    free(walk.values);
    free(walk.columns);
    return code;
}

void dcpn_cli_census_free(struct census *census)
{
    free(census->labels);
}
