/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths: fits down a grid of lambdas by one solver per penalty, each from the solution before.
 *
 * The second dimension, if any, runs from the convex end: the first path warms itself up from lambda to lambda; on each
 * further one a fit starts from its own last point or from the solution at the same lambda on the path before, whichever
 * has the lower F. */
#include "path/path_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "transduction/start.h"
#include "base/clock.h"
#include "base/vector.h"
#include "matrix/copy_rows.h"
#include "solver/null_model.h"

enum { DEFAULT_LIMIT = 200, LEAST_POINTS = 5 };
static const double DEFAULT_SATURATION = 0.999;
static const double NO_CHANGE = 1e-5;     /* of the deviance explained, from one lambda to the next, */
static const double LITTLE_CHANGE = 1e-3; /* and over LEAST_POINTS of them */

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

int dcpn_path_observe(void *user, const dcpn_progress *progress)
{
    struct fitting *f = user;
    const dcpn_settings *s = dcpn_solver_settings(f->solver);
    dcpn_path_progress seen = {s->penalty, s->lambda, f->fold, f->done, f->total, *progress};
    if (f->options->observer && f->options->observer(f->options->user, &seen)) f->is_stopped = 1;
    return f->is_stopped;
}

static double saturation_of(const dcpn_path_options *options)
{
    return options->saturation > 0.0 ? options->saturation : DEFAULT_SATURATION;
}

static int64_t convexity_limit(const dcpn_path_options *options, int64_t features)
{
    int64_t limit = options->convexity_limit ? options->convexity_limit : DEFAULT_LIMIT;
    if (limit < 0) limit = 0;
    return limit < features ? limit : features;
}

/* One label in all rows, which the intercept is: lambda_max is then 0, or what rounding has left. */
static int has_one_label(const struct fitting *f)
{
    const double *y = f->problem->y;
    int64_t i = 1, rows = dcpn_problem_rows(f->problem);
    if (!y || !f->paths->settings.intercept || f->problem->offset) return 0;
    while (i < rows && y[i] == y[0]) i++;
    return i >= rows;
}

/* Given lambdas, or a grid that is even in the logarithm; the first is lambda_max itself, not its rounded image. */
static dcpn_status set_grid(struct fitting *f, double lambda_max)
{
    const dcpn_path_options *o = f->options;
    int64_t features = dcpn_problem_features(f->problem);
    double ratio = o->min_ratio > 0.0 ? o->min_ratio : dcpn_problem_rows(f->problem) > features ? 1e-4 : 1e-2;
    if (o->lambdas) {
        dcpn_copy(f->lambda_count, o->lambdas, f->lambdas);
        qsort(f->lambdas, (size_t)f->lambda_count, sizeof *f->lambdas, descending);
        return DCPN_OK;
    }
    if (has_one_label(f))
        return dcpn_fail(f->context, DCPN_DATA,
                         "labels: found %.10g in every row, expected different ones; the intercept explains it, and "
                         "nothing is left for features",
                         f->problem->y[0]);
    if (!(lambda_max > 0.0))
        return dcpn_fail(f->context, DCPN_DATA,
                         "path: no feature changes the loss at x = 0, so that lambda_max is 0; are all features "
                         "constant or the penalty factors 0%s?",
                         strcmp(f->solver->settings.loss, "welsch") == 0
                             ? ", or are the labels so far apart that --delta has to be larger"
                             : "");
    for (int64_t k = 0; k < f->lambda_count; k++) {
        double share = f->lambda_count > 1 ? (double)k / (double)(f->lambda_count - 1) : 0.0;
        f->lambdas[k] = k ? lambda_max * exp(share * log(ratio)) : lambda_max;
    }
    return DCPN_OK;
}

/* From the first point that is not convex on, the path is not looked at any more and counts as not convex. */
static void look_at_convexity(struct fitting *f, const dcpn_path *path, dcpn_path_point *point)
{
    const struct algorithm *a = f->solver->algorithm;
    const dcpn_path_point *last = path->count ? &path->points[path->count - 1] : NULL;
    point->convexity = NAN;
    point->is_locally_convex = -1;
    if (f->like) return;
    if (!dcpn_penalty_has_h2(&a->objective.penalty) && !dcpn_loss_has_phi2(&a->objective.loss)) {
        point->is_locally_convex = 1;
    } else if (last && last->is_locally_convex == 0) {
        point->is_locally_convex = 0;
    } else {
        point->convexity = dcpn_convexity_margin(&f->convexity, &a->objective, &a->point, f->here);
        if (!isnan(point->convexity)) point->is_locally_convex = point->convexity > 0.0;
    }
}

