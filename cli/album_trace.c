/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of convergence, from the iterations of one fit. */
#include "album.h"

#include <math.h>

static struct picture *add(struct album *album, const char *id, const char *title, const char *caption, size_t count,
                           const double *x, const double *y)
{
    struct figure_series *series = dcpn_cli_album_allocate(album, 1, sizeof *series);
    if (!series) return NULL;
    *series = (struct figure_series){.name = "", .count = count, .x = x, .y = y, .look = DCPN_FIGURE_LINE};
    struct picture *picture = dcpn_cli_album_add(album, id, title);
    snprintf(picture->caption, sizeof picture->caption, "%s", caption);
    picture->is_small = 1;
    picture->figure.series = series;
    picture->figure.series_count = 1;
    return picture;
}

static int add_pair(struct album *album, const struct trace *trace, const double *y, int is_gap)
{
    static const char *const ids[2][2] = {{"stationarity-passes", "stationarity-time"}, {"gap-passes", "gap-time"}};
    static const char *const titles[2][2] = {{"Stationarity against passes", "Stationarity against time"},
                                             {"Objective gap against passes", "Objective gap against time"}};
    for (int by_time = 0; by_time < 2; by_time++) {
        struct picture *picture =
            add(album, ids[is_gap][by_time], titles[is_gap][by_time],
                is_gap ? "Distance of F to its least value in the run." : "Distance of 0 to the subdifferential of F.",
                trace->count, by_time ? trace->time_s : trace->passes, y);
        if (!picture) return dcpn_status_exit_code(DCPN_MEMORY);
        if (is_gap && !by_time && !dcpn_cli_album_find(album, "path-stationarity")) picture->heading = "Convergence";
        picture->figure.x_label = by_time ? "time (s)" : "passes over the data";
        picture->figure.y_label = is_gap ? "F \xE2\x88\x92 least F" : "stationarity";
        picture->figure.y_log = 1;
    }
    return 0;
}

static int set_goal(struct album *album, const char *id)
{
    double goal = dcpn_cli_point_at(album->results, album->choice)->fit.stationarity_goal;
    struct figure_mark *mark = dcpn_cli_album_allocate(album, 1, sizeof *mark);
    if (!mark) return dcpn_status_exit_code(DCPN_MEMORY);
    *mark = (struct figure_mark){goal, "the goal"};
    for (size_t i = 0; i < album->count && goal > 0.0; i++) {
        if (dcpn_cli_album_find(album, id) != &album->pictures[i]) continue;
        album->pictures[i].figure.levels = mark;
        album->pictures[i].figure.level_count = 1;
    }
    return 0;
}

int dcpn_cli_album_add_trace(struct album *album, const struct trace *trace)
{
    double *gap = dcpn_cli_album_allocate(album, (int64_t)trace->count, sizeof *gap), least = NAN;
    if (!gap) return dcpn_status_exit_code(DCPN_MEMORY);
    for (size_t i = 0; i < trace->count; i++) least = fmin(least, trace->objective[i]);
    for (size_t i = 0; i < trace->count; i++) gap[i] = trace->objective[i] - least;
    int code = add_pair(album, trace, gap, 1);
    if (!code) code = add_pair(album, trace, trace->stationarity, 0);
    if (!code) code = set_goal(album, "stationarity-passes");
    if (!code) code = set_goal(album, "stationarity-time");
    if (code) return code;
    struct picture *inner =
        add(album, "inner-iterations", "Inner iterations", "Of the subproblem solver, for each step.", trace->count - 1,
            trace->k + 1, trace->inner_iterations + 1);
    struct picture *steps =
        add(album, "step-sizes", "Step sizes", "1 is the full step.", trace->count - 1, trace->k + 1, trace->step + 1);
    if (!inner || !steps) return dcpn_status_exit_code(DCPN_MEMORY);
    inner->figure.x_label = steps->figure.x_label = "iteration";
    inner->figure.y_label = "inner iterations";
    steps->figure.y_label = "step size t";
    return 0;
}
