/* SPDX-License-Identifier: BSD-3-Clause */
/* The figure of a cross-validation: its curve with standard errors, one for each penalty that took part. */
#include "album.h"

#include <math.h>
#include <string.h>

enum { MOST_CURVES = 7, MOST_FOLDS = 20, LINEAR_UP_TO = 10 };

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
static double sign_of(const struct results *results)
{
    return strcmp(results->cv->measured.names[results->cv->measured.chooses], "auc") == 0 ? -1.0 : 1.0;
}

/* The mean of the measure that chooses, and its standard error. */
static struct measurement measured(const struct results *results, int64_t path, int64_t point)
{
    return dcpn_cli_measurement(results, (struct choice){path, point}, results->cv->measured.chooses);
}

/* The best mean of a path; the smaller the better it is. */
static double rank(const struct results *results, int64_t path)
{
    double best = INFINITY, sign = sign_of(results);
    for (int64_t i = 0; i < results->paths->paths[path].count; i++)
        best = fmin(best, sign * measured(results, path, i).mean);
    return best;
}

/* The chosen path, then the others, the best first. *all becomes how many there are to choose from. */
static size_t choose_paths(const struct album *album, int64_t paths[MOST_CURVES], size_t *all)
{
    const struct results *results = album->results;
    size_t count = 1;
    *all = 1;
    paths[0] = album->choice.path;
    for (int64_t t = 0; t < results->paths->count; t++) {
        if (t == album->choice.path || dcpn_cli_path_is_left_out(results, t, album->choice.path)) continue;
        ++*all;
        size_t at = count < MOST_CURVES ? count++ : count;
        for (; at > 1 && rank(results, t) < rank(results, paths[at - 1]); at--)
            if (at < MOST_CURVES) paths[at] = paths[at - 1];
        if (at < MOST_CURVES) paths[at] = t;
    }
    return count;
}

/* The worst mean that is drawn. It is somewhat worse than those at the starts of the paths, of nearly empty models: a
 * curve that runs away at its end would press the rest of it flat. */
static double worst_drawn(const struct album *album)
{
    const struct results *results = album->results;
    double sign = sign_of(results), best = rank(results, album->choice.path);
    double first = -INFINITY;
    for (int64_t t = 0; t < results->paths->count; t++)
        if (results->paths->paths[t].count) first = fmax(first, sign * measured(results, t, 0).mean);
    double se = measured(results, album->choice.path, album->choice.point).se;
    double spread = fmax(fmax(first - best, 0.05 * fabs(best)), isfinite(se) ? 3.0 * se : 0.0);
    return best + 1.5 * spread;
}

static int fill_series(struct album *album, int64_t which, struct figure_series *series, int64_t *left_out,
                       int64_t *drawn)
{
    const dcpn_path *path = &album->results->paths->paths[which];
    double worst = worst_drawn(album);
    int is_chosen = which == album->choice.path;
    double *columns = dcpn_cli_album_allocate(album, 3 * path->count, sizeof *columns);
    char *name = dcpn_cli_album_allocate(album, DCPN_CLI_PATH_NAME_SIZE, 1);
    if (!columns || !name) return dcpn_status_exit_code(DCPN_MEMORY);
    double *x = columns, *y = columns + path->count, *deviation = columns + 2 * path->count;
    *drawn = 0;
    for (int64_t i = 0; i < path->count; i++) {
        x[i] = path->points[i].lambda;
        y[i] = measured(album->results, which, i).mean;
        if (sign_of(album->results) * y[i] > worst) {
            y[i] = NAN;
            ++*left_out;
        }
        *drawn += isfinite(y[i]);
        deviation[i] = measured(album->results, which, i).se;
    }
    dcpn_cli_path_name(path, name);
    *series = (struct figure_series){.name = album->results->paths->count > 1 ? name : "",
                                     .count = (size_t)path->count,
                                     .x = x,
                                     .y = y,
                                     .deviation = is_chosen ? deviation : NULL,
                                     .look = is_chosen ? DCPN_FIGURE_DOTS : DCPN_FIGURE_PLAIN};
    return 0;
}

/* ---- What the curve is compared with ---- */

/* The measure of the model without features, on all rows; NaN: not known. */
static double null_measure(const struct results *results)
{
    const dcpn_paths *paths = results->paths;
    const char *measure = results->cv->measured.names[results->cv->measured.chooses];
    double positive = paths->positives / paths->weight, deviance = paths->null_deviance / paths->weight;
    if (strcmp(measure, "auc") == 0) return 0.5;
    if (strcmp(measure, "error") == 0) return fmin(positive, 1.0 - positive);
    if (strcmp(measure, "deviance") == 0) return deviance;
    return strcmp(measure, "mse") == 0 && strcmp(paths->settings.loss, "squared") == 0 ? deviance : (double)NAN;
}

