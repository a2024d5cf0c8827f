/* SPDX-License-Identifier: BSD-3-Clause */
/* The figure of coefficient paths: the largest by name, the others behind them. */
#include "album.h"
#include "plot/text.h"
#include "plural.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED = 7, MOST_LINES = 300, NAME_BYTES = 200 };

#define NAME_WIDTH 24.0 /* of a font size */

/* One feature that is in use somewhere on the path. */
struct line {
    int64_t feature;
    double chosen, largest; /* |weight| at the chosen point and at any */
};

struct coefficient_lines {
    struct line *lines;
    int64_t count;
    int64_t *slot; /* 1 + position in lines, by feature; 0: never in use */
};

static int by_importance(const void *left, const void *right)
{
    const struct line *a = left, *b = right;
    if (a->chosen > b->chosen || a->chosen < b->chosen) return a->chosen > b->chosen ? -1 : 1;
    if (a->largest > b->largest || a->largest < b->largest) return a->largest > b->largest ? -1 : 1;
    return (a->feature > b->feature) - (a->feature < b->feature);
}

static int count_features(struct album *album, const dcpn_path *path, struct coefficient_lines *all)
{
    all->slot = dcpn_cli_album_allocate(album, album->results->paths->scores * album->results->paths->features,
                                        sizeof *all->slot);
    if (!all->slot) return 0;
    for (int64_t p = 0; p < path->count; p++)
        for (int64_t i = 0; i < path->points[p].fit.nonzeros; i++) {
            int64_t *slot = &all->slot[path->index[path->points[p].first + i]];
            if (!*slot) *slot = ++all->count;
        }
    all->lines = dcpn_cli_album_allocate(album, all->count, sizeof *all->lines);
    return all->lines != NULL;
}

/* Sorts the lines of the features; the slots become positions in the sorted lines. */
static int rank_features(struct album *album, const dcpn_path *path, struct coefficient_lines *all)
{
    if (!count_features(album, path, all)) return dcpn_status_exit_code(DCPN_MEMORY);
    for (int64_t p = 0; p < path->count; p++) {
        const dcpn_path_point *point = &path->points[p];
        for (int64_t k = point->first; k < point->first + point->fit.nonzeros; k++) {
            struct line *line = &all->lines[all->slot[path->index[k]] - 1];
            double size = fabs(dcpn_cli_weight(album->results, path, k));
            line->feature = path->index[k];
            line->largest = fmax(line->largest, size);
            if (p == album->choice.point) line->chosen = size;
        }
    }
    qsort(all->lines, (size_t)all->count, sizeof *all->lines, by_importance);
    for (int64_t i = 0; i < all->count; i++) all->slot[all->lines[i].feature] = i + 1;
    return 0;
}

/* ---- How far the path is drawn ---- */

#define EXPLOSION 6.0

static double largest_at(const struct results *results, const dcpn_path *path, int64_t p)
{
    const dcpn_path_point *point = &path->points[p];
    double largest = 0.0;
    for (int64_t k = point->first; k < point->first + point->fit.nonzeros; k++)
        largest = fmax(largest, fabs(dcpn_cli_weight(results, path, k)));
    return largest;
}

/* The number of points that are drawn. If classes can be separated, coefficients grow without bound as lambda falls,
 * and would leave no room for those that were chosen: the path of a cross-validation is drawn up to where they outgrow
 * these. */
static int64_t drawn_points(const struct album *album, const dcpn_path *path)
{
    const struct results *results = album->results;
    int64_t needed = album->choice.point;
    double limit = 0.0;
    if (!results->cv) return path->count;
    for (int rule = 0; rule < DCPN_CLI_RULES; rule++) {
        struct choice chosen = dcpn_cli_results_chosen(results, (enum results_rule)rule);
        if (chosen.path == album->choice.path && chosen.point > needed) needed = chosen.point;
    }
    for (int64_t p = 0; p <= needed; p++) limit = fmax(limit, EXPLOSION * largest_at(results, path, p));
    int64_t count = needed + 1;
    while (count < path->count && (largest_at(results, path, count) <= limit || limit <= 0.0)) count++;
    return count;
}

/* ---- The lines ---- */

/* values: one row of the path's length for each drawn feature, 0 where it is not in use. */
static void fill_values(const struct results *results, const dcpn_path *path, const struct coefficient_lines *all,
                        int64_t drawn, double *values)
{
    for (int64_t p = 0; p < path->count; p++)
        for (int64_t i = 0; i < path->points[p].fit.nonzeros; i++) {
            int64_t k = path->points[p].first + i, row = all->slot[path->index[k]] - 1;
            if (row < drawn) values[row * path->count + p] = dcpn_cli_weight(results, path, k);
        }
}

