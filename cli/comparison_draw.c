/* SPDX-License-Identifier: BSD-3-Clause */
/* A comparison as two figures: F - best F against time and against passes. */
#include "comparison.h"
#include "plot/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const figure_names[] = {"-time.svg", "-passes.svg"};

enum { FIGURES = 2, TITLE = 400 };

/* PREFIX-time.svg; to be freed, NULL if memory is short. */
static char *path_of(const struct cli *cli, const char *prefix, const char *name)
{
    char *path = dcpn_cli_allocate(cli, (int64_t)(strlen(prefix) + strlen(name) + 1), 1);
    return path ? strcat(strcpy(path, prefix), name) : NULL;
}

int dcpn_cli_comparison_try_figures(const struct cli *cli, const char *prefix)
{
    int code = 0;
    for (int i = 0; i < FIGURES && !code; i++) {
        char *path = path_of(cli, prefix, figure_names[i]);
        code = path ? dcpn_cli_check(cli, dcpn_output_try(cli->context, path)) : dcpn_status_exit_code(DCPN_MEMORY);
        free(path);
    }
    return code;
}

/* Do the lengths of the curves differ so much that a linear axis would hide the short ones? */
static int spreads(const struct figure_series *series, size_t count)
{
    double shortest = INFINITY, longest = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (series[i].count == 0) continue;
        shortest = fmin(shortest, series[i].x[series[i].count - 1]);
        longest = fmax(longest, series[i].x[series[i].count - 1]);
    }
    return shortest > 0.0 && longest > 20.0 * shortest;
}

static void name_figure(const struct comparison *comparison, char title[TITLE])
{
    const dcpn_settings *common = comparison->common;
    const char *slash = strrchr(comparison->data_path, '/');
    snprintf(title, TITLE, "%s: %s loss, %s penalty, lambda %.6g", slash ? slash + 1 : comparison->data_path,
             common->loss, common->penalty, common->lambda);
}

static int draw(const struct cli *cli, const struct comparison *comparison, const struct figure_series *series,
                size_t count, const char *prefix, int by_passes)
{
    char title[TITLE];
    struct figure figure = {.title = title,
                            .x_label = by_passes ? "passes over the data" : "time (s)",
                            .y_label = "F \xE2\x88\x92 best F",
                            .x_log = spreads(series, count),
                            .y_log = 1,
                            .series_count = count,
                            .series = series};
    char *path = path_of(cli, prefix, figure_names[by_passes]);
    if (!path) return dcpn_status_exit_code(DCPN_MEMORY);
    name_figure(comparison, title);
    int code = dcpn_cli_check(cli, dcpn_figure_write(cli->context, path, &figure));
    free(path);
    return code;
}

/* Makes a series for each contender that ran, of gaps in the place of its objectives. */
static size_t make_series(const struct comparison *comparison, int by_passes, double *gaps,
                          struct figure_series *series)
{
    size_t count = 0;
    for (size_t i = 0; i < comparison->count; i++) {
        const struct contender *contender = &comparison->contenders[i];
        const struct curve *curve = &contender->curve;
        if (contender->state != DCPN_CLI_RAN) continue;
        for (size_t k = 0; k < curve->count; k++) gaps[k] = curve->objective[k] - comparison->best;
        series[count++] = (struct figure_series){
            .name = contender->label, .count = curve->count, .x = by_passes ? curve->passes : curve->time_s, .y = gaps};
        gaps += curve->count;
    }
    return count;
}

int dcpn_cli_comparison_draw(const struct cli *cli, const struct comparison *comparison, const char *prefix)
{
    size_t points = 0;
    for (size_t i = 0; i < comparison->count; i++) points += comparison->contenders[i].curve.count;
    double *gaps = dcpn_cli_allocate(cli, (int64_t)points, sizeof *gaps);
    struct figure_series *series = dcpn_cli_allocate(cli, (int64_t)comparison->count, sizeof *series);
    int code = gaps && series ? 0 : dcpn_status_exit_code(DCPN_MEMORY);
    for (int by_passes = 0; by_passes < FIGURES && !code; by_passes++) {
        size_t count = make_series(comparison, by_passes, gaps, series);
        code = draw(cli, comparison, series, count, prefix, by_passes);
    }
    free(series);
    free(gaps);
    return code;
}
