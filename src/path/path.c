/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths: fits down a grid of lambdas by one plan per penalty, each from the solution before.
 *
 * The second dimension, if any, runs from the convex end: the first path warms itself up from lambda to lambda; on each
 * further one a fit starts from its own last point or from the solution at the same lambda on the path before,
 * whichever has the lower F. */
#include "path/fitting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/reduce.h"
#include "base/vector.h"

enum { DEFAULT_LIMIT = 200 };

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static int64_t convexity_limit(const dcpn_path_options *options, int64_t features)
{
    int64_t limit = options->convexity_limit ? options->convexity_limit : DEFAULT_LIMIT;
    if (limit < 0) limit = 0;
    return limit < features ? limit : features;
}

static int is_constant(const struct fitting *f, const double *y, double *label)
{
    const double *weights = f->request->problem->weights;
    double ends[2] = {(double)NAN, (double)NAN}; /* NaN counts as none */
    for (int64_t i = 0; i < dcpn_problem_rows(f->request->problem); i++) {
        if (weights && !(weights[i] > 0.0)) continue;
        ends[0] = fmin(ends[0], y[i]);
        ends[1] = fmax(ends[1], y[i]);
    }
    struct extent labels = dcpn_ranks_range(f->request->context, 2, ends, NULL, 0);
    *label = labels.least;
    return labels.least == labels.largest;
}

/* Do all rows with a weight, of all ranks, have the same label? The intercept then
 * explains everything, and lambda_max is 0 or a rounding error. */
static int find_only_label(const struct fitting *f, double *label)
{
    const dcpn_problem *problem = f->request->problem;
    const double *y = problem->responses.count ? problem->responses.Y : problem->y;
    int64_t responses = problem->responses.count ? problem->responses.count : 1;
    *label = (double)NAN;
    if (!y || !f->paths->settings.intercept || problem->offset) return 0;
    for (int64_t k = responses; k-- > 0;)
        if (!is_constant(f, y + k * dcpn_problem_rows(problem), label)) return 0;
    return 1;
}

/* Returns the least lambda as a share of the largest. With many classes each has only its share of the rows, and its
 * features enter at lambdas that are smaller by that factor. */
static double least_ratio(const struct fitting *f)
{
    double given = f->request->options->min_ratio, features = (double)dcpn_problem_features(f->request->problem);
    if (given > 0.0) return given;
    if (dcpn_problem_counted_rows(f->request->problem) > features) return PATH_TALL_RATIO;
    int64_t classes = f->plan->targets.are_responses ? 2 : f->plan->targets.scores;
    return PATH_WIDE_RATIO * 2.0 / fmax(2.0, (double)classes);
}

/* Sets the lambdas: the given ones, or a grid that is even in the logarithm and begins at lambda_max itself, without
 * rounding. */
static dcpn_status set_grid(struct fitting *f, double lambda_max)
{
    const dcpn_path_options *o = f->request->options;
    double ratio = least_ratio(f);
    if (o->lambdas) {
        dcpn_copy(f->walk.lambda_count, o->lambdas, f->walk.lambdas);
        qsort(f->walk.lambdas, (size_t)f->walk.lambda_count, sizeof *f->walk.lambdas, descending);
        return DCPN_OK;
    }
    double label;
    if (find_only_label(f, &label))
        return dcpn_fail(f->request->context, DCPN_DATA,
                         "labels: found %.10g in every row, expected different ones; the intercept explains it, and "
                         "nothing is left for features",
                         label);
    if (!isfinite(lambda_max))
        return dcpn_fail(
            f->request->context, DCPN_DATA,
            "path: the lambda at which no feature is kept: found %g, expected a finite number; are the data scaled "
            "sensibly?",
            lambda_max);
    if (!(lambda_max > 0.0))
        return dcpn_fail(f->request->context, DCPN_DATA,
                         "path: no feature changes the loss at x = 0, so that lambda_max is 0; are all features "
                         "constant or the penalty factors 0%s?",
                         strcmp(f->settings.loss, "welsch") == 0
                             ? ", or are the labels so far apart that --delta has to be larger"
                             : "");
    for (int64_t k = 0; k < f->walk.lambda_count; k++) {
        double share = f->walk.lambda_count > 1 ? (double)k / (double)(f->walk.lambda_count - 1) : 0.0;
        f->walk.lambdas[k] = k ? lambda_max * exp(share * log(ratio)) : lambda_max;
    }
    return DCPN_OK;
}

