/* SPDX-License-Identifier: BSD-3-Clause */
/* The iterations of a fit, kept: from an observer, or from the file that fit --trace wrote. */
#include "trace.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 7 };

static double **column(struct trace *trace, int index)
{
    double **columns[COLUMNS] = {&trace->k,    &trace->objective, &trace->stationarity, &trace->inner_iterations,
                                 &trace->step, &trace->passes,    &trace->time_s};
    return columns[index];
}

static int make_room(struct trace *trace)
{
    size_t capacity = trace->capacity ? 2 * trace->capacity : 256;
    if (trace->count < trace->capacity) return 1;
    for (int c = 0; c < COLUMNS; c++) {
        double *larger = realloc(*column(trace, c), capacity * sizeof *larger);
        if (!larger) return 0;
        *column(trace, c) = larger;
    }
    trace->capacity = capacity;
    return 1;
}

static int add(struct trace *trace, const double values[COLUMNS])
{
    if (!make_room(trace)) return 0;
    for (int c = 0; c < COLUMNS; c++) (*column(trace, c))[trace->count] = values[c];
    trace->count++;
    return 1;
}

int dcpn_cli_trace_add(struct trace *trace, const dcpn_progress *progress)
{
    const double values[COLUMNS] = {
        (double)progress->k, progress->objective, progress->stationarity, (double)progress->inner_iterations,
        progress->step,      progress->passes,    progress->time_s};
    return add(trace, values);
}

/* ---- From a file ---- */

static int add_line(const struct cli *cli, const char *path, long long number, const char *line, struct trace *trace)
{
    static const char *const keys[COLUMNS] = {"k", "F", "stationarity", "inner_iterations", "t", "passes", "time_s"};
    double values[COLUMNS];
    json_t *object = json_loads(line, 0, NULL);
    int is_complete = json_is_object(object);
    for (int c = 0; c < COLUMNS && is_complete; c++) {
        const json_t *value = json_object_get(object, keys[c]);
        is_complete = json_is_number(value) || json_is_null(value);
        values[c] = json_is_number(value) ? json_number_value(value) : (double)NAN;
    }
    json_decref(object);
    if (!is_complete)
        return dcpn_cli_fail(cli, DCPN_MODEL, "%s: line %lld: expected an object as fit --trace writes it", path,
                             number);
    return add(trace, values) ? 0 : dcpn_cli_fail(cli, DCPN_MEMORY, "out of memory: no room for %s", path);
}

int dcpn_cli_trace_read(const struct cli *cli, const char *path, struct trace *trace)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    long long number = 0;
    int code = 0;
    if (!file) return dcpn_cli_fail(cli, DCPN_IO, "--trace: %s: %s", path, strerror(errno));
    while (!code && getline(&line, &capacity, file) >= 0) code = add_line(cli, path, ++number, line, trace);
    if (!code && ferror(file)) code = dcpn_cli_fail(cli, DCPN_IO, "--trace: %s: %s", path, strerror(errno));
    free(line);
    fclose(file);
    return code;
}

void dcpn_cli_trace_free(struct trace *trace)
{
    for (int c = 0; c < COLUMNS; c++) free(*column(trace, c));
}
