/* SPDX-License-Identifier: BSD-3-Clause */
/* Which figures a report has, and those of the work along a path. */
#include "album.h"

#include <math.h>

/* A quantity of each point against lambda. */
static struct picture *add_small(struct album *album, const char *id, const char *title, const char *y_label, double *x,
                                 double *y)
{
    const dcpn_path *path = &album->results->paths->paths[album->choice.path];
    struct figure_series *series = dcpn_cli_album_allocate(album, 1, sizeof *series);
    if (!series || !x || !y) return NULL;
    *series =
        (struct figure_series){.name = "", .count = (size_t)path->count, .x = x, .y = y, .look = DCPN_FIGURE_DOTS};
    struct picture *picture = dcpn_cli_album_add(album, id, title);
    picture->is_small = 1;
    picture->figure.x_label = "\xCE\xBB (log scale)";
    picture->figure.y_label = y_label;
    picture->figure.x_log = picture->figure.x_falling = 1;
    picture->figure.series = series;
    picture->figure.series_count = 1;
    return picture;
}

static int add_deviance(struct album *album)
{
    const dcpn_path *path = &album->results->paths->paths[album->choice.path];
    double *y = dcpn_cli_album_allocate(album, path->count, sizeof *y);
    int is_known = 0;
    for (int64_t i = 0; y && i < path->count; i++) {
        y[i] = 100.0 * dcpn_cli_explained(album->results->paths, &path->points[i]);
        is_known |= isfinite(y[i]) != 0;
    }
    if (y && !is_known) return 0;
    struct picture *picture = add_small(album, "deviance-explained", "Deviance explained", "deviance explained (%)",
                                        dcpn_cli_album_lambdas(album), y);
    if (!picture) return dcpn_status_exit_code(DCPN_MEMORY);
    picture->heading = "Fit to the data";
    snprintf(picture->caption, sizeof picture->caption,
             "How much of the deviance of the empty model each \xCE\xBB explains, on the rows it was fitted to.");
    return dcpn_cli_album_mark_lambdas(album, &picture->figure, 0);
}

static double features_of(const dcpn_path_point *point)
{
    return (double)point->fit.nonzeros;
}

static int add_work(struct album *album, const char *id, const char *title, const char *y_label, const char *caption,
                    double (*get)(const dcpn_path_point *))
{
    const dcpn_path *path = &album->results->paths->paths[album->choice.path];
    double *y = dcpn_cli_album_allocate(album, path->count, sizeof *y);
    int is_known = 0;
    for (int64_t i = 0; y && i < path->count; i++) {
        y[i] = get(&path->points[i]);
        is_known |= isfinite(y[i]) != 0;
    }
    if (y && !is_known) return 0;
    struct picture *picture = add_small(album, id, title, y_label, dcpn_cli_album_lambdas(album), y);
    if (!picture) return dcpn_status_exit_code(DCPN_MEMORY);
    snprintf(picture->caption, sizeof picture->caption, "%s", caption);
    if (get == features_of && !dcpn_cli_album_find(album, "deviance-explained")) picture->heading = "Fit to the data";
    return 0;
}

static int add_stationarity(struct album *album)
{
    static const struct figure_mark goal = {1.0, "the goal"};
    const dcpn_path *path = &album->results->paths->paths[album->choice.path];
    double *y = dcpn_cli_album_allocate(album, path->count, sizeof *y);
    for (int64_t i = 0; y && i < path->count; i++)
        y[i] = path->points[i].fit.stationarity / path->points[i].fit.stationarity_goal;
    struct picture *picture = add_small(album, "path-stationarity", "Stationarity at each lambda",
                                        "stationarity / goal", dcpn_cli_album_lambdas(album), y);
    if (!picture) return dcpn_status_exit_code(DCPN_MEMORY);
    picture->heading = "Convergence";
    picture->figure.y_log = 1;
    picture->figure.levels = &goal;
    picture->figure.level_count = 1;
    snprintf(picture->caption, sizeof picture->caption, "Each fit ends with a certificate: below 1 it converged.");
    return 0;
}

static double passes_of(const dcpn_path_point *point)
{
    return point->fit.passes;
}

static double inner_of(const dcpn_path_point *point)
{
    return (double)point->fit.inner_iterations;
}

static double milliseconds_of(const dcpn_path_point *point)
{
    return 1e3 * point->fit.time_s;
}

static int add_path_work(struct album *album)
{
    int code = add_stationarity(album);
    if (!code)
        code = add_work(album, "path-passes", "Passes over the data at each lambda", "passes over the data",
                        "What each \xCE\xBB cost, starting from the one before it.", passes_of);
    if (!code)
        code = add_work(album, "path-inner-iterations", "Inner iterations at each lambda", "inner iterations",
                        "Iterations of the subproblem solver.", inner_of);
    if (!code)
        code = add_work(album, "path-time", "Time of each lambda", "time (ms)", "On the machine of the fit.",
                        milliseconds_of);
    return code;
}

int dcpn_cli_album_make(const struct results *results, struct choice choice, const struct trace *trace,
                        struct album *album)
{
    *album = (struct album){.cli = results->cli, .results = results, .choice = choice};
    int is_path = results->paths->paths[choice.path].count > 1, code = 0;
    if (results->cv) code = dcpn_cli_album_add_held_out(album);
    if (!code && results->cv) code = dcpn_cli_album_add_cv(album);
    if (!code && is_path) code = dcpn_cli_album_add_coefficients(album);
    if (!code && is_path) code = dcpn_cli_album_add_other_paths(album);
    if (!code && is_path) code = add_deviance(album);
    if (!code && is_path)
        code = add_work(album, "features", "Features in use", "features in use",
                        "Coefficients that are not 0 at each \xCE\xBB.", features_of);
    if (!code && is_path) code = add_path_work(album);
    if (!code && trace && trace->count) code = dcpn_cli_album_add_trace(album, trace);
    return code;
}
