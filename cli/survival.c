/* SPDX-License-Identifier: BSD-3-Clause */
#include "survival.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 3 };

/* The columns besides the time; returns how many. */
static int other_columns(const struct training_options *options, char *names[MOST_COLUMNS])
{
    const char *const given[MOST_COLUMNS] = {options->survival.event, options->survival.entry,
                                             options->survival.strata};
    int count = 0;
    for (int k = 0; k < MOST_COLUMNS; k++)
        if (given[k]) names[count++] = (char *)(uintptr_t)given[k];
    return count;
}

static size_t length_of(const char *text)
{
    return text ? strlen(text) + 1 : 0;
}

/* Refuses two options with the same column: each needs one of its own. */
static int check_names(const struct cli *cli, const struct training_options *options)
{
    const struct {
        const char *option, *name;
    } columns[] = {{"--time", options->survival.time},
                   {"--event", options->survival.event},
                   {"--entry", options->survival.entry},
                   {"--strata", options->survival.strata}};
    for (size_t k = 1; k < sizeof columns / sizeof *columns; k++)
        for (size_t l = 0; l < k; l++)
            if (columns[k].name && columns[l].name && strcmp(columns[k].name, columns[l].name) == 0)
                return dcpn_cli_fail(cli, DCPN_USAGE, "%s: found '%s', which is the column of %s, expected another",
                                     columns[k].option, columns[k].name, columns[l].option);
    return 0;
}

int dcpn_cli_survival_reading(const struct cli *cli, const struct training_options *options,
                              struct reading_options *reading, char **ignored)
{
    char *names[MOST_COLUMNS];
    int count = other_columns(options, names), code = check_names(cli, options);
    if (code) return code;
    if (count && dcpn_cli_is_standard_stream(cli->arguments[0]))
        return dcpn_cli_fail(cli, DCPN_USAGE, "--event, --entry and --strata read the table twice: give a file, not -");
    reading->label_column = options->survival.time;
    if (!count) return 0;
    size_t size = length_of(reading->ignore) + 1;
    for (int k = 0; k < count; k++) size += length_of(names[k]);
    *ignored = dcpn_cli_allocate(cli, (int64_t)size, 1);
    if (!*ignored) return dcpn_status_exit_code(DCPN_MEMORY);
    if (reading->ignore && *reading->ignore) strcpy(*ignored, reading->ignore);
    for (int k = 0; k < count; k++) {
        if (**ignored) strcat(*ignored, ",");
        strcat(*ignored, names[k]);
    }
    reading->ignore = *ignored;
    return 0;
}

/* Takes one of the columns that were read, by its name. name NULL: it was not asked for. */
static int take_column(const struct cli *cli, const dcpn_dataset *columns, const char *name, double **numbers)
{
    if (!name) return 0;
    double *x = dcpn_cli_allocate(cli, columns->features, sizeof *x);
    *numbers = dcpn_cli_allocate(cli, columns->rows, sizeof **numbers);
    if (!x || !*numbers) {
        free(x);
        return dcpn_status_exit_code(DCPN_MEMORY);
    }
    for (int64_t j = 0; j < columns->features; j++) x[j] = strcmp(columns->feature_names[j], name) == 0;
    dcpn_matrix_apply(columns->matrix, x, *numbers);
    free(x);
    return 0;
}

static int check_times(const struct cli *cli, const dcpn_dataset *data)
{
    for (int64_t i = 0; i < data->rows; i++)
        if (!(data->labels[i] >= 0.0) || data->label_names)
            return dcpn_cli_fail(cli, DCPN_DATA, "--time: row %lld: found %g, expected a time, 0 or more",
                                 (long long)i + 1, data->label_names ? (double)NAN : data->labels[i]);
    return 0;
}

/* Other codes than 0 and 1 are in use, 1 for a censored row and 2 for an event among them: none is guessed. */
static int take_events(const struct cli *cli, const double *happened, dcpn_dataset *data)
{
    for (int64_t i = 0; i < data->rows; i++) {
        if (happened[i] != 0.0 && happened[i] != 1.0)
            return dcpn_cli_fail(cli, DCPN_DATA,
                                 "--event: row %lld: found %g, expected 1 for an event and 0 for a censored row",
                                 (long long)i + 1, happened[i]);
        if (happened[i] == 0.0) data->labels[i] = -data->labels[i];
    }
    return 0;
}

int dcpn_cli_survival_read(const struct cli *cli, const struct training_options *options, struct training *training)
{
    char *names[MOST_COLUMNS];
    dcpn_dataset *columns = NULL, *data = training->data;
    struct reading_options reading = options->reading;
    const dcpn_read_options how = {.table.wanted = names, .table.wanted_count = other_columns(options, names)};
    double *happened = NULL;
    int code = check_times(cli, data);
    if (code || how.table.wanted_count == 0) return code;
    reading.label_column = options->survival.time;
    reading.ignore = reading.categorical = NULL;
    code = dcpn_cli_read(cli, cli->arguments[0], &reading, how, &columns);
    if (!code && columns->features != how.table.wanted_count)
        code = dcpn_cli_fail(cli, DCPN_DATA,
                             "%s: found %lld of the columns of --event, --entry and --strata, expected %lld",
                             cli->arguments[0], (long long)columns->features, (long long)how.table.wanted_count);
    if (!code) code = take_column(cli, columns, options->survival.event, &happened);
    if (!code) code = take_column(cli, columns, options->survival.entry, &training->entry);
    if (!code) code = take_column(cli, columns, options->survival.strata, &training->strata);
    if (!code && happened) code = take_events(cli, happened, data);
    free(happened);
    dcpn_dataset_free(columns);
    return code;
}

int dcpn_cli_survival_strata(const struct cli *cli, const char *path, const char *column, int64_t rows, double **strata)
{
    char *names[] = {(char *)(uintptr_t)column};
    const struct reading_options reading = {.storage = "auto"};
    const dcpn_read_options how = {
        .table.wanted = names, .table.wanted_count = 1, .table.label_optional = 1, .unlabelled = 1};
    dcpn_dataset *columns = NULL;
    int code = dcpn_cli_read(cli, path, &reading, how, &columns);
    if (!code && (columns->features != 1 || columns->rows != rows))
        code =
            dcpn_cli_fail(cli, DCPN_DATA, "%s: found no column %s, which says the stratum of each row", path, column);
    if (!code) code = take_column(cli, columns, column, strata);
    dcpn_dataset_free(columns);
    return code;
}