/* Zeros between zeros need no ink. */
static void drop_zeros(double *y, int64_t count)
{
    int before_is_zero = 1;
    for (int64_t p = 0; p < count; p++) {
        int is_zero = fabs(y[p]) <= 0.0, after_is_zero = p + 1 == count || fabs(y[p + 1]) <= 0.0;
        if (is_zero && before_is_zero && after_is_zero) y[p] = NAN;
        before_is_zero = is_zero;
    }
}

/* Names that are too long lose their middle; the table has them whole. */
static const char *short_name(struct album *album, int64_t feature)
{
    char room[DCPN_CLI_NAME_SIZE];
    const char *name = dcpn_cli_coefficient_name(album->results, feature, "feature ", room);
    char *copy = dcpn_cli_album_allocate(album, NAME_BYTES, 1);
    if (copy) dcpn_figure_text_shorten(name, NAME_WIDTH, copy, NAME_BYTES);
    return copy;
}

static int make_series(struct album *album, const dcpn_path *path, const struct coefficient_lines *all, int64_t points,
                       struct figure *figure)
{
    int64_t drawn = all->count < MOST_LINES ? all->count : MOST_LINES;
    double *values = dcpn_cli_album_allocate(album, drawn * path->count, sizeof *values);
    double *lambdas = dcpn_cli_album_lambdas(album);
    struct figure_series *series = dcpn_cli_album_allocate(album, drawn, sizeof *series);
    if (!values || !lambdas || !series) return dcpn_status_exit_code(DCPN_MEMORY);
    fill_values(album->results, path, all, drawn, values);
    for (int64_t row = 0; row < drawn; row++) {
        double *y = values + row * path->count;
        drop_zeros(y, path->count);
        series[row] = (struct figure_series){.name = short_name(album, all->lines[row].feature),
                                             .count = (size_t)points,
                                             .x = lambdas,
                                             .y = y,
                                             .look = row < NAMED ? DCPN_FIGURE_PLAIN : DCPN_FIGURE_FAINT};
        if (!series[row].name) return dcpn_status_exit_code(DCPN_MEMORY);
    }
    figure->series = series;
    figure->series_count = (size_t)drawn;
    return 0;
}

static int name_others(struct album *album, const struct coefficient_lines *all, struct figure *figure)
{
    if (all->count <= NAMED) return 0;
    char *label = dcpn_cli_album_allocate(album, 80, 1);
    if (!label) return dcpn_status_exit_code(DCPN_MEMORY);
    if (all->count > MOST_LINES)
        snprintf(label, 80, "others, the %d largest of %lld", MOST_LINES - NAMED, (long long)all->count - NAMED);
    else if (all->count == NAMED + 1)
        snprintf(label, 80, "the other one");
    else
        snprintf(label, 80, "the other %lld", (long long)all->count - NAMED);
    figure->faint_label = label;
    return 0;
}

/* ---- Where F is not convex ---- */

static double between(double a, double b)
{
    return a > 0.0 && b > 0.0 ? sqrt(a * b) : (a + b) / 2.0;
}

/* Stretches of points that are known not to be locally convex, each to the middle between its neighbours. */
static int add_shades(struct album *album, const dcpn_path *path, struct figure *figure)
{
    struct figure_span *spans = dcpn_cli_album_allocate(album, path->count, sizeof *spans);
    if (!spans) return dcpn_status_exit_code(DCPN_MEMORY);
    const dcpn_path_point *points = path->points;
    for (int64_t p = 0; p < path->count; p++) {
        if (points[p].is_locally_convex != 0) continue;
        if (p == 0 || points[p - 1].is_locally_convex != 0)
            spans[figure->shades.count++].from = p ? between(points[p - 1].lambda, points[p].lambda) : (double)INFINITY;
        spans[figure->shades.count - 1].to =
            p + 1 < path->count ? between(points[p].lambda, points[p + 1].lambda) : 0.0;
    }
    figure->shades.spans = spans;
    figure->shades.label = "not locally convex: other minima are possible";
    return 0;
}