/* ---- a path ---- */

/* Finds the null model and sets the lambdas. A fold starts from the null model, too, like the path on all data: with
 * a loss that is not convex, x = 0 without an intercept may lead elsewhere. */
static dcpn_status set_lambdas(struct fitting *f)
{
    const dcpn_paths *like = f->request->like;
    struct workspace *all = f->levels.all;
    dcpn_fitting_begin(f);
    if (!like || !f->transduction) dcpn_null_model_find(all, &f->settings, &f->watch, &f->walk.null);
    dcpn_walk_note_point(f, all->algorithm->point.x);
    if (like) {
        const dcpn_path *other = &like->paths[f->path - f->paths->paths];
        f->walk.lambda_count = other->count;
        for (int64_t k = 0; k < other->count; k++) f->walk.lambdas[k] = other->points[k].lambda;
        return DCPN_OK;
    }
    f->path->lambda_max = f->walk.null.lambda_max;
    if (f->transduction) { /* that of the fit which the start comes from counts as well */
        struct targets targets;
        struct null_model null;
        DCPN_TRY(dcpn_transduction_targets(f->transduction, &f->watch, &targets));
        dcpn_workspace_use_targets(all, &targets);
        dcpn_null_model_find(all, &f->settings, &f->watch, &null);
        dcpn_workspace_use_targets(all, &f->plan->targets);
        dcpn_targets_free(&targets);
        f->path->lambda_max = fmax(f->path->lambda_max, null.lambda_max);
    }
    return dcpn_path_is_cut(f, DCPN_CONVERGED) ? DCPN_OK : set_grid(f, f->path->lambda_max);
}

/* Searches the path for lower ends, unless --global is off or makes every lambda search by itself. */
static dcpn_status search_path(struct fitting *f)
{
    const struct penalty *h = &f->levels.all->algorithm->objective.penalty;
    const dcpn_paths *like = f->request->like;
    int wanted = strcmp(f->paths->settings.global, "auto") == 0 && f->levels.all->active_set;
    if (dcpn_fitting_searches_always(f)) return dcpn_path_deepen(f);
    if (!wanted || h->own || !dcpn_penalty_has_h2(h)) return DCPN_OK;
    return dcpn_path_search(f, like ? &like->paths[f->path - f->paths->paths] : NULL);
}

/* Returns 1 if the path has its last point, and sets how it ended. */
static int has_ended(struct fitting *f)
{
    dcpn_path *path = f->path;
    if (path->count == f->walk.lambda_count) {
        path->end = DCPN_PATH_ALL;
        return 1;
    }
    if (dcpn_path_is_enough(f)) {
        path->end = DCPN_PATH_ALL; /* that are wanted */
        return 1;
    }
    if (dcpn_path_is_crowded(f, path))
        path->end = DCPN_PATH_CROWDED;
    else if (dcpn_path_is_noise(f))
        path->end = DCPN_PATH_NOISE;
    else if (dcpn_path_is_saturated(f, path))
        path->end = DCPN_PATH_SATURATED;
    else
        return 0;
    return 1;
}

static dcpn_status search_and_cut(struct fitting *f)
{
    if (f->path->kind != DCPN_PATH_LOCAL) DCPN_TRY(search_path(f));
    dcpn_path_cut_tail(f, f->path);
    if (dcpn_path_is_cut(f, f->watch.is_over ? f->watch.reason : DCPN_CONVERGED)) f->path->end = DCPN_PATH_INTERRUPTED;
    return DCPN_OK;
}

