/* SPDX-License-Identifier: BSD-3-Clause */
/* Which figures a report has, and those of the work along a path. */
#include "album.h"

#include <math.h>

/* A quantity of each point against lambda. */
static struct picture *add_small(struct album *album, const char *id, const char *title, const char *y_label, double *x,
                                 double *y)
{
    const struct track *track = &album->findings->tracks[album->choice.track];
    struct figure_series *series = dcpn_cli_album_allocate(album, 1, sizeof *series);
    if (!series || !x || !y) return NULL;
    *series =
        (struct figure_series){.name = "", .count = (size_t)track->count, .x = x, .y = y, .look = DCPN_FIGURE_DOTS};
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
    const struct track *track = &album->findings->tracks[album->choice.track];
    double *y = dcpn_cli_album_allocate(album, track->count, sizeof *y);
    int is_known = 0;
    for (int64_t i = 0; y && i < track->count; i++) {
        y[i] = 100.0 * track->points[i].deviance_explained;
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

static double features_of(const struct finding *point)
{
    return (double)point->nonzeros;
}

static int add_work(struct album *album, const char *id, const char *title, const char *y_label, const char *caption,
                    double (*get)(const struct finding *))
{
    const struct track *track = &album->findings->tracks[album->choice.track];
    double *y = dcpn_cli_album_allocate(album, track->count, sizeof *y);
    int is_known = 0;
    for (int64_t i = 0; y && i < track->count; i++) {
        y[i] = get(&track->points[i]);
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
    const struct track *track = &album->findings->tracks[album->choice.track];
    double *y = dcpn_cli_album_allocate(album, track->count, sizeof *y);
    for (int64_t i = 0; y && i < track->count; i++)
        y[i] = track->points[i].stationarity / track->points[i].stationarity_goal;
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

static double passes_of(const struct finding *point)
{
    return point->passes;
}

static double inner_of(const struct finding *point)
{
    return point->inner_iterations >= 0 ? (double)point->inner_iterations : (double)NAN;
}

static double milliseconds_of(const struct finding *point)
{
    return 1e3 * point->time_s;
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

int dcpn_cli_album_make(const struct findings *findings, struct choice choice, const struct trace *trace,
                        struct album *album)
{
    *album = (struct album){.cli = findings->cli, .findings = findings, .choice = choice};
    int is_path = findings->tracks[choice.track].count > 1, code = 0;
    if (findings->kind == DCPN_CLI_CV_FILE) code = dcpn_cli_album_add_cv(album);
    if (!code && is_path) code = dcpn_cli_album_add_coefficients(album);
    if (!code && is_path) code = add_deviance(album);
    if (!code && is_path)
        code = add_work(album, "features", "Features in use", "features in use",
                        "Coefficients that are not 0 at each \xCE\xBB.", features_of);
    if (!code && is_path) code = add_path_work(album);
    if (!code && trace && trace->count) code = dcpn_cli_album_add_trace(album, trace);
    return code;
}
