/* SPDX-License-Identifier: BSD-3-Clause */
/* Several lambdas at once. Where features are many and rows few, what a fit on all columns costs is looking at columns
 * that never matter. So a few lambdas are fitted on a short list of columns, those whose slopes at the last point are
 * not far below that of the penalty (the strong rule of Tibshirani et al., 2012), by a solver of its own. The rule is a
 * guess, and what it has left out is looked at afterwards: the slopes of all columns at all of these points, from one
 * reading of A, are part of each certificate. The first point at which a column from outside the list violates
 * stationarity is fitted again on all columns, from where it is, and a new list begins there.
 *
 * The search for lower ends goes over such a list as well: of the columns that came near to mattering at some lambda.
 * Ends that columns from outside violate are descended from again, with a list that has them. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/vector.h"
#include "matrix/copy_rows.h"
#include "null_model.h"
#include "outside.h"
#include "path_fit.h"

enum {
    WIDE = 8,          /* times as many features as rows, */
    MANY = 500,        /* and so many at least */
    LARGEST_SHARE = 4, /* of the columns: a longer list is not worth it */
    ROUNDS = 3,        /* of longer and longer lists */
};
static const double LEAST_STRONG = 0.4; /* of the slope of the penalty: a list does not go further down than this, */
static const double MOST_STRONG = 0.7;  /* and at least so far */

struct ahead {
    dcpn_solver *few; /* on the list; NULL: none yet */
    int64_t *columns; /* the list */
    int64_t count;
    struct outside outside;
    double *gradient;        /* of all columns, at the last point */
    dcpn_path_point *before; /* the points as they were before the search */
    unsigned char *is_open;  /* one per point: without a certificate */
};

static int pays(const struct fitting *f)
{
    const dcpn_solver *s = f->whole;
    const struct objective *F = &s->algorithm->objective;
    if (!s->active_set || s->search || s->annealer || s->compact.column || !f->paths->settings.screening) return 0;
    if (F->loss.own || !dcpn_penalty_separable(&F->penalty) || s->parts.balance) return 0;
    if (!dcpn_matrix_is_full(s->problem->A) || !s->problem->A->ops->adjoint_eight) return 0;
    return F->features >= MANY && F->features / WIDE >= F->rows;
}

dcpn_status dcpn_ahead_new(struct fitting *f)
{
    const struct objective *F = &f->whole->algorithm->objective;
    if (!pays(f)) return DCPN_OK;
    struct ahead *a = f->ahead = dcpn_allocate(f->context, 1, sizeof *a);
    if (!a) return DCPN_MEMORY;
    *a = (struct ahead){0};
    DCPN_TRY(dcpn_outside_new(f->whole, &a->outside));
    a->columns = dcpn_allocate(f->context, (size_t)F->features, sizeof *a->columns);
    a->gradient = dcpn_allocate(f->context, (size_t)F->size, sizeof *a->gradient);
    a->before = dcpn_allocate(f->context, (size_t)f->lambda_count, sizeof *a->before);
    a->is_open = dcpn_allocate(f->context, (size_t)f->lambda_count, 1);
    return a->columns && a->gradient && a->before && a->is_open ? DCPN_OK : DCPN_MEMORY;
}

void dcpn_ahead_free(struct fitting *f)
{
    struct ahead *a = f->ahead;
    if (!a) return;
    dcpn_solver_free(a->few);
    dcpn_outside_free(&a->outside);
    dcpn_free(f->context, a->columns);
    dcpn_free(f->context, a->gradient);
    dcpn_free(f->context, a->before);
    dcpn_free(f->context, a->is_open);
    dcpn_free(f->context, a);
    f->ahead = NULL;
}

/* ---- the list ---- */

static void list_support(struct ahead *a, const dcpn_path *path, const dcpn_path_point *point)
{
    for (int64_t k = 0; k < point->fit.nonzeros; k++) a->outside.is_listed[path->index[point->first + k]] = 1;
}