/* Copies the points of the plain descents, from which a search starts. In a fold the searched path may have fewer
 * points. */
static dcpn_status copy_points(struct fitting *f, const dcpn_path *local)
{
    const dcpn_paths *like = f->request->like;
    dcpn_path *path = f->path;
    int64_t most = like ? like->paths[path - f->paths->paths].count : local->count;
    int64_t count = local->count < most ? local->count : most;
    DCPN_TRY(dcpn_path_copy(f->request->context, local, count, dcpn_targets_constants(&f->plan->targets), path));
    f->done += path->count;
    return DCPN_OK;
}

static dcpn_status fit_searched(struct fitting *f, const dcpn_path *local)
{
    DCPN_TRY(copy_points(f, local));
    return local->end == DCPN_PATH_INTERRUPTED || f->path->count == 0 ? DCPN_OK : search_and_cut(f);
}

static dcpn_status fit_path(struct fitting *f, const dcpn_path *before)
{
    dcpn_path *path = f->path;
    const dcpn_paths *like = f->request->like;
    if (path->kind == DCPN_PATH_BY_SIZE) return dcpn_fit_by_size(f, like ? &like->paths[path - f->paths->paths] : NULL);
    if (path->kind == DCPN_PATH_SEARCHED) return fit_searched(f, path - 1);
    DCPN_TRY(set_lambdas(f));
    path->shape_unit = f->plan->shape_unit;
    size_t count = (size_t)f->walk.lambda_count, each = (size_t)dcpn_targets_constants(&f->plan->targets);
    path->points = dcpn_allocate(f->request->context, count, sizeof *path->points);
    if (each > 1) path->intercepts = dcpn_allocate(f->request->context, count * each, sizeof *path->intercepts);
    if (!path->points || (each > 1 && !path->intercepts)) return DCPN_MEMORY;
    f->walk.foreseen = 0.0;
    do {
        if (dcpn_path_is_cut(f, DCPN_CONVERGED)) return DCPN_OK;
        int in_batches = f->batch && !before && path->count > 0;
        DCPN_TRY(in_batches ? dcpn_batch_fit(f) : dcpn_fit_on_all(f, before, NULL));
        if (dcpn_path_is_cut(f, path->points[path->count - 1].fit.outcome)) return DCPN_OK;
    } while (!has_ended(f));
    return search_and_cut(f);
}

/* ---- all paths ---- */

/* Refuses a null deviance that is not finite, since the explained deviance is given as a share of it. */
static dcpn_status refuse_infinite_null(const struct fitting *f)
{
    if (isfinite(f->paths->null_deviance)) return DCPN_OK;
    return dcpn_fail(f->request->context, DCPN_DATA,
                     "the deviance of the model without features: found %g, expected a finite number; are the data "
                     "scaled sensibly?",
                     f->paths->null_deviance);
}

static void free_penalty(struct fitting *f)
{
    dcpn_batch_free(f);
    dcpn_path_free_points(f->request->context, &f->plain);
    dcpn_transduction_free(f->transduction);
    dcpn_levels_free(&f->levels);
    dcpn_plan_free(f->plan);
    f->levels = (struct levels){0};
    f->transduction = NULL;
    f->plan = NULL;
}

static void free_points(dcpn_context *context, struct walk *walk)
{
    dcpn_free(context, walk->here);
    dcpn_free(context, walk->earlier);
    dcpn_free(context, walk->space);
    walk->here = walk->earlier = walk->space = NULL;
}

/* Allocates the points of the walk. A plan can have fewer coefficients than the problem has features, or more if
 * columns are copied. */
static dcpn_status allocate_points(struct fitting *f)
{
    dcpn_context *context = f->request->context;
    struct walk *walk = &f->walk;
    int64_t features = dcpn_plan_features(f->plan) + 1, own = dcpn_plan_size(f->plan);
    size_t size = (size_t)(own > features ? own : features);
    free_points(context, walk);
    walk->here = dcpn_allocate(context, size, sizeof *walk->here);
    walk->earlier = dcpn_allocate(context, size, sizeof *walk->earlier);
    walk->space = dcpn_allocate(context, size, sizeof *walk->space);
    if (!walk->here || !walk->earlier || !walk->space) return DCPN_MEMORY;
    dcpn_fill((int64_t)size, 0.0, walk->here);
    dcpn_fill((int64_t)size, 0.0, walk->earlier);
    return DCPN_OK;
}