static int draw_path(struct album *album, struct picture *picture)
{
    const dcpn_path *path = &album->results->paths->paths[album->choice.path];
    struct coefficient_lines all = {0};
    struct figure *figure = &picture->figure;
    int64_t points = drawn_points(album, path);
    int code = rank_features(album, path, &all);
    if (!code) code = make_series(album, path, &all, points, figure);
    if (!code) code = name_others(album, &all, figure);
    if (!code) code = add_shades(album, path, figure);
    if (!code) code = dcpn_cli_album_add_top(album, figure);
    figure->top.count = (size_t)points;
    if (!code) code = dcpn_cli_album_mark_lambdas(album, figure, 0);
    figure->x_label = "\xCE\xBB, weight of the penalty (log scale)";
    figure->y_label = album->results->paths->deviations.value ? "coefficient per standard deviation" : "coefficient";
    figure->x_log = figure->x_falling = figure->names_at_ends = 1;
    snprintf(picture->caption, sizeof picture->caption,
             "Each line is a %s (%lld of %lld %s in use somewhere). \xCE\xBB falls to the right, and features "
             "enter; named are the largest, those of the model shown first.%s",
             album->results->paths->scores > 1 ? "coefficient" : "feature", (long long)all.count,
             (long long)(album->results->paths->scores * album->results->paths->features),
             all.count == 1 ? "is" : "are",
             figure->shades.count ? " On the shaded ground F is not convex on the features in use." : "");
    int64_t left_out = path->count - points;
    if (left_out > 0) {
        size_t used = strlen(picture->caption);
        snprintf(picture->caption + used, sizeof picture->caption - used,
                 " The last %lld value%s of \xCE\xBB, at which coefficients grow out of scale, %s left out.",
                 (long long)left_out, dcpn_cli_plural(left_out), left_out == 1 ? "is" : "are");
    }
    return code;
}

int dcpn_cli_album_add_coefficients(struct album *album)
{
    struct picture *picture = dcpn_cli_album_add(album, "coefficients", "Coefficient paths");
    picture->heading = "Coefficients along the path";
    return draw_path(album, picture);
}

/* ---- The other paths ---- */

enum { MOST_OTHERS = 6 };

/* The point that the rule of the file chooses on a path, or the last point of the path. */
static struct choice choice_on(const struct results *results, int64_t path)
{
    const dcpn_cv *cv = results->cv;
    int64_t point = !cv ? -1 : strcmp(cv->choice.rule, "1se") == 0 ? cv->one_se[path] : cv->best[path];
    return (struct choice){path, point >= 0 ? point : results->paths->paths[path].count - 1};
}

static int mark_own_choice(struct album *album, struct figure *figure)
{
    struct figure_mark *mark = dcpn_cli_album_allocate(album, 1, sizeof *mark);
    if (!mark) return dcpn_status_exit_code(DCPN_MEMORY);
    *mark = (struct figure_mark){
        dcpn_cli_point_at(album->results, album->choice)->lambda,
        album->results->cv && strcmp(album->results->cv->choice.rule, "1se") == 0 ? "1se here" : "best here"};
    figure->marks = mark;
    figure->mark_count = album->results->cv != NULL;
    return 0;
}

static int add_other(struct album *album, int64_t which, int is_first)
{
    const dcpn_path *path = &album->results->paths->paths[which];
    char *texts = dcpn_cli_album_allocate(album, 40 + DCPN_CLI_PATH_NAME_SIZE, 1);
    if (!texts) return dcpn_status_exit_code(DCPN_MEMORY);
    snprintf(texts, 40, "coefficients-%lld", (long long)which + 1);
    dcpn_cli_path_name(path, texts + 40);
    struct picture *picture = dcpn_cli_album_add(album, texts, texts + 40);
    picture->is_small = 1;
    if (is_first) picture->heading = "The other paths";
    album->choice = choice_on(album->results, which);
    int code = draw_path(album, picture);
    picture->figure.names_at_ends = 0;
    picture->figure.x_label = "\xCE\xBB (log scale)";
    if (!code) code = mark_own_choice(album, &picture->figure);
    snprintf(picture->caption, sizeof picture->caption, "%lld feature%s at the marked \xCE\xBB.",
             (long long)dcpn_cli_features_at(album->results, album->choice),
             dcpn_cli_plural(dcpn_cli_features_at(album->results, album->choice)));
    return code;
}

int dcpn_cli_album_add_other_paths(struct album *album)
{
    const struct choice shown = album->choice;
    int code = 0, added = 0;
    for (int64_t v = 0; v < album->results->paths->count && added < MOST_OTHERS && !code; v++) {
        if (v == shown.path || album->results->paths->paths[v].count < 2) continue;
        if (dcpn_cli_path_is_left_out(album->results, v, shown.path)) continue;
        code = add_other(album, v, added++ == 0);
        album->choice = shown;
    }
    return code;
}