/* Also what is free of penalty. 0: the list is too long. */
static int number_list(struct ahead *a, const struct objective *F)
{
    a->count = 0;
    for (int64_t j = 0; j < F->features; j++) {
        if (F->penalty.c[j] == 0.0) a->outside.is_listed[j] = 1;
        if (a->outside.is_listed[j]) a->columns[a->count++] = j;
    }
    return a->count > 0 && a->count <= F->features / LARGEST_SHARE;
}

/* The solver on the list, which is the one that the observer is told of from now on. */
static dcpn_status make_few(struct fitting *f)
{
    struct ahead *a = f->ahead;
    f->solver = f->whole;
    dcpn_solver_free(a->few);
    a->few = NULL;
    DCPN_TRY(dcpn_solver_new_on(f->context, f->problem, &f->whole->settings, a->columns, a->count, &a->few));
    a->few->is_quiet = 1;
    a->few->slope_at_0 = f->whole->slope_at_0;
    dcpn_solver_set_observer(a->few, dcpn_path_observe, f);
    f->solver = a->few;
    return DCPN_OK;
}

/* ---- the path ---- */

/* How many lambdas to do at once, and down to which share of the slope of the penalty columns are listed. */
static int64_t plan(const struct fitting *f, const dcpn_path *path, double *share)
{
    int64_t left = f->lambda_count - path->count, count = left < DCPN_AT_ONCE ? left : DCPN_AT_ONCE;
    const double *next = f->lambdas + path->count, here = next[-1];
    while (count > 1 && 2.0 * next[count - 1] < (1.0 + LEAST_STRONG) * here) count--;
    *share = fmin(fmax(2.0 * next[count - 1] / here - 1.0, LEAST_STRONG), MOST_STRONG);
    return count;
}

static dcpn_status list_strong(struct fitting *f, const dcpn_path *path, double share, int *is_short)
{
    struct ahead *a = f->ahead;
    const struct objective *F = &f->whole->algorithm->objective;
    const dcpn_path_point *last = &path->points[path->count - 1];
    DCPN_TRY(dcpn_solver_set_lambda(f->whole, last->lambda));
    for (int64_t j = 0; j < F->features; j++) a->outside.is_listed[j] = fabs(a->gradient[j]) > share * F->penalty.c[j];
    list_support(a, path, last);
    *is_short = number_list(a, F);
    return DCPN_OK;
}

/* By all columns: from the last point, or from `start`, which is one that the list has led to. */
static dcpn_status fit_whole(struct fitting *f, const dcpn_path_point *start, dcpn_path *path)
{
    const struct algorithm *whole = f->whole->algorithm;
    DCPN_TRY(dcpn_path_move(f, f->whole, path));
    DCPN_TRY(dcpn_path_fit_point(f, NULL, start, path));
    dcpn_copy(whole->objective.size, whole->point.gradient, f->ahead->gradient);
    return DCPN_OK;
}

static dcpn_status fit_again(struct fitting *f, dcpn_path *path, int64_t k)
{
    dcpn_path_point start = path->points[k];
    f->done -= path->count - k;
    path->count = k;
    DCPN_TRY(fit_whole(f, &start, path));
    path->points[k].fit.passes += start.fit.passes;
    path->points[k].fit.time_s += start.fit.time_s;
    return DCPN_OK;
}

/* The points from `first` on. */
static dcpn_status certify(struct fitting *f, dcpn_path *path, int64_t first)
{
    struct ahead *a = f->ahead;
    int64_t count = path->count - first;
    int is_good[DCPN_AT_ONCE] = {0};
    dcpn_path_point *points[DCPN_AT_ONCE] = {NULL};
    for (int64_t k = 0; k < count; k++) points[k] = &path->points[first + k];
    dcpn_outside_read(&a->outside, points, count, is_good);
    for (int64_t k = 0; k < count && !f->is_stopped; k++)
        if (!is_good[k]) return fit_again(f, path, first + k);
    for (int64_t j = 0; j < f->whole->algorithm->objective.size; j++)
        a->gradient[j] = dcpn_outside_slope(&a->outside, j, count - 1);
    return DCPN_OK;
}