dcpn_status dcpn_path_fit_point(struct fitting *f, const dcpn_path *before, const dcpn_path_point *start,
                                dcpn_path *path)
{
    dcpn_path_point *point = &path->points[path->count];
    dcpn_solver *solver = f->solver;
    double lambda = f->lambdas[path->count];
    DCPN_TRY(dcpn_solver_set_lambda(solver, lambda));
    dcpn_path_note_point(f);
    if (!solver->annealer) dcpn_path_choose_start(f, before, path->count); /* else it finds the start of each */
    if (start) dcpn_path_start_at(path, start, solver);
    solver->settings.max_time_s = fmax(path->settings.max_time_s - (dcpn_clock_s() - f->started_at), 0.0);
    DCPN_TRY(dcpn_solver_run(solver));
    *point = (dcpn_path_point){.lambda = lambda, .fit = *dcpn_solver_result(solver)};
    point->deviance = dcpn_solver_deviance(solver, solver->algorithm->point.u);
    look_at_convexity(f, path, point);
    DCPN_TRY(dcpn_path_keep(f->context, path, point, solver));
    path->count++;
    f->done++;
    return DCPN_OK;
}

static int is_cut(const struct fitting *f, dcpn_outcome outcome)
{
    return f->is_stopped || outcome == DCPN_INTERRUPTED || outcome == DCPN_MAX_TIME;
}

/* The features in use could explain whatever there is: more than half of what rows and features allow. */
static int is_crowded(const struct fitting *f, const dcpn_path_point *point)
{
    int64_t rows = dcpn_problem_rows(f->problem), features = dcpn_problem_features(f->problem);
    return 2 * point->fit.nonzeros > (rows < features ? rows : features);
}

static double explained_at(const struct fitting *f, const dcpn_path_point *point)
{
    return 1.0 - point->deviance / f->paths->null_deviance;
}

/* Lambdas that were given are all done. */
static int may_end_early(const struct fitting *f)
{
    return !f->like && !f->options->lambdas && f->paths->null_deviance > 0.0 && saturation_of(f->options) < 1.0;
}

/* No more of the deviance is explained than at the lambda before. Penalties that are not convex have plateaus on which few
 * features are in use and more are to come: there many must be, and for a while. */
static int has_stalled(const struct fitting *f, const dcpn_path *path)
{
    const dcpn_path_point *last = &path->points[path->count - 1];
    int has_plateaus = dcpn_penalty_has_h2(&f->solver->algorithm->objective.penalty);
    if (path->count < LEAST_POINTS + has_plateaus || (has_plateaus && !is_crowded(f, last))) return 0;
    if (last->fit.nonzeros == 0) return 0; /* nothing is explained yet: rounding alone would tell */
    double explained = explained_at(f, last), before = explained_at(f, last - (has_plateaus ? LEAST_POINTS : 1));
    return explained - before < (has_plateaus ? LITTLE_CHANGE : NO_CHANGE) * explained;
}

/* As glmnet: nearly all of the deviance is explained, or no more of it than before. */
static int is_saturated(const struct fitting *f, const dcpn_path *path)
{
    if (!may_end_early(f)) return 0;
    return explained_at(f, &path->points[path->count - 1]) > saturation_of(f->options) || has_stalled(f, path);
}

int dcpn_path_is_over(const struct fitting *f, const dcpn_path *path)
{
    return is_cut(f, path->points[path->count - 1].fit.outcome) || is_saturated(f, path);
}

/* Through the lambdas of another path, and from the null model like that one: with a loss that is not convex x = 0 without
 * an intercept may lead elsewhere. */
static dcpn_status take_grid(struct fitting *f, const dcpn_path *like)
{
    double own;
    f->lambda_count = like->count;
    for (int64_t k = 0; k < like->count; k++) f->lambdas[k] = like->points[k].lambda;
    return f->whole->annealer ? DCPN_OK : dcpn_solver_lambda_max(f->whole, &own); /* which ends there */
}