static dcpn_status make_penalty(struct fitting *f)
{
    int64_t fits = dcpn_path_lambda_count(f->request->options);
    DCPN_TRY(dcpn_plan_new(f->request->context, f->request->problem, &f->path->settings, fits, &f->plan));
    f->path->settings.sums = f->paths->settings.sums = f->plan->settings.sums;
    if (f->plan->targets.ordered.count) f->path->settings.intercept = f->paths->settings.intercept = 1;
    DCPN_TRY(allocate_points(f));
    dcpn_log_parts(f->request->context, &f->plan->parts);
    DCPN_TRY(dcpn_levels_new(f->plan, &f->levels));
    DCPN_TRY(dcpn_transduction_new(f->plan, &f->transduction));
    if (!f->request->like) DCPN_TRY(dcpn_path_describe_data(f));
    if (!f->request->like) DCPN_TRY(refuse_infinite_null(f));
    if (!f->request->like) DCPN_TRY(dcpn_path_take_deviations(f));
    DCPN_TRY(dcpn_batch_new(f));
    int leaves_out = !dcpn_fitting_searches_always(f) && !f->transduction;
    return leaves_out ? dcpn_give_slope_bounds(f->levels.all) : DCPN_OK;
}

/* Fits all paths of one penalty with one plan. */
static dcpn_status fit_penalty(struct fitting *f, int64_t first)
{
    f->path = &f->paths->paths[first];
    f->settings = f->path->settings;
    DCPN_TRY(make_penalty(f));
    DCPN_TRY(fit_path(f, NULL));
    for (int64_t v = first + 1; v < f->paths->count; v++) {
        if (strcmp(f->paths->paths[v].settings.penalty, f->path->settings.penalty) != 0) break;
        const dcpn_path *before = f->path->kind == DCPN_PATH_SEARCHED ? f->path - 1 : f->path;
        if (f->plain.count > 0) before = &f->plain;
        f->path = &f->paths->paths[v];
        f->settings = f->path->settings;
        DCPN_TRY(fit_path(f, before));
    }
    return DCPN_OK;
}

static dcpn_status allocate_lambdas(struct fitting *f)
{
    struct walk *walk = &f->walk;
    walk->lambdas = dcpn_allocate(f->request->context, (size_t)walk->lambda_count, sizeof *walk->lambdas);
    walk->work = dcpn_allocate(f->request->context, (size_t)walk->lambda_count, sizeof *walk->work);
    return walk->lambdas && walk->work ? DCPN_OK : DCPN_MEMORY;
}

static dcpn_status prepare(struct fitting *f)
{
    const dcpn_path_options *o = f->request->options;
    int64_t rows = dcpn_problem_rows(f->request->problem), features = dcpn_problem_features(f->request->problem);
    f->walk.lambda_count = dcpn_path_lambda_count(o);
    f->total = f->walk.lambda_count * f->paths->count;
    DCPN_TRY(allocate_lambdas(f));
    return dcpn_convexity_new(f->request->context, rows + 1, convexity_limit(o, features), &f->convexity);
}

/* Paths of one penalty stand side by side. */
static dcpn_status fit_all(struct fitting *f)
{
    dcpn_path *paths = f->paths->paths;
    f->watch.journal = &f->request->stream;
    for (int64_t v = 0; v < f->paths->count; v++) paths[v].end = DCPN_PATH_INTERRUPTED; /* until it has another end */
    for (int64_t v = 0; v < f->paths->count; v++) {
        if (v > 0 && strcmp(paths[v].settings.penalty, paths[v - 1].settings.penalty) == 0) continue;
        dcpn_status status = fit_penalty(f, v);
        free_penalty(f);
        if (status == DCPN_CANCELLED && f->paths->rows) break; /* what is there is kept */
        DCPN_TRY(status);
    }
    f->paths->time_s = dcpn_clock_s() - f->request->started_at;
    return dcpn_path_list_deviations(f);
}