dcpn_status dcpn_ahead_fit(struct fitting *f, dcpn_path *path)
{
    struct ahead *a = f->ahead;
    const struct algorithm *whole = f->whole->algorithm;
    double share;
    int is_short;
    int64_t first = path->count, count = plan(f, path, &share);
    if (first == 1) dcpn_copy(whole->objective.size, whole->point.gradient, a->gradient);
    DCPN_TRY(list_strong(f, path, share, &is_short));
    if (!is_short) return fit_whole(f, NULL, path);
    DCPN_TRY(make_few(f));
    DCPN_TRY(dcpn_path_move(f, a->few, path));
    for (int64_t k = 0; k < count; k++) {
        DCPN_TRY(dcpn_path_fit_point(f, NULL, NULL, path));
        dcpn_outside_take(&a->outside, a->few, k);
        if (dcpn_path_is_over(f, path)) break;
    }
    return certify(f, path, first);
}

/* ---- the search ---- */

/* All that was near, and all that is in use. */
static int list_near(struct fitting *f, const dcpn_path *path)
{
    struct ahead *a = f->ahead;
    const struct objective *F = &f->whole->algorithm->objective;
    memcpy(a->outside.is_listed, a->outside.is_near, (size_t)F->features);
    for (int64_t k = 0; k < path->count; k++) list_support(a, path, &path->points[k]);
    return number_list(a, F);
}

static dcpn_status put_there(dcpn_solver *solver, const dcpn_path *path, const dcpn_path_point *point, double *x)
{
    DCPN_TRY(dcpn_solver_set_lambda(solver, point->lambda));
    dcpn_path_expand(path, point, dcpn_solver_features(solver), x);
    return dcpn_solver_set_start(solver, x, point->intercept);
}

static dcpn_status take_point(struct fitting *f, const dcpn_path *path, const dcpn_path_point *point, int64_t lane)
{
    dcpn_solver *few = f->ahead->few;
    struct algorithm *a = few->algorithm;
    DCPN_TRY(put_there(few, path, point, f->there));
    dcpn_copy(a->objective.size, few->start, a->point.x);
    dcpn_point_evaluate(&a->objective, &a->point);
    dcpn_outside_take(&f->ahead->outside, few, lane);
    return DCPN_OK;
}

static dcpn_status certify_some(struct fitting *f, dcpn_path *path, const int64_t *chosen, int64_t count)
{
    int is_good[DCPN_AT_ONCE] = {0};
    dcpn_path_point *points[DCPN_AT_ONCE] = {NULL};
    for (int64_t i = 0; i < count; i++) {
        points[i] = &path->points[chosen[i]];
        DCPN_TRY(take_point(f, path, points[i], i));
    }
    dcpn_outside_read(&f->ahead->outside, points, count, is_good);
    for (int64_t i = 0; i < count; i++) f->ahead->is_open[chosen[i]] = !is_good[i];
    return DCPN_OK;
}

/* Those that are open; returns, in *left, how many still are. */
static dcpn_status certify_open(struct fitting *f, dcpn_path *path, int64_t *left)
{
    int64_t chosen[DCPN_AT_ONCE], count = 0;
    *left = 0;
    for (int64_t k = 0; k < path->count; k++) {
        if (f->ahead->is_open[k]) chosen[count++] = k;
        if (count == 0 || (count < DCPN_AT_ONCE && k + 1 < path->count)) continue;
        DCPN_TRY(certify_some(f, path, chosen, count));
        for (int64_t i = 0; i < count; i++) *left += f->ahead->is_open[chosen[i]];
        count = 0;
    }
    return DCPN_OK;
}