/* From here on gradients are read where they matter; lambda_max wants all of them. */
static dcpn_status screen_columns(struct fitting *f)
{
    struct active_set *active_set = f->solver->active_set;
    if (!active_set || f->solver->search || !f->paths->settings.screening) return DCPN_OK;
    if (f->solver->annealer) return DCPN_OK; /* it changes the labels */
    struct objective *F = &active_set->algorithm.objective;
    if (!f->screen) DCPN_TRY(dcpn_screen_new(f->context, F, &f->screen));
    f->screen->is_known = 0;
    F->screen = f->screen;
    return DCPN_OK;
}

/* Unless --global is off, or searches at every lambda anyway. */
static dcpn_status lower_path(struct fitting *f, dcpn_path *path)
{
    const struct penalty *h = &f->whole->algorithm->objective.penalty;
    const dcpn_path *like = f->like ? &f->like->paths[path - f->paths->paths] : NULL;
    int wanted = strcmp(f->paths->settings.global, "auto") == 0 && f->whole->active_set && !f->whole->search;
    if (!wanted || !dcpn_penalty_separable(h) || !dcpn_penalty_has_h2(h)) return DCPN_OK;
    if (f->ahead) return dcpn_ahead_lower(f, like, path);
    return dcpn_path_lower(f->whole, like, f->started_at + path->settings.max_time_s, NULL, path);
}

static dcpn_status set_lambdas(struct fitting *f, dcpn_path *path)
{
    f->whole->algorithm->objective.screen = NULL;
    if (f->like) return take_grid(f, &f->like->paths[path - f->paths->paths]);
    DCPN_TRY(dcpn_annealed_lambda_max(f->whole, &path->lambda_max));
    return set_grid(f, path->lambda_max);
}

/* Lower ends at which nothing changes any more may have been found further up than where the path saturated. What was done
 * for the points behind counts as done for the last. */
static void cut_tail(const struct fitting *f, dcpn_path *path)
{
    dcpn_path upper = *path;
    if (!may_end_early(f)) return;
    for (upper.count = 1; upper.count < path->count && !has_stalled(f, &upper);) upper.count++;
    if (upper.count == path->count) return;
    dcpn_path_point *last = &path->points[upper.count - 1];
    for (int64_t k = upper.count; k < path->count; k++) {
        last->fit.passes += path->points[k].fit.passes;
        last->fit.time_s += path->points[k].fit.time_s;
    }
    path->count = upper.count;
    path->end = DCPN_PATH_SATURATED;
}

static dcpn_status fit_path(struct fitting *f, const dcpn_path *before, dcpn_path *path)
{
    f->solver = f->whole;
    DCPN_TRY(set_lambdas(f, path));
    DCPN_TRY(screen_columns(f));
    path->points = dcpn_allocate(f->context, (size_t)f->lambda_count, sizeof *path->points);
    if (!path->points) return DCPN_MEMORY;
    path->end = DCPN_PATH_INTERRUPTED;
    while (path->count < f->lambda_count) {
        if (is_cut(f, DCPN_CONVERGED)) return DCPN_OK;
        if (f->ahead && !before && path->count > 0)
            DCPN_TRY(dcpn_ahead_fit(f, path));
        else
            DCPN_TRY(dcpn_path_fit_point(f, before, NULL, path));
        if (is_cut(f, path->points[path->count - 1].fit.outcome)) return DCPN_OK;
        if (path->count == f->lambda_count || !is_saturated(f, path)) continue;
        path->end = DCPN_PATH_SATURATED;
        break;
    }
    if (path->end != DCPN_PATH_SATURATED) path->end = DCPN_PATH_ALL;
    DCPN_TRY(lower_path(f, path));
    cut_tail(f, path);
    return DCPN_OK;
}

