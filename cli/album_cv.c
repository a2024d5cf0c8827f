/* SPDX-License-Identifier: BSD-3-Clause */
/* The figure of a cross-validation: its curve with standard errors, one for each penalty that took part. */
#include "album.h"

#include <math.h>
#include <string.h>

enum { MOST_CURVES = 7, LINEAR_UP_TO = 10 };

const char *dcpn_cli_measure_label(const char *measure)
{
    static const char *const labels[][2] = {
        {"deviance", "deviance per row"}, {"error", "share of rows misclassified"}, {"auc", "area under the ROC curve"},
        {"mse", "mean squared error"},    {"mae", "mean absolute error"},
    };
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++)
        if (strcmp(labels[i][0], measure) == 0) return labels[i][1];
    return measure;
}

/* Times this, the smaller a measure is the better. */
static double sign_of(const struct findings *findings)
{
    return strcmp(findings->measures[findings->measure], "auc") == 0 ? -1.0 : 1.0;
}

/* The best mean of a track; the smaller the better it is. */
static double rank(const struct findings *findings, const struct track *track)
{
    double best = INFINITY, sign = sign_of(findings);
    for (int64_t i = 0; i < track->count; i++)
        best = fmin(best, sign * track->points[i].measures[findings->measure].mean);
    return best;
}

/* The chosen track, then the others, the best first. */
static size_t choose_tracks(const struct album *album, int64_t tracks[MOST_CURVES])
{
    const struct findings *findings = album->findings;
    size_t count = 1;
    tracks[0] = album->choice.track;
    for (int64_t t = 0; t < findings->track_count; t++) {
        if (t == album->choice.track) continue;
        size_t at = count < MOST_CURVES ? count++ : count;
        for (; at > 1 && rank(findings, &findings->tracks[t]) < rank(findings, &findings->tracks[tracks[at - 1]]); at--)
            if (at < MOST_CURVES) tracks[at] = tracks[at - 1];
        if (at < MOST_CURVES) tracks[at] = t;
    }
    return count;
}

/* How bad a mean may be to be drawn: somewhat worse than those at the starts of the paths, of nearly empty models. A
 * curve that runs away at its end would press the rest of it flat. */
static double worst_drawn(const struct album *album)
{
    const struct findings *findings = album->findings;
    const struct track *track = &findings->tracks[album->choice.track];
    double sign = sign_of(findings), best = rank(findings, track);
    double first = -INFINITY;
    for (int64_t t = 0; t < findings->track_count; t++)
        if (findings->tracks[t].count)
            first = fmax(first, sign * findings->tracks[t].points[0].measures[findings->measure].mean);
    double se = dcpn_cli_finding_at(findings, album->choice)->measures[findings->measure].se;
    double spread = fmax(fmax(first - best, 0.05 * fabs(best)), isfinite(se) ? 3.0 * se : 0.0);
    return best + 1.5 * spread;
}

static int fill_series(struct album *album, const struct track *track, int is_chosen, struct figure_series *series,
                       int64_t *left_out, int64_t *drawn)
{
    double worst = worst_drawn(album);
    size_t measure = album->findings->measure;
    double *columns = dcpn_cli_album_allocate(album, 3 * track->count, sizeof *columns);
    char *name = dcpn_cli_album_allocate(album, 80, 1);
    if (!columns || !name) return dcpn_status_exit_code(DCPN_MEMORY);
    double *x = columns, *y = columns + track->count, *deviation = columns + 2 * track->count;
    *drawn = 0;
    for (int64_t i = 0; i < track->count; i++) {
        x[i] = track->points[i].lambda;
        y[i] = track->points[i].measures[measure].mean;
        if (sign_of(album->findings) * y[i] > worst) {
            y[i] = NAN;
            ++*left_out;
        }
        *drawn += isfinite(y[i]);
        deviation[i] = track->points[i].measures[measure].se;
    }
    if (track->varying)
        snprintf(name, 80, "%.40s, %.20s = %.4g", track->penalty, track->varying, track->value);
    else
        snprintf(name, 80, "%.70s", track->penalty);
    *series = (struct figure_series){.name = album->findings->track_count > 1 ? name : "",
                                     .count = (size_t)track->count,
                                     .x = x,
                                     .y = y,
                                     .deviation = is_chosen ? deviation : NULL,
                                     .look = is_chosen ? DCPN_FIGURE_DOTS : DCPN_FIGURE_PLAIN};
    return 0;
}

/* On a linear axis what matters would lie flat on the ground. */
static int spans_decades(const struct figure_series *series, size_t count)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t s = 0; s < count; s++)
        for (size_t i = 0; i < series[s].count; i++) {
            low = fmin(low, series[s].y[i]);
            high = fmax(high, series[s].y[i]);
        }
    return low > 0.0 && high > LINEAR_UP_TO * low;
}

int dcpn_cli_album_add_top(struct album *album, struct figure *figure)
{
    const struct track *track = &album->findings->tracks[album->choice.track];
    int64_t *top = dcpn_cli_album_allocate(album, track->count, sizeof *top);
    figure->top_x = dcpn_cli_album_lambdas(album);
    if (!top || !figure->top_x) return dcpn_status_exit_code(DCPN_MEMORY);
    for (int64_t i = 0; i < track->count; i++) top[i] = track->points[i].nonzeros;
    figure->top = top;
    figure->top_count = (size_t)track->count;
    figure->top_label = "features in use";
    return 0;
}

int dcpn_cli_album_add_cv(struct album *album)
{
    const struct findings *findings = album->findings;
    int64_t tracks[MOST_CURVES];
    size_t chosen = choose_tracks(album, tracks), count = 0;
    int64_t left_out = 0, drawn = 0;
    struct figure_series *series = dcpn_cli_album_allocate(album, (int64_t)chosen, sizeof *series);
    int code = series ? 0 : dcpn_status_exit_code(DCPN_MEMORY);
    for (size_t i = 0; i < chosen && !code; i++) {
        code = fill_series(album, &findings->tracks[tracks[i]], i == 0, &series[count], &left_out, &drawn);
        count += i == 0 || drawn > 1;
    }
    if (code) return code;
    struct picture *picture = dcpn_cli_album_add(album, "cross-validation", "Cross-validation");
    struct figure *figure = &picture->figure;
    picture->heading = "Cross-validation";
    figure->x_label = "\xCE\xBB, weight of the penalty (log scale)";
    figure->y_label = dcpn_cli_measure_label(findings->measures[findings->measure]);
    figure->x_log = figure->x_falling = 1;
    figure->series = series;
    figure->series_count = count;
    figure->y_log = spans_decades(series, count);
    snprintf(picture->caption, sizeof picture->caption,
             "Mean over the folds, with bars of one standard error%s. min is the best mean; 1se the largest \xCE\xBB whose "
             "mean is within one standard error of it%s.%s",
             findings->track_count > 1 ? ", and features in use, of the path with the model that is shown" : "",
             findings->track_count > 1 ? ", on the path that has the fewest features there" : "",
             findings->track_count > MOST_CURVES ? " Of the paths that took part, the seven best are drawn." : "");
    if (left_out) {
        size_t used = strlen(picture->caption);
        snprintf(picture->caption + used, sizeof picture->caption - used,
                 " Means that are much worse than that of the empty model are left out (%lld)%s.", (long long)left_out,
                 count < chosen ? ", and paths of which no line remains" : "");
    }
    code = dcpn_cli_album_add_top(album, figure);
    return code ? code : dcpn_cli_album_mark_lambdas(album, figure, 1);
}
