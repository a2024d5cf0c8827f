/* SPDX-License-Identifier: BSD-3-Clause */
/* predict with a graph: a table of the rows, what is missing in it being filled in. */
#include "graph_tables.h"

#include "distinct.h"
#include "predict_table.h"
#include "reading.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MISSING = DCPN_MISSING; /* what a missing value is read as; no datum is as large */

/* A graph of either kind: what its variables are called, and what it makes of what is missing. */
struct filler {
    dcpn_graphs *graphs;
    dcpn_neighbours *neighbours; /* if there are no graphs */
    int64_t variables;
    const char *const *names; /* NULL: none */
};

static void print_header(FILE *out, const dcpn_dataset *data, const struct filler *filler)
{
    const char *const *names = filler->names;
    dcpn_cli_print_csv_field(out, data->id_name ? data->id_name : data->row_names ? "id" : "row");
    for (int64_t j = 0; j < filler->variables; j++) {
        fputc(',', out);
        if (names)
            dcpn_cli_print_csv_field(out, names[j]);
        else
            fprintf(out, "x%lld", (long long)j + 1);
    }
    fputc('\n', out);
}

static void print_rows(FILE *out, const dcpn_dataset *data, int64_t variables, const double *values)
{
    for (int64_t i = 0; i < data->rows; i++) {
        if (data->row_names)
            dcpn_cli_print_csv_field(out, data->row_names[i]);
        else
            fprintf(out, "%lld", (long long)i + 1);
        for (int64_t j = 0; j < variables; j++) fprintf(out, ",%.10g", values[i * variables + j]);
        fputc('\n', out);
    }
}

static int write_table(const struct cli *cli, const dcpn_dataset *data, const struct filler *filler,
                       const double *values, const char *path)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream) return dcpn_cli_fail(cli, DCPN_MEMORY, "out of memory");
    print_header(stream, data, filler);
    print_rows(stream, data, filler->variables, values);
    int code = fclose(stream) == 0 ? dcpn_cli_write_text(cli, path, text, length)
                                   : dcpn_cli_fail(cli, DCPN_MEMORY, "out of memory");
    free(text);
    return code;
}

/* The variable that a column of the data is. It is found by its name, if the graph has names, which the reader has
 * asked for then; else by order. */
static int64_t variable_of(const dcpn_dataset *data, const struct filler *filler, int64_t column)
{
    const char *const *names = filler->names;
    int64_t p = filler->variables;
    for (int64_t j = 0; names && data->feature_names && j < p; j++)
        if (strcmp(names[j], data->feature_names[column]) == 0) return j;
    return column;
}

/* A variable that is no column is missing in all rows. */
static void spread(const dcpn_dataset *data, const struct filler *filler, int64_t *variable, int64_t *columns,
                   double *entries, double *values)
{
    int64_t p = filler->variables;
    for (int64_t j = 0; j < data->features; j++) variable[j] = variable_of(data, filler, j);
    for (int64_t i = 0; i < data->rows; i++) {
        double *row = values + i * p;
        for (int64_t j = 0; j < p; j++) row[j] = (double)NAN;
        for (int64_t j = 0; j < data->features; j++) row[variable[j]] = 0.0;
        int64_t count = dcpn_matrix_row(data->matrix, i, columns, entries);
        for (int64_t k = 0; k < count; k++)
            row[variable[columns[k]]] = entries[k] == MISSING ? (double)NAN : entries[k];
    }
}

static int fill_values(const struct cli *cli, const struct filler *filler, int64_t rows, double *values)
{
    if (filler->graphs)
        return dcpn_cli_check(cli,
                              dcpn_graphs_fill(filler->graphs, dcpn_graphs_chosen(filler->graphs), rows, values));
    return dcpn_cli_check(cli, dcpn_neighbours_fill(filler->neighbours, rows, values));
}

static int fill(const struct cli *cli, const struct filler *filler, const dcpn_dataset *data, const char *output)
{
    int64_t p = filler->variables;
    if (data->rows > INT64_MAX / 8 / p) return dcpn_cli_fail(cli, DCPN_MEMORY, "out of memory");
    double *values = dcpn_cli_allocate(cli, data->rows * p, sizeof *values);
    double *entries = dcpn_cli_allocate(cli, p, sizeof *entries);
    int64_t *numbers = dcpn_cli_allocate(cli, 2 * p, sizeof *numbers);
    int code = values && entries && numbers ? 0 : dcpn_status_exit_code(DCPN_MEMORY);
    if (!code) spread(data, filler, numbers, numbers + p, entries, values);
    if (!code) code = fill_values(cli, filler, data->rows, values);
    if (!code) code = write_table(cli, data, filler, values, output ? output : "-");
    free(values);
    free(entries);
    free(numbers);
    return code;
}

/* Names say which columns are meant; where the graph or the data have none, their number does. */
static int check_columns(const struct cli *cli, const dcpn_dataset *data, const struct filler *filler)
{
    int64_t p = filler->variables, found = data->features;
    int by_name = filler->names && data->feature_names;
    if (by_name ? found >= 1 && found <= p : found == p) return 0;
    return dcpn_cli_fail(cli, DCPN_DATA, "%s: found %lld columns, expected %s%lld as the graph has variables",
                         cli->arguments[1], (long long)found, by_name ? "some of the " : "", (long long)p);
}

static int read_rows(const struct cli *cli, const struct reading_options *reading, const struct filler *filler,
                     dcpn_dataset **data)
{
    int64_t p = filler->variables;
    const char *const *names = filler->names;
    dcpn_read_options how = {.table.label_optional = 2, .unlabelled = 1};
    double *marks = dcpn_cli_allocate(cli, p, sizeof *marks);
    if (!marks) return dcpn_status_exit_code(DCPN_MEMORY);
    for (int64_t j = 0; j < p; j++) marks[j] = MISSING;
    if (names) {
        how.table.wanted = (char *const *)(uintptr_t)names;
        how.table.wanted_count = p;
        how.table.fill = marks;
    }
    int code = dcpn_cli_read(cli, cli->arguments[1], reading, how, data);
    free(marks);
    return code ? code : check_columns(cli, *data, filler);
}

static int read_filler(const struct cli *cli, struct filler *filler)
{
    const char *path = cli->arguments[0];
    int code;
    if (dcpn_neighbours_begin(cli->context, path)) {
        code = dcpn_cli_check(cli, dcpn_neighbours_read(cli->context, path, &filler->neighbours));
        if (code) return code;
        filler->variables = filler->neighbours->variables;
        filler->names = (const char *const *)filler->neighbours->names;
        return 0;
    }
    code = dcpn_cli_check(cli, dcpn_graphs_read(cli->context, path, &filler->graphs));
    if (code) return code;
    filler->variables = dcpn_graphs_variables(filler->graphs);
    filler->names = dcpn_graphs_names(filler->graphs);
    return 0;
}

int dcpn_cli_fill_in(const struct cli *cli, const struct reading_options *reading, const char *output)
{
    struct filler filler = {0};
    dcpn_dataset *data = NULL;
    const struct cli_files files = {.reads = {cli->arguments[0], cli->arguments[1]}, .writes = {output}};
    int code = dcpn_cli_check_distinct(cli, &files);
    if (!code && output) code = dcpn_cli_check(cli, dcpn_output_try(cli->context, output));
    if (!code) code = read_filler(cli, &filler);
    if (!code) code = read_rows(cli, reading, &filler, &data);
    if (!code) code = fill(cli, &filler, data, output);
    dcpn_dataset_free(data);
    dcpn_graphs_free(filler.graphs);
    dcpn_neighbours_free(filler.neighbours);
    return code;
}