/* The standard deviations that the solver has divided the columns by. */
static dcpn_status take_deviations(struct fitting *f)
{
    const dcpn_solver *solver = f->whole;
    int64_t features = dcpn_solver_features(solver);
    if (f->deviation || !solver->settings.standardize) return DCPN_OK;
    f->deviation = dcpn_allocate(f->context, (size_t)features, sizeof *f->deviation);
    if (!f->deviation) return DCPN_MEMORY;
    dcpn_fill(features, 1.0, f->deviation);
    for (int64_t k = 0; k < solver->algorithm->objective.features; k++)
        f->deviation[solver->compact.column ? solver->compact.column[k] : k] = solver->scale[k];
    return DCPN_OK;
}

/* Those of the features in use. */
static dcpn_status list_deviations(struct fitting *f)
{
    dcpn_paths *paths = f->paths;
    int64_t features = dcpn_problem_features(f->problem);
    if (!f->deviation) return DCPN_OK;
    dcpn_fill(features, 0.0, f->there);
    for (int64_t v = 0; v < paths->count; v++)
        for (int64_t k = 0; k < paths->paths[v].used; k++) f->there[paths->paths[v].index[k]] = 1.0;
    int64_t count = dcpn_count_nonzeros(features, f->there);
    paths->deviation_index = dcpn_allocate(f->context, (size_t)count, sizeof *paths->deviation_index);
    paths->deviation = dcpn_allocate(f->context, (size_t)count, sizeof *paths->deviation);
    if (!paths->deviation_index || !paths->deviation) return DCPN_MEMORY;
    for (int64_t j = 0; j < features; j++) {
        if (f->there[j] == 0.0) continue;
        paths->deviation_index[paths->deviation_count] = j;
        paths->deviation[paths->deviation_count++] = f->deviation[j];
    }
    return DCPN_OK;
}

/* What a file says of the data; any solver of the problem knows it. */
static void describe_data(struct fitting *f)
{
    dcpn_paths *paths = f->paths;
    const dcpn_solver *solver = f->solver;
    const dcpn_matrix *A = f->problem->A;
    if (paths->rows) return;
    paths->rows = A->rows;
    paths->has_offset = dcpn_problem_has_offset(f->problem);
    paths->has_own_loss = f->problem->loss != NULL;
    paths->has_own_penalty = f->problem->penalty || f->problem->h;
    paths->features = A->columns;
    paths->entries = A->entries;
    paths->is_dense = dcpn_matrix_is_full(A);
    paths->weight = dcpn_solver_weight(solver);
    paths->has_classes = dcpn_solver_classes(solver, paths->classes);
    paths->positives = paths->has_classes ? 0.0 : (double)NAN;
    for (int64_t i = 0; i < A->rows && paths->has_classes; i++)
        if (f->problem->y[i] == paths->classes[1])
            paths->positives += f->problem->weights ? f->problem->weights[i] : 1.0;
    paths->null_deviance = dcpn_solver_null_deviance(solver, f->u);
}

static void free_solvers(struct fitting *f)
{
    dcpn_ahead_free(f);
    dcpn_screen_free(f->context, f->screen);
    dcpn_solver_free(f->whole);
    f->screen = NULL;
    f->whole = f->solver = NULL;
}

/* All paths of one penalty, by one solver. */
static dcpn_status fit_penalty(struct fitting *f, int64_t first)
{
    dcpn_path *path = &f->paths->paths[first];
    DCPN_TRY(dcpn_solver_new(f->context, f->problem, &path->settings, &f->whole));
    f->solver = f->whole;
    f->whole->is_quiet = 1;
    dcpn_solver_set_observer(f->whole, dcpn_path_observe, f);
    if (!f->like) describe_data(f);
    dcpn_status status = f->like ? DCPN_OK : take_deviations(f);
    if (status == DCPN_OK) status = dcpn_ahead_new(f);
    if (status == DCPN_OK) status = fit_path(f, NULL, path);
    for (int64_t v = first + 1; status == DCPN_OK && v < f->paths->count; v++) {
        dcpn_path *next = &f->paths->paths[v];
        if (strcmp(next->settings.penalty, path->settings.penalty) != 0) break;
        status = dcpn_solver_set_shape(f->whole, next->varying, next->value);
        if (status == DCPN_OK) status = fit_path(f, next - 1, next);
    }
    free_solvers(f);
    return status;
}