/* Eight of those that are open, far apart: what is missing in the list there is missing for the others, too. Returns,
 * in *left, how many of them still are. */
static dcpn_status certify_sample(struct fitting *f, dcpn_path *path, int64_t *left)
{
    int64_t chosen[DCPN_AT_ONCE], open = 0, seen = 0, count = 0;
    for (int64_t k = 0; k < path->count; k++) open += f->ahead->is_open[k];
    for (int64_t k = 0; k < path->count; k++)
        if (f->ahead->is_open[k] && DCPN_AT_ONCE * seen++ / (open > 0 ? open : 1) >= count && count < DCPN_AT_ONCE)
            chosen[count++] = k;
    *left = 0;
    if (count > 0) DCPN_TRY(certify_some(f, path, chosen, count));
    for (int64_t i = 0; i < count; i++) *left += f->ahead->is_open[chosen[i]];
    return DCPN_OK;
}

/* From where the search has led to; the point before it if that comes to nothing. */
static dcpn_status descend_again(struct fitting *f, dcpn_solver *solver, dcpn_path *path, int64_t k)
{
    dcpn_path_point *point = &path->points[k], found = *point;
    f->solver = solver;
    DCPN_TRY(put_there(solver, path, point, f->there));
    if (solver == f->whole && f->screen) f->screen->is_known = 0;
    solver->settings.max_time_s = fmax(path->settings.max_time_s - (dcpn_clock_s() - f->started_at), 0.0);
    DCPN_TRY(dcpn_solver_run(solver));
    *point = f->ahead->before[k];
    f->ahead->is_open[k] = 0;
    if (solver->result.outcome == DCPN_CONVERGED && solver->result.objective < point->fit.objective) {
        point->fit = solver->result;
        point->deviance = dcpn_solver_deviance(solver, solver->algorithm->point.u);
        DCPN_TRY(dcpn_path_keep(f->context, path, point, solver));
        f->ahead->is_open[k] = solver != f->whole;
    }
    point->fit.passes = found.fit.passes + solver->result.passes;
    point->fit.time_s = found.fit.time_s + solver->result.time_s;
    return DCPN_OK;
}

static dcpn_status descend_open(struct fitting *f, dcpn_solver *solver, dcpn_path *path)
{
    for (int64_t k = 0; k < path->count; k++)
        if (f->ahead->is_open[k]) DCPN_TRY(descend_again(f, solver, path, k));
    return DCPN_OK;
}

/* Certificates for all points that the search has changed. */
static dcpn_status close_points(struct fitting *f, dcpn_path *path)
{
    struct ahead *a = f->ahead;
    int64_t left;
    for (int64_t k = 0; k < path->count; k++) a->is_open[k] = path->points[k].first != a->before[k].first;
    DCPN_TRY(certify_sample(f, path, &left));
    for (int round = 0; round < ROUNDS; round++) {
        if (left > 0 && !list_near(f, path)) break;
        if (left > 0) DCPN_TRY(make_few(f));
        if (left > 0) DCPN_TRY(descend_open(f, a->few, path));
        DCPN_TRY(certify_open(f, path, &left));
        if (left == 0) return DCPN_OK;
    }
    return descend_open(f, f->whole, path);
}

dcpn_status dcpn_ahead_lower(struct fitting *f, const dcpn_path *like, dcpn_path *path)
{
    double until = f->started_at + path->settings.max_time_s;
    DCPN_TRY(dcpn_solver_set_lambda(f->whole, path->points[path->count - 1].lambda));
    f->solver = f->whole;
    if (!list_near(f, path)) return dcpn_path_lower(f->whole, like, until, path);
    DCPN_TRY(make_few(f));
    memcpy(f->ahead->before, path->points, (size_t)path->count * sizeof *path->points);
    DCPN_TRY(dcpn_path_lower(f->ahead->few, like, until, path));
    return close_points(f, path);
}
