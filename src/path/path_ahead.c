/* SPDX-License-Identifier: BSD-3-Clause */
/* Several lambdas at once. Where features are many and rows few, what a fit on all columns costs is looking at columns
 * that never matter. So a few lambdas are fitted on a short list of columns, those whose slopes at the last point are
 * not far below that of the penalty (the strong rule of Tibshirani et al., 2012), by a solver of its own. The rule is a
 * guess, and what it has left out is looked at afterwards: all columns at the last of these points, and those that may
 * matter at the others, are part of each certificate. The first point at which a column from outside the list violates
 * stationarity is fitted again on a list that has it, from where it is, and a new list begins there.
 *
 * The search for lower ends goes over such a list as well: of the columns that came near to mattering at some lambda and,
 * where these are few, as on a path that stays in a poor basin, of the steepest at its first point and at its last. An end
 * that columns from outside violate is descended from again, with a list that has them. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/select.h"
#include "base/vector.h"
#include "matrix/copy_rows.h"
#include "solver/null_model.h"
#include "working_set/left_out.h"
#include "path/path_fit.h"

enum {
    AT_ONCE = 8,       /* points */
    WIDE = 8,          /* times as many features as rows, */
    MANY = 500,        /* and so many at least */
    LARGEST_SHARE = 4, /* of the columns: a longer list is not worth it */
    PER_ROW = 10,      /* columns for each row that a search has at least */
};
static const double LEAST_STRONG = 0.4; /* of the slope of the penalty: a list does not go further down than this, */
static const double MOST_STRONG = 0.7;  /* and at least so far */

struct ahead {
    dcpn_solver *few;      /* on the list; NULL: none yet */
    struct arena spare;    /* the memory of the one before */
    struct glance *glance; /* of its; NULL: none */
    int64_t *columns;      /* the list */
    int64_t count;
    struct outside outside;
    double *rows;     /* slopes of the rows at these points, one after another */
    double *gradient; /* of all columns, at the last point; where it is far from mattering, an estimate */
    double *first;    /* the same at the first point */
};

static int pays(const struct fitting *f)
{
    const dcpn_solver *s = f->whole;
    const struct objective *F = &s->algorithm->objective;
    if (!s->active_set || s->search || s->annealer || s->compact.column || !f->paths->settings.screening) return 0;
    if (F->loss.own || !dcpn_penalty_separable(&F->penalty) || s->parts.balance) return 0;
    if (!dcpn_matrix_is_full(s->problem->A)) return 0;
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
    a->rows = dcpn_allocate(f->context, AT_ONCE * (size_t)F->rows, sizeof *a->rows);
    a->gradient = dcpn_allocate(f->context, (size_t)F->size, sizeof *a->gradient);
    a->first = dcpn_allocate(f->context, (size_t)F->size, sizeof *a->first);
    return a->columns && a->rows && a->gradient && a->first ? DCPN_OK : DCPN_MEMORY;
}

static void free_few(struct fitting *f)
{
    struct ahead *a = f->ahead;
    if (a->few) {
        a->spare = a->few->arena;
        a->few->arena = (struct arena){0};
    }
    dcpn_solver_free(a->few);
    dcpn_glance_free(f->context, a->glance);
    a->few = NULL;
    a->glance = NULL;
}

