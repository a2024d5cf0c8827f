/* SPDX-License-Identifier: BSD-3-Clause */
/* predict with a graph: a table of the rows, what is missing in it being filled in. */
#include "graph_tables.h"

#include "distinct.h"
#include "predict_table.h"
#include "reading.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MISSING = -DBL_MAX; /* what a missing value is read as; no datum is as large */

static void print_header(FILE *out, const dcpn_dataset *data, const dcpn_graphs *graphs)
{
    const char *const *names = dcpn_graphs_names(graphs);
    dcpn_cli_print_csv_field(out, data->id_name ? data->id_name : data->row_names ? "id" : "row");
    for (int64_t j = 0; j < dcpn_graphs_variables(graphs); j++) {
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

static int write_table(const struct cli *cli, const dcpn_dataset *data, const dcpn_graphs *graphs, const double *values,
                       const char *path)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream) return dcpn_cli_fail(cli, DCPN_MEMORY, "out of memory");
    print_header(stream, data, graphs);
    print_rows(stream, data, dcpn_graphs_variables(graphs), values);
    int code = fclose(stream) == 0 ? dcpn_cli_write_text(cli, path, text, length)
                                   : dcpn_cli_fail(cli, DCPN_MEMORY, "out of memory");
    free(text);
    return code;
}

/* The variable that a column of the data is. It is found by its name, if the graph has names, which the reader has
 * asked for then; else by order. */
static int64_t variable_of(const dcpn_dataset *data, const dcpn_graphs *graphs, int64_t column)
{
    const char *const *names = dcpn_graphs_names(graphs);
    int64_t p = dcpn_graphs_variables(graphs);
    for (int64_t j = 0; names && data->feature_names && j < p; j++)
        if (strcmp(names[j], data->feature_names[column]) == 0) return j;
    return column;
}

/* A variable that is no column is missing in all rows. */
static void spread(const dcpn_dataset *data, const dcpn_graphs *graphs, int64_t *variable, int64_t *columns,
                   double *entries, double *values)
{
    int64_t p = dcpn_graphs_variables(graphs);
    for (int64_t j = 0; j < data->features; j++) variable[j] = variable_of(data, graphs, j);
    for (int64_t i = 0; i < data->rows; i++) {
        double *row = values + i * p;
        for (int64_t j = 0; j < p; j++) row[j] = (double)NAN;
        for (int64_t j = 0; j < data->features; j++) row[variable[j]] = 0.0;
        int64_t count = dcpn_matrix_row(data->matrix, i, columns, entries);
        for (int64_t k = 0; k < count; k++)
            row[variable[columns[k]]] = entries[k] == MISSING ? (double)NAN : entries[k];
    }
}

static int fill(const struct cli *cli, const dcpn_graphs *graphs, const dcpn_dataset *data, const char *output)
{
    int64_t p = dcpn_graphs_variables(graphs);
    if (data->rows > INT64_MAX / 8 / p) return dcpn_cli_fail(cli, DCPN_MEMORY, "out of memory");
    double *values = dcpn_cli_allocate(cli, data->rows * p, sizeof *values);
    double *entries = dcpn_cli_allocate(cli, p, sizeof *entries);
    int64_t *numbers = dcpn_cli_allocate(cli, 2 * p, sizeof *numbers);
    int code = values && entries && numbers ? 0 : dcpn_status_exit_code(DCPN_MEMORY);
    if (!code) spread(data, graphs, numbers, numbers + p, entries, values);
    if (!code) code = dcpn_cli_check(cli, dcpn_graphs_fill(graphs, dcpn_graphs_chosen(graphs), data->rows, values));
    if (!code) code = write_table(cli, data, graphs, values, output ? output : "-");
    free(values);
    free(entries);
    free(numbers);
    return code;
}

/* Names say which columns are meant; where the graph or the data have none, their number does. */
static int check_columns(const struct cli *cli, const dcpn_dataset *data, const dcpn_graphs *graphs)
{
    int64_t p = dcpn_graphs_variables(graphs), found = data->features;
    int by_name = dcpn_graphs_names(graphs) && data->feature_names;
    if (by_name ? found >= 1 && found <= p : found == p) return 0;
    return dcpn_cli_fail(cli, DCPN_DATA, "%s: found %lld columns, expected %s%lld as the graph has variables",
                         cli->arguments[1], (long long)found, by_name ? "some of the " : "", (long long)p);
}

static int read_rows(const struct cli *cli, const struct reading_options *reading, const dcpn_graphs *graphs,
                     dcpn_dataset **data)
{
    int64_t p = dcpn_graphs_variables(graphs);
    const char *const *names = dcpn_graphs_names(graphs);
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
    return code ? code : check_columns(cli, *data, graphs);
}

int dcpn_cli_fill_in(const struct cli *cli, const struct reading_options *reading, const char *output)
{
    dcpn_graphs *graphs = NULL;
    dcpn_dataset *data = NULL;
    const struct cli_files files = {.reads = {cli->arguments[0], cli->arguments[1]}, .writes = {output}};
    int code = dcpn_cli_check_distinct(cli, &files);
    if (!code && output) code = dcpn_cli_check(cli, dcpn_output_try(cli->context, output));
    if (!code) code = dcpn_cli_check(cli, dcpn_graphs_read(cli->context, cli->arguments[0], &graphs));
    if (!code) code = read_rows(cli, reading, graphs, &data);
    if (!code) code = fill(cli, graphs, data, output);
    dcpn_dataset_free(data);
    dcpn_graphs_free(graphs);
    return code;
}
