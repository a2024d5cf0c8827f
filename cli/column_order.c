/* SPDX-License-Identifier: BSD-3-Clause */
/* A model for data whose columns have the names that it knows, in another order. */
#include "column_order.h"

#include <stdlib.h>
#include <string.h>

#include "reading.h"

struct named {
    const char *name;
    int64_t column;
};

struct coefficient {
    int64_t column;
    double value;
    char *name;
};

static int by_name(const void *first, const void *second)
{
    return strcmp(((const struct named *)first)->name, ((const struct named *)second)->name);
}

static int by_column(const void *first, const void *second)
{
    int64_t a = ((const struct coefficient *)first)->column, b = ((const struct coefficient *)second)->column;
    return (a > b) - (a < b);
}

/* The column with that name; -1 if there is none, or more than one. */
static int64_t column_called(const char *name, const struct named *columns, int64_t count)
{
    const struct named wanted = {.name = name};
    const struct named *found = bsearch(&wanted, columns, (size_t)count, sizeof *columns, by_name);
    if (!found) return -1;
    int is_twin = (found > columns && by_name(found - 1, found) == 0) ||
                  (found + 1 < columns + count && by_name(found + 1, found) == 0);
    return is_twin ? -1 : found->column;
}

/* Finds the column of each coefficient by its name. Returns 0 if a name is not there, or there twice. Coefficients that
 * the model calls alike find the same column. */
static int find_columns(const dcpn_model *model, const struct named *columns, int64_t count,
                        struct coefficient *coefficients)
{
    for (int64_t k = 0; k < model->nonzeros; k++) {
        int64_t column = column_called(model->table.names[k], columns, count);
        if (column < 0 || (model->scores > 1 && column >= model->features)) return 0;
        column += model->index[k] / model->features * model->features; /* of its score */
        coefficients[k] = (struct coefficient){column, model->value[k], model->table.names[k]};
    }
    return 1;
}

static int is_any_column_twice(const struct coefficient *sorted, int64_t count)
{
    for (int64_t k = 1; k < count; k++)
        if (sorted[k - 1].column == sorted[k].column) return 1;
    return 0;
}

/* Are the columns in the order of the model? Leaving some out does not change the order. */
static int ascend(const struct coefficient *coefficients, int64_t count)
{
    for (int64_t k = 1; k < count; k++)
        if (coefficients[k - 1].column > coefficients[k].column) return 0;
    return 1;
}

static void reorder(dcpn_model *model, const struct coefficient *coefficients)
{
    for (int64_t k = 0; k < model->nonzeros; k++) {
        model->index[k] = coefficients[k].column;
        model->value[k] = coefficients[k].value;
        model->table.names[k] = coefficients[k].name;
    }
}

/* Are the columns of the data where the model has them? The data may have fewer columns than the model counts, since
 * only those that the model knows are read of a table. */
static int are_in_order(const dcpn_model *model, const dcpn_dataset *data)
{
    for (int64_t k = 0; data->feature_names && model->table.names && k < model->nonzeros; k++) {
        int64_t j = model->index[k] % model->features;
        if (j >= data->features || strcmp(model->table.names[k], data->feature_names[j]) != 0) return 0;
    }
    return 1;
}

/* Puts coefficients into the order of the columns. Returns 0 if a name is not that of one column. */
static int match(const dcpn_model *model, const dcpn_dataset *data, struct named *columns,
                 struct coefficient *coefficients, int *is_other_order)
{
    for (int64_t j = 0; j < data->features; j++) columns[j] = (struct named){data->feature_names[j], j};
    qsort(columns, (size_t)data->features, sizeof *columns, by_name);
    if (!find_columns(model, columns, data->features, coefficients)) return 0;
    *is_other_order = !ascend(coefficients, model->nonzeros);
    qsort(coefficients, (size_t)model->nonzeros, sizeof *coefficients, by_column);
    return !is_any_column_twice(coefficients, model->nonzeros);
}

int dcpn_cli_follow_names(const struct cli *cli, dcpn_model *model, const dcpn_dataset *data, const char *path,
                          int quiet)
{
    int is_other_order = 0;
    if (are_in_order(model, data)) return 0;
    struct named *columns = dcpn_cli_allocate(cli, data->features, sizeof *columns);
    struct coefficient *coefficients = dcpn_cli_allocate(cli, model->nonzeros, sizeof *coefficients);
    int code = columns && coefficients ? 0 : dcpn_status_exit_code(DCPN_MEMORY);
    if (!code && match(model, data, columns, coefficients, &is_other_order))
        reorder(model, coefficients);
    else if (!code)
        code = dcpn_cli_check_names(cli, model, data, path);
    if (!code && is_other_order && !quiet)
        dcpn_cli_say(cli,
                     "%s: its columns are in another order than those the model was fitted to, and matched by their "
                     "names",
                     path);
    free(columns);
    free(coefficients);
    return code;
}