void dcpn_ahead_free(struct fitting *f)
{
    struct ahead *a = f->ahead;
    if (!a) return;
    free_few(f);
    dcpn_arena_free(f->context, &a->spare);
    dcpn_outside_free(&a->outside);
    dcpn_free(f->context, a->columns);
    dcpn_free(f->context, a->rows);
    dcpn_free(f->context, a->gradient);
    dcpn_free(f->context, a->first);
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

/* What the whole solver knows of the columns. */
static void give_squares(struct fitting *f)
{
    const struct column_squares *all = &f->whole->algorithm->objective.squares;
    struct column_squares *some = &f->ahead->few->algorithm->objective.squares;
    if (!all->known || !*all->known || !some->known) return;
    for (int64_t k = 0; k < f->ahead->count; k++) some->values[k] = all->values[f->ahead->columns[k]];
    if (f->whole->settings.intercept)
        some->values[f->ahead->count] = all->values[f->whole->algorithm->objective.features];
    *some->known = 1;
}

static dcpn_status give_glance(struct fitting *f)
{
    struct ahead *a = f->ahead;
    struct byte_copy *coarse;
    if (!dcpn_solver_can_glance(a->few)) return DCPN_OK;
    DCPN_TRY(dcpn_byte_copy_part(f->context, a->outside.known.copy, a->columns, a->count, &coarse));
    DCPN_TRY(dcpn_glance_new(f->context, coarse, &a->glance));
    dcpn_solver_set_glance(a->few, a->glance);
    return DCPN_OK;
}

/* The solver on the list, which is the one that the observer is told of from now on. */
static dcpn_status make_few(struct fitting *f)
{
    struct ahead *a = f->ahead;
    f->solver = f->whole;
    free_few(f);
    DCPN_TRY(dcpn_solver_new_on(f->context, f->problem, &f->whole->settings, a->columns, a->count, &a->spare, &a->few));
    a->few->is_quiet = 1;
    a->few->slope_at_0 = f->whole->slope_at_0;
    give_squares(f);
    dcpn_solver_set_observer(a->few, dcpn_path_observe, f);
    f->solver = a->few;
    return give_glance(f);
}

/* ---- the path ---- */

/* How many lambdas to do at once, and down to which share of the slope of the penalty columns are listed. */
static int64_t plan(const struct fitting *f, const dcpn_path *path, double *share)
{
    int64_t left = f->lambda_count - path->count, count = left < AT_ONCE ? left : AT_ONCE;
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
    dcpn_path_move(f, f->whole, path);
    DCPN_TRY(dcpn_path_fit_point(f, NULL, start, path));
    dcpn_copy(whole->objective.size, whole->point.gradient, f->ahead->gradient);
    return DCPN_OK;
}

static double *rows_at(const struct fitting *f, int64_t k)
{
    return f->ahead->rows + k * f->whole->algorithm->objective.rows;
}

/* The list, and all that is near, which has the columns that violate. */
static int lengthen_list(struct fitting *f)
{
    struct outside *o = &f->ahead->outside;
    for (int64_t j = 0; j < f->whole->algorithm->objective.features; j++) o->is_listed[j] |= o->is_near[j];
    return number_list(f->ahead, &f->whole->algorithm->objective);
}

/* By the columns of a longer list. */
static dcpn_status fit_longer(struct fitting *f, const dcpn_path_point *start, dcpn_path *path, int *is_good)
{
    struct ahead *a = f->ahead;
    dcpn_path_point *point = &path->points[path->count];
    DCPN_TRY(make_few(f));
    dcpn_path_move(f, a->few, path);
    DCPN_TRY(dcpn_path_fit_point(f, NULL, start, path));
    dcpn_outside_take(a->few, rows_at(f, 0));
    *is_good = dcpn_outside_look(&a->outside, rows_at(f, 0), point);
    dcpn_outside_slopes(&a->outside, a->gradient);
    return DCPN_OK;
}

/* What has been done for the point so far counts. */
static dcpn_status fit_again(struct fitting *f, dcpn_path *path, int64_t k)
{
    dcpn_path_point *point = &path->points[k], start = *point;
    int is_good = 1;
    f->done -= path->count - k;
    path->count = k;
    DCPN_TRY(lengthen_list(f) ? fit_longer(f, &start, path, &is_good) : fit_whole(f, &start, path));
    point->fit.passes += start.fit.passes;
    point->fit.time_s += start.fit.time_s;
    return is_good || point->fit.outcome != DCPN_CONVERGED ? DCPN_OK : fit_again(f, path, k);
}

/* The points from `first` on, the last of them before the others: what is read there says much of these. */
static dcpn_status certify(struct fitting *f, dcpn_path *path, int64_t first)
{
    struct ahead *a = f->ahead;
    dcpn_path_point *points = path->points + first;
    int64_t last = path->count - first - 1;
    int is_good[AT_ONCE] = {0};
    is_good[last] = dcpn_outside_look(&a->outside, rows_at(f, last), &points[last]);
    dcpn_outside_slopes(&a->outside, a->gradient);
    for (int64_t k = 0; k <= last && !f->is_stopped; k++) {
        if (k < last) is_good[k] = dcpn_outside_look(&a->outside, rows_at(f, k), &points[k]);
        if (!is_good[k]) return fit_again(f, path, first + k);
    }
    return DCPN_OK;
}

/* The first point is fitted on all columns. */
static void take_first(struct fitting *f)
{
    const struct algorithm *whole = f->whole->algorithm;
    dcpn_copy(whole->objective.size, whole->point.gradient, f->ahead->gradient);
    dcpn_copy(whole->objective.size, whole->point.gradient, f->ahead->first);
}

dcpn_status dcpn_ahead_fit(struct fitting *f, dcpn_path *path)
{
    struct ahead *a = f->ahead;
    double share;
    int is_short;
    int64_t first = path->count, count = plan(f, path, &share);
    if (first == 1) take_first(f);
    DCPN_TRY(list_strong(f, path, share, &is_short));
    if (!is_short) return fit_whole(f, NULL, path);
    DCPN_TRY(make_few(f));
    dcpn_path_move(f, a->few, path);
    for (int64_t k = 0; k < count; k++) {
        DCPN_TRY(dcpn_path_fit_point(f, NULL, NULL, path));
        dcpn_outside_take(a->few, rows_at(f, k));
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

/* Of the slope of the penalty; 0 if the column is near anyway. */
static double steepness(const struct ahead *a, const struct objective *F, const double *gradient, int64_t j)
{
    return a->outside.is_near[j] || F->penalty.c[j] == 0.0 ? 0.0 : fabs(gradient[j]) / F->penalty.c[j];
}

/* From now on `count` more columns are near, the steepest, and those that are as steep as the last of them. */
static void bring_near(struct fitting *f, const double *gradient, int64_t count)
{
    struct ahead *a = f->ahead;
    const struct objective *F = &f->whole->algorithm->objective;
    if (count < 1 || count > F->features) return;
    for (int64_t j = 0; j < F->features; j++) f->there[j] = steepness(a, F, gradient, j);
    double least = dcpn_kth_largest(f->there, F->features, count);
    for (int64_t j = 0; j < F->features; j++) {
        double steep = steepness(a, F, gradient, j);
        if (steep > 0.0 && steep >= least) a->outside.is_near[j] = 1;
    }
}

/* So many that a search has a choice. */
static int list_enough(struct fitting *f, const dcpn_path *path)
{
    int64_t wanted = PER_ROW * f->whole->algorithm->objective.rows;
    list_near(f, path);
    int64_t missing = wanted - f->ahead->count;
    bring_near(f, f->ahead->first, (missing + 1) / 2);
    bring_near(f, f->ahead->gradient, missing / 2);
    return list_near(f, path);
}

/* On more columns, or on all of them if that would be a long list, from where the present one is. */
static dcpn_status extend_list(struct fitting *f, const dcpn_path *path, double lambda, dcpn_solver **solver)
{
    int64_t features = dcpn_solver_features(*solver);
    double intercept = dcpn_solver_intercept(*solver);
    dcpn_copy(features, dcpn_solver_coefficients(*solver), f->there);
    for (int64_t j = 0; j < features; j++) f->ahead->outside.is_near[j] |= f->there[j] != 0.0;
    f->solver = f->whole;
    if (list_near(f, path))
        DCPN_TRY(make_few(f));
    else
        memset(f->ahead->outside.is_listed, 1, (size_t)features);
    *solver = f->solver;
    DCPN_TRY(dcpn_solver_set_lambda(*solver, lambda));
    return dcpn_solver_set_start(*solver, f->there, intercept);
}

struct lower_of {
    struct fitting *f;
    const dcpn_path *path;
};

static dcpn_status check_end(void *user, dcpn_path_point *point, dcpn_solver **solver, int *is_good)
{
    const struct lower_of *lower = user;
    struct fitting *f = lower->f;
    dcpn_outside_take(*solver, f->ahead->rows);
    *is_good = *solver == f->whole || dcpn_outside_look(&f->ahead->outside, f->ahead->rows, point);
    return *is_good ? DCPN_OK : extend_list(f, lower->path, point->lambda, solver);
}

dcpn_status dcpn_ahead_lower(struct fitting *f, const dcpn_path *like, dcpn_path *path)
{
    double until = f->started_at + path->settings.max_time_s;
    struct lower_of lower = {f, path};
    struct path_check check = {check_end, &lower};
    DCPN_TRY(dcpn_solver_set_lambda(f->whole, path->points[path->count - 1].lambda));
    f->solver = f->whole;
    if (path->count == 1) take_first(f); /* there was none to fit ahead of */
    if (!list_enough(f, path)) return dcpn_path_lower(f->whole, like, until, NULL, path);
    DCPN_TRY(make_few(f));
    return dcpn_path_lower(f->ahead->few, like, until, &check, path);
}