static dcpn_status finish(struct fitting *f, dcpn_status status, dcpn_paths **paths)
{
    dcpn_context *context = f->request->context;
    dcpn_convexity_free(context, &f->convexity);
    dcpn_free(context, f->walk.lambdas);
    dcpn_free(context, f->walk.work);
    free_points(context, &f->walk);
    dcpn_free(context, f->deviation);
    if (status == DCPN_OK)
        *paths = f->paths;
    else
        dcpn_paths_free(f->paths);
    return status;
}

dcpn_status dcpn_paths_fit_by(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                              const dcpn_path_options *options, const struct journal_stream *stream, dcpn_paths **paths)
{
    const dcpn_problem seen = dcpn_problem_seen_by(problem, settings);
    struct path_request request = {.context = context,
                                   .problem = &seen,
                                   .options = options,
                                   .fold = -1,
                                   .started_at = dcpn_clock_s(),
                                   .stream = *stream};
    struct fitting f = {.request = &request};
    *paths = NULL;
    DCPN_TRY(dcpn_paths_plan(context, problem, settings, options, &f.paths));
    dcpn_status status = prepare(&f);
    if (status == DCPN_OK) status = fit_all(&f);
    return finish(&f, status, paths);
}

dcpn_status dcpn_paths_fit(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                           const dcpn_path_options *options, dcpn_paths **paths)
{
    const dcpn_path_options none = {0};
    const dcpn_settings standard = dcpn_settings_default();
    struct journal_key key;
    struct journal_stream stream = {0};
    DCPN_NEED(context, context, paths);
    *paths = NULL;
    DCPN_NEED(context, problem);
    if (!settings) settings = &standard;
    if (!options) options = &none;
    int is_saved = options->checkpoint || options->resume;
    dcpn_ranks_begin(context);
    if (is_saved) DCPN_TRY(dcpn_paths_key(context, problem, settings, options, &key));
    if (is_saved) DCPN_TRY(dcpn_paths_journal(context, options, &key, &stream.journal));
    dcpn_status status =
        dcpn_ranks_end(context, dcpn_paths_fit_by(context, problem, settings, options, &stream, paths));
    if (status == DCPN_OK) dcpn_journal_write(stream.journal);
    dcpn_journal_free(stream.journal);
    return status;
}

static dcpn_status prepare_like(struct fitting *f)
{
    const dcpn_paths *likes = f->request->like;
    for (int64_t v = 0; v < likes->count; v++) {
        const dcpn_path *like = &likes->paths[v];
        f->paths->paths[v] = (dcpn_path){.settings = like->settings,
                                         .kind = like->kind,
                                         .varying = like->varying,
                                         .value = like->value,
                                         .lambda_max = NAN};
        f->total += like->count;
        if (like->count > f->walk.lambda_count) f->walk.lambda_count = like->count;
    }
    return allocate_lambdas(f);
}

dcpn_status dcpn_paths_fit_like(dcpn_context *context, const dcpn_problem *problem, const struct like_request *asked,
                                dcpn_paths **paths)
{
    struct path_request request = {.context = context,
                                   .problem = problem,
                                   .options = asked->options,
                                   .like = asked->like,
                                   .fold = asked->fold,
                                   .started_at = asked->started_at,
                                   .stream = asked->stream,
                                   .end_path = asked->end_path,
                                   .user = asked->user};
    struct fitting f = {.request = &request};
    *paths = NULL;
    DCPN_TRY(dcpn_paths_new(context, &asked->like->settings, asked->like->count, &f.paths));
    dcpn_status status = prepare_like(&f);
    if (status == DCPN_OK) status = fit_all(&f);
    return finish(&f, status, paths);
}
