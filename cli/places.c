/* SPDX-License-Identifier: BSD-3-Clause */
/* Places of a matrix and what is there, from a table; and the values of a completed matrix at such places. */
#include "places.h"

#include "distinct.h"
#include "reading.h"

#include <math.h>
#include <stdlib.h>

static int allocate(const struct cli *cli, int64_t count, int with_values, struct places *places)
{
    *places = (struct places){.count = count};
    places->row = dcpn_cli_allocate(cli, count + 1, sizeof *places->row);
    places->column = dcpn_cli_allocate(cli, count + 1, sizeof *places->column);
    if (with_values) places->value = dcpn_cli_allocate(cli, count + 1, sizeof *places->value);
    return places->row && places->column && (places->value || !with_values) ? 0 : dcpn_status_exit_code(DCPN_MEMORY);
}

void dcpn_cli_places_free(struct places *places)
{
    free(places->row);
    free(places->column);
    free(places->value);
}

static int take_number(const struct cli *cli, const char *path, int64_t line, const char *what, double number,
                       int64_t base, int64_t *index)
{
    if (number != floor(number) || number < (double)base || number > 4e15)
        return dcpn_cli_fail(cli, DCPN_DATA, "%s: entry %lld: found the %s %g, expected a whole number from %lld%s",
                             path, (long long)line + 1, what, number, (long long)base,
                             base == 1 && number == 0.0 ? "; if the first one is called 0, say --index-base 0" : "");
    *index = (int64_t)number - base;
    return 0;
}

static void include(struct places *places, int64_t e)
{
    if (places->row[e] >= places->rows) places->rows = places->row[e] + 1;
    if (places->column[e] >= places->columns) places->columns = places->column[e] + 1;
}

static int take_lines(const struct cli *cli, const char *path, const dcpn_dataset *data, int64_t base,
                      struct places *places)
{
    int64_t index[3], p = data->features;
    double some[3];
    int code = 0;
    for (int64_t e = 0; !code && e < data->rows; e++) {
        double fields[3] = {0.0, 0.0, 0.0};
        int64_t count = dcpn_matrix_row(data->matrix, e, index, some);
        for (int64_t k = 0; k < count; k++) fields[index[k]] = some[k];
        code = take_number(cli, path, e, "row", fields[0], base, &places->row[e]);
        if (!code) code = take_number(cli, path, e, "column", fields[1], base, &places->column[e]);
        if (!code) include(places, e);
        if (places->value) places->value[e] = p == 3 ? fields[2] : data->labels[e];
    }
    return code;
}

int dcpn_cli_places_take(const struct cli *cli, const char *path, const dcpn_dataset *data, int64_t base,
                         int with_values, struct places *places)
{
    int has_labels = data->labels && !data->label_names && data->rows > 0 && isfinite(data->labels[0]);
    int is_table = data->features == 3 || (data->features == 2 && (has_labels || !with_values));
    if (!is_table)
        return dcpn_cli_fail(cli, DCPN_DATA,
                             "%s: found %lld columns, expected row, column%s; a matrix whose stored entries are those "
                             "seen takes --matrix",
                             path, (long long)data->features, with_values ? " and value" : "");
    int code = allocate(cli, data->rows, with_values, places);
    return code ? code : take_lines(cli, path, data, base, places);
}

int dcpn_cli_places_of_matrix(const struct cli *cli, const dcpn_dataset *data, struct places *places)
{
    int64_t *index = dcpn_cli_allocate(cli, data->features + 1, sizeof *index), used = 0;
    double *some = dcpn_cli_allocate(cli, data->features + 1, sizeof *some);
    int code = index && some ? allocate(cli, dcpn_matrix_entries(data->matrix), 1, places)
                             : dcpn_status_exit_code(DCPN_MEMORY);
    for (int64_t i = 0; !code && i < data->rows; i++) {
        int64_t count = dcpn_matrix_row(data->matrix, i, index, some);
        for (int64_t k = 0; k < count; k++) {
            places->row[used] = i;
            places->column[used] = index[k];
            places->value[used++] = some[k];
        }
    }
    places->count = used;
    places->rows = data->rows;
    places->columns = data->features;
    free(index);
    free(some);
    return code;
}

/* ---- predict ---- */

static int64_t count_of(const dcpn_completion *completion, const char *field)
{
    dcpn_value value = {0};
    dcpn_completion_get(completion, field, &value);
    return value.count;
}

static int write_values(const struct cli *cli, const struct places *places, int64_t base, const char *path)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream) return dcpn_cli_fail(cli, DCPN_MEMORY, "out of memory");
    fputs("row,column,value\n", stream);
    for (int64_t e = 0; e < places->count; e++)
        fprintf(stream, "%lld,%lld,%.10g\n", (long long)(places->row[e] + base), (long long)(places->column[e] + base),
                places->value[e]);
    int code = fclose(stream) == 0 ? dcpn_cli_write_text(cli, path, text, length)
                                   : dcpn_cli_fail(cli, DCPN_MEMORY, "out of memory");
    free(text);
    return code;
}

static int find_values(const struct cli *cli, const dcpn_completion *completion, const dcpn_dataset *data,
                       const char *output)
{
    struct places places = {0};
    int64_t base = count_of(completion, "index_base");
    int code = dcpn_cli_places_take(cli, cli->arguments[1], data, base, 0, &places);
    if (!code) places.value = dcpn_cli_allocate(cli, places.count + 1, sizeof *places.value);
    if (!code && !places.value) code = dcpn_status_exit_code(DCPN_MEMORY);
    if (!code)
        code = dcpn_cli_check(
            cli, dcpn_completion_values(completion, places.count, places.row, places.column, places.value));
    if (!code) code = write_values(cli, &places, base, output ? output : "-");
    dcpn_cli_places_free(&places);
    return code;
}

int dcpn_cli_predict_places(const struct cli *cli, const struct reading_options *reading, const char *output)
{
    dcpn_completion *completion = NULL;
    dcpn_dataset *data = NULL;
    const struct cli_files files = {.reads = {cli->arguments[0], cli->arguments[1]}, .writes = {output}};
    int code = dcpn_cli_check_distinct(cli, &files);
    if (!code && output) code = dcpn_cli_check(cli, dcpn_output_try(cli->context, output));
    if (!code) code = dcpn_cli_check(cli, dcpn_completion_read(cli->context, cli->arguments[0], &completion));
    if (!code)
        code = dcpn_cli_read(cli, cli->arguments[1], reading,
                             (dcpn_read_options){.table.label_optional = 2, .unlabelled = 1}, &data);
    if (!code) code = find_values(cli, completion, data, output);
    dcpn_dataset_free(data);
    dcpn_completion_free(completion);
    return code;
}