static dcpn_status allocate_work(struct fitting *f)
{
    size_t size = (size_t)dcpn_problem_features(f->problem) + 1, rows = (size_t)dcpn_problem_rows(f->problem) + 1;
    f->lambdas = dcpn_allocate(f->context, (size_t)f->lambda_count, sizeof *f->lambdas);
    f->here = dcpn_allocate(f->context, size, sizeof *f->here);
    f->there = dcpn_allocate(f->context, size, sizeof *f->there);
    f->earlier = dcpn_allocate(f->context, size, sizeof *f->earlier);
    f->u = dcpn_allocate(f->context, rows, sizeof *f->u); /* one row more for the balance */
    return f->lambdas && f->here && f->there && f->earlier && f->u ? DCPN_OK : DCPN_MEMORY;
}

static dcpn_status prepare(struct fitting *f)
{
    const dcpn_path_options *o = f->options;
    int64_t rows = dcpn_problem_rows(f->problem), features = dcpn_problem_features(f->problem);
    f->lambda_count = dcpn_path_lambda_count(o);
    f->total = f->lambda_count * f->paths->count;
    DCPN_TRY(allocate_work(f));
    return dcpn_convexity_new(f->context, rows + 1, convexity_limit(o, features), &f->convexity);
}

/* Paths of one penalty stand side by side. */
static dcpn_status fit_all(struct fitting *f)
{
    const dcpn_path *paths = f->paths->paths;
    for (int64_t v = 0; v < f->paths->count; v++)
        if (v == 0 || strcmp(paths[v].settings.penalty, paths[v - 1].settings.penalty) != 0)
            DCPN_TRY(fit_penalty(f, v));
    f->paths->time_s = dcpn_clock_s() - f->started_at;
    return list_deviations(f);
}

static void release(struct fitting *f)
{
    free_solvers(f);
    dcpn_convexity_free(f->context, &f->convexity);
    dcpn_free(f->context, f->lambdas);
    dcpn_free(f->context, f->here);
    dcpn_free(f->context, f->there);
    dcpn_free(f->context, f->earlier);
    dcpn_free(f->context, f->u);
    dcpn_free(f->context, f->deviation);
}

static dcpn_status finish(struct fitting *f, dcpn_status status, dcpn_paths **paths)
{
    release(f);
    if (status == DCPN_OK)
        *paths = f->paths;
    else
        dcpn_paths_free(f->paths);
    return status;
}

dcpn_status dcpn_paths_fit(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                           const dcpn_path_options *options, dcpn_paths **paths)
{
    const dcpn_path_options none = {0};
    const dcpn_settings standard = dcpn_settings_default();
    struct fitting f = {.context = context, .options = options ? options : &none, .fold = -1};
    DCPN_NEED(context, context, paths);
    *paths = NULL;
    DCPN_NEED(context, problem);
    if (!settings) settings = &standard;
    const dcpn_problem seen = dcpn_problem_seen_by(problem, settings);
    f.problem = &seen;
    f.started_at = dcpn_clock_s();
    DCPN_TRY(dcpn_paths_plan(context, problem, settings, f.options, &f.paths));
    dcpn_status status = prepare(&f);
    if (status == DCPN_OK) status = fit_all(&f);
    return finish(&f, status, paths);
}

static dcpn_status prepare_like(struct fitting *f)
{
    for (int64_t v = 0; v < f->like->count; v++) {
        const dcpn_path *like = &f->like->paths[v];
        f->paths->paths[v] =
            (dcpn_path){.settings = like->settings, .varying = like->varying, .value = like->value, .lambda_max = NAN};
        f->total += like->count;
        if (like->count > f->lambda_count) f->lambda_count = like->count;
    }
    return allocate_work(f);
}

dcpn_status dcpn_paths_fit_like(dcpn_context *context, const dcpn_problem *problem, const dcpn_paths *like,
                                const dcpn_path_options *options, int64_t fold, double started_at, dcpn_paths **paths)
{
    struct fitting f = {.context = context,
                        .problem = problem,
                        .options = options,
                        .like = like,
                        .fold = fold,
                        .started_at = started_at};
    *paths = NULL;
    DCPN_TRY(dcpn_paths_new(context, &like->settings, like->count, &f.paths));
    dcpn_status status = prepare_like(&f);
    if (status == DCPN_OK) status = fit_all(&f);
    return finish(&f, status, paths);
}