static int add_null_line(struct album *album, struct figure *figure)
{
    struct figure_mark *level = dcpn_cli_album_allocate(album, 1, sizeof *level);
    if (!level) return dcpn_status_exit_code(DCPN_MEMORY);
    *level = (struct figure_mark){null_measure(album->results), "a model without features"};
    figure->levels = level;
    figure->level_count = isfinite(level->at) ? 1 : 0;
    return 0;
}

/* Adds the chosen path on each fold alone, except for means as bad as those that are not drawn. */
static int add_folds(struct album *album, const struct figure_series *mean, struct figure_series *series)
{
    const dcpn_cv *cv = album->results->cv;
    int64_t first = cv->first[album->choice.path], count = (int64_t)mean->count;
    double worst = worst_drawn(album);
    double *y = dcpn_cli_album_allocate(album, cv->folds * count, sizeof *y);
    char(*names)[32] = dcpn_cli_album_allocate(album, cv->folds, sizeof *names);
    if (!y || !names) return dcpn_status_exit_code(DCPN_MEMORY);
    for (int64_t f = 0; f < cv->folds; f++, y += count) {
        for (int64_t i = 0; i < count; i++) {
            double value = cv->value[((first + i) * DCPN_MEASURES + cv->measured.chooses) * cv->folds + f];
            y[i] = isfinite(mean->y[i]) && sign_of(album->results) * value <= worst ? value : (double)NAN;
        }
        snprintf(names[f], sizeof *names, "fold %lld", (long long)f + 1);
        series[f] = (struct figure_series){
            .name = names[f], .count = (size_t)count, .x = mean->x, .y = y, .look = DCPN_FIGURE_FAINT};
    }
    return 0;
}

/* Do the series span decades? On a linear axis, the part that matters would then lie flat on the ground. */
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
    const dcpn_path *path = &album->results->paths->paths[album->choice.path];
    int64_t *top = dcpn_cli_album_allocate(album, path->count, sizeof *top);
    figure->top.x = dcpn_cli_album_lambdas(album);
    if (!top || !figure->top.x) return dcpn_status_exit_code(DCPN_MEMORY);
    for (int64_t i = 0; i < path->count; i++)
        top[i] = dcpn_cli_features_at(album->results, (struct choice){album->choice.path, i});
    figure->top.values = top;
    figure->top.count = (size_t)path->count;
    figure->top.label = "features in use";
    return 0;
}

int dcpn_cli_album_add_cv(struct album *album)
{
    const struct results *results = album->results;
    int64_t paths[MOST_CURVES];
    size_t all, chosen = choose_paths(album, paths, &all), count = 0;
    int64_t left_out = 0, drawn = 0, folds = results->cv->folds <= MOST_FOLDS ? results->cv->folds : 0;
    struct figure_series *series = dcpn_cli_album_allocate(album, (int64_t)chosen + folds, sizeof *series);
    int code = series ? 0 : dcpn_status_exit_code(DCPN_MEMORY);
    for (size_t i = 0; i < chosen && !code; i++) {
        code = fill_series(album, paths[i], &series[count], &left_out, &drawn);
        count += i == 0 || drawn > 1;
    }
    if (!code && folds) code = add_folds(album, &series[0], series + count);
    if (code) return code;
    struct picture *picture = dcpn_cli_album_add(album, "cross-validation", "Cross-validation");
    struct figure *figure = &picture->figure;
    picture->heading = "Cross-validation";
    figure->x_label = "\xCE\xBB, weight of the penalty (log scale)";
    figure->y_label = dcpn_cli_measure_label(results->cv->measured.names[results->cv->measured.chooses]);
    figure->x_log = figure->x_falling = 1;
    figure->series = series;
    figure->series_count = count + (size_t)folds;
    figure->faint_label = folds ? "each fold alone" : NULL;
    figure->y_log = spans_decades(series, count);
    snprintf(
        picture->caption, sizeof picture->caption,
        "Mean over the folds, with bars of one standard error%s. min is the best mean; 1se the largest \xCE\xBB whose "
        "mean is within one standard error of it%s.%s",
        results->paths->count > 1 ? ", and features in use, of the path with the model that is shown" : "",
        results->paths->count > 1 ? ", on the path that has the fewest features there" : "",
        all > chosen ? " Of the paths that took part, the seven best are drawn." : "");
    if (left_out) {
        size_t used = strlen(picture->caption);
        snprintf(picture->caption + used, sizeof picture->caption - used,
                 " Means that are much worse than that of the empty model are left out (%lld)%s.", (long long)left_out,
                 count < chosen ? ", and paths of which no line remains" : "");
    }
    code = dcpn_cli_album_add_top(album, figure);
    if (!code) code = add_null_line(album, figure);
    return code ? code : dcpn_cli_album_mark_lambdas(album, figure, 1);
}
