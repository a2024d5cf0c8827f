/* SPDX-License-Identifier: BSD-3-Clause */
/* Several responses: the table is read once for its features and the first response, and once for the others. */
#include "responses.h"

#include "distinct.h"
#include "word_list.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The list of columns; NULL: labels are one column, or a file. */
static const char *list_of(const struct reading_options *reading)
{
    const char *column = reading->label_column, *labels = reading->labels;
    if (labels && strchr(labels, ',') && access(labels, F_OK) != 0) return labels;
    return !labels && column && strchr(column, ',') ? column : NULL;
}

static int check_names(const struct cli *cli, const struct responses *responses, const char *list)
{
    for (int64_t k = 0; k < responses->count; k++) {
        if (!*responses->names[k])
            return dcpn_cli_fail(cli, DCPN_USAGE, "labels: found '%s', expected names of columns between commas", list);
        for (int64_t l = 0; l < k; l++)
            if (strcmp(responses->names[k], responses->names[l]) == 0)
                return dcpn_cli_fail(cli, DCPN_USAGE, "labels: found the column '%s' twice in '%s', expected it once",
                                     responses->names[k], list);
    }
    return 0;
}

int dcpn_cli_responses_split(const struct cli *cli, const struct reading_options *reading, struct responses *responses)
{
    const char *list = list_of(reading);
    *responses = (struct responses){0};
    if (!list) return 0;
    responses->names = dcpn_cli_split(cli, list, &responses->count);
    return responses->names ? check_names(cli, responses, list) : dcpn_status_exit_code(DCPN_MEMORY);
}

int dcpn_cli_responses_reading(const struct cli *cli, const struct responses *responses,
                               struct reading_options *reading, char **ignored)
{
    size_t size = (reading->ignore ? strlen(reading->ignore) : 0) + 2;
    if (dcpn_cli_is_standard_stream(cli->arguments[0]))
        return dcpn_cli_fail(cli, DCPN_USAGE, "several columns of labels are read apart: give a file, not -");
    for (int64_t k = 1; k < responses->count; k++) size += strlen(responses->names[k]) + 1;
    *ignored = dcpn_cli_allocate(cli, (int64_t)size, 1);
    if (!*ignored) return dcpn_status_exit_code(DCPN_MEMORY);
    strcpy(*ignored, reading->ignore ? reading->ignore : "");
    for (int64_t k = 1; k < responses->count; k++) {
        if (**ignored) strcat(*ignored, ",");
        strcat(*ignored, responses->names[k]);
    }
    reading->labels = NULL;
    reading->label_column = responses->names[0];
    reading->ignore = *ignored;
    return 0;
}

/* Takes the response of that name from the columns that were read. */
static int take_column(const struct cli *cli, const dcpn_dataset *columns, const char *name, double *y)
{
    double *x = dcpn_cli_allocate(cli, columns->features, sizeof *x);
    int64_t found = 0;
    if (!x) return dcpn_status_exit_code(DCPN_MEMORY);
    for (int64_t j = 0; j < columns->features; j++) {
        int is_it = columns->feature_names && strcmp(columns->feature_names[j], name) == 0;
        x[j] = is_it;
        found += is_it;
    }
    if (found == 1) dcpn_matrix_apply(columns->matrix, x, y);
    free(x);
    if (found == 1) return 0;
    return dcpn_cli_fail(cli, DCPN_DATA,
                         "labels: found %lld columns of the name '%s', expected one with a name of its own",
                         (long long)found, name);
}

int dcpn_cli_responses_read(const struct cli *cli, const char *path, const struct reading_options *reading,
                            const dcpn_dataset *data, struct responses *responses)
{
    int64_t rows = data->rows;
    struct reading_options other = *reading;
    dcpn_dataset *columns = NULL;
    const dcpn_read_options how = {
        .table.wanted = responses->names + 1, .table.wanted_count = responses->count - 1, .unlabelled = 1};
    other.labels = other.ignore = other.categorical = other.names = NULL;
    other.missing = "refuse";
    other.label_column = responses->names[0];
    if (data->label_names)
        return dcpn_cli_fail(
            cli, DCPN_DATA, "labels: the column '%s' has texts, expected numbers: several columns are responses",
            responses->names[0]);
    responses->Y = dcpn_cli_allocate(cli, responses->count * rows, sizeof *responses->Y);
    if (!responses->Y) return dcpn_status_exit_code(DCPN_MEMORY);
    int code = dcpn_cli_read(cli, path, &other, how, &columns);
    if (!code && columns->rows != rows)
        code = dcpn_cli_fail(cli, DCPN_DATA, "%s: found %lld rows when it was read again, expected %lld", path,
                             (long long)columns->rows, (long long)rows);
    for (int64_t i = 0; i < rows && !code; i++) responses->Y[i] = data->labels[i];
    for (int64_t k = 1; k < responses->count && !code; k++)
        code = take_column(cli, columns, responses->names[k], responses->Y + k * rows);
    dcpn_dataset_free(columns);
    return code;
}

int dcpn_cli_responses_are_in(const struct cli *cli, const char *path, const struct responses *responses)
{
    const dcpn_read_options how = {.table.wanted = responses->names + 1,
                                   .table.wanted_count = responses->count - 1,
                                   .table.label_column = responses->names[0],
                                   .table.missing = "mean",
                                   .unlabelled = 1};
    dcpn_dataset *columns = NULL;
    int are_in = dcpn_read(cli->context, path, &how, &columns) == DCPN_OK;
    dcpn_dataset_free(columns);
    return are_in;
}

void dcpn_cli_responses_free(struct responses *responses)
{
    free(responses->names);
    free(responses->Y);
}
