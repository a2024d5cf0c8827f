/* SPDX-License-Identifier: BSD-3-Clause */
/* A search descends many times, and of far more features than rows nearly none matters to any of these descents. So
 * all of them are done on a short list of columns, by a solver of its own:
 *     until x is stationary: the list is the support of x and the columns whose slopes are the steepest for their
 *         penalty; x <- descent from x on the list; one product A'r shows what the other columns think of it
 *     search on the last list; if it has found a lower point, x is that and is made stationary likewise
 * The list only proposes: a point is the last only if it is stationary on all columns. */
#include "working_set/candidates.h"

#include <math.h>

#include "base/clock.h"
#include "base/select.h"
#include "base/vector.h"
#include "working_set/wide.h"

enum {
    PER_ROW = 20,      /* columns of the list for each row, */
    LEAST = 1000,      /* but no fewer than these, */
    LARGEST_SHARE = 4, /* and no more than such a share of all: else it is not worth it */
    MOST_STEPS = 20,   /* on lists; what these have not settled is left to steps on all columns */
};

struct short_list {
    dcpn_solver *few;
    dcpn_problem problem; /* on the list */
    struct column_subset A;
    struct glance *glance;   /* at its columns; NULL: none */
    int64_t *columns, count; /* the list, ascending */
    double *factors, *lower, *upper;
    double *steepness; /* of all columns */
    int steps;
    int has_first, has_searched; /* the first descent, and the search */
};

static int64_t length_for(const struct objective *F)
{
    return PER_ROW * F->rows > LEAST ? PER_ROW * F->rows : LEAST;
}

static int pays(const dcpn_solver *s)
{
    const struct objective *F = &s->algorithm->objective;
    return s->search && !s->annealer && dcpn_can_shorten(s) && length_for(F) <= F->features / LARGEST_SHARE;
}

/* ---- making ---- */

static dcpn_status allocate_lists(dcpn_context *context, const struct penalty *h, struct short_list *list)
{
    size_t count = (size_t)list->count;
    list->columns = dcpn_allocate(context, count, sizeof *list->columns);
    list->factors = h->factors ? dcpn_allocate(context, count, sizeof *list->factors) : NULL;
    list->lower = h->lower ? dcpn_allocate(context, count, sizeof *list->lower) : NULL;
    list->upper = h->lower ? dcpn_allocate(context, count, sizeof *list->upper) : NULL;
    list->steepness = dcpn_allocate(context, (size_t)h->features, sizeof *list->steepness);
    int has_bounds = list->lower && list->upper;
    if (!list->columns || !list->steepness || (h->factors && !list->factors) || (h->lower && !has_bounds))
        return DCPN_MEMORY;
    for (int64_t k = 0; k < list->count; k++) list->columns[k] = k;
    return DCPN_OK;
}

/* The columns as the whole solver has them, standardised or not. */
static void describe_problem(const dcpn_solver *solver, struct short_list *list)
{
    dcpn_matrix_subset(&list->A, solver->standardized ? solver->standardized : solver->problem->A, list->columns);
    list->A.base.columns = list->count;
    list->A.base.entries = list->count * list->A.base.rows;
    list->problem = *solver->problem;
    list->problem.A = &list->A.base;
    list->problem.factors = list->factors;
    list->problem.lower = list->lower;
    list->problem.upper = list->upper;
}

/* If the whole solver glances at all columns, the one of the list does so at its own. */
static dcpn_status give_glance(const dcpn_solver *solver, struct short_list *list)
{
    struct byte_copy *coarse;
    if (!solver->glance) return DCPN_OK;
    DCPN_TRY(dcpn_byte_copy_room(solver->context, list->A.base.rows, list->count, &coarse));
    DCPN_TRY(dcpn_glance_new(solver->context, coarse, &list->glance));
    dcpn_solver_set_glance(list->few, list->glance);
    return DCPN_OK;
}

static dcpn_status make(dcpn_solver *solver)
{
    const struct objective *F = &solver->algorithm->objective;
    dcpn_settings settings = solver->settings;
    struct short_list *list = solver->short_list = dcpn_allocate(solver->context, 1, sizeof *list);
    if (!list) return DCPN_MEMORY;
    *list = (struct short_list){.count = length_for(F)};
    DCPN_TRY(allocate_lists(solver->context, &F->penalty, list));
    describe_problem(solver, list);
    settings.standardize = 0;
    DCPN_TRY(dcpn_solver_new(solver->context, &list->problem, &settings, &list->few));
    list->few->is_quiet = 1;
    return give_glance(solver, list);
}

void dcpn_short_list_free(dcpn_solver *solver)
{
    struct short_list *list = solver->short_list;
    if (!list) return;
    dcpn_solver_free(list->few);
    solver->search->part = DCPN_SEARCH_ALL; /* on all columns again */
    dcpn_glance_free(solver->context, list->glance);
    dcpn_free(solver->context, list->columns);
    dcpn_free(solver->context, list->factors);
    dcpn_free(solver->context, list->lower);
    dcpn_free(solver->context, list->upper);
    dcpn_free(solver->context, list->steepness);
    dcpn_free(solver->context, list);
    solver->short_list = NULL;
}

dcpn_status dcpn_short_list_start(dcpn_solver *solver)
{
    if (!pays(solver)) dcpn_short_list_free(solver);
    if (!pays(solver)) return DCPN_OK;
    dcpn_status status = solver->short_list ? DCPN_OK : make(solver);
    if (status != DCPN_OK) {
        dcpn_short_list_free(solver);
        return status;
    }
    struct short_list *list = solver->short_list;
    list->steps = list->has_first = list->has_searched = 0;
    return dcpn_solver_take_settings(list->few, &solver->settings);
}

void dcpn_short_list_interrupt(struct short_list *list)
{
    if (list->few) list->few->interrupted = 1;
}

/* ---- the list ---- */

/* |g_j| as a multiple of the slope of the penalty; infinite where that is 0, and for what is in use. */
static void fill_steepness(const struct algorithm *a, double *restrict steep)
{
    const double *restrict c = a->objective.penalty.c, *restrict x = a->point.x, *restrict g = a->point.gradient;
    for (int64_t j = 0; j < a->objective.features; j++)
        steep[j] = c[j] > 0.0 && x[j] == 0.0 ? fabs(g[j]) / c[j] : HUGE_VAL;
}

/* The steepest; of those that are equally so the first. */
static void choose_columns(struct short_list *list, const dcpn_solver *solver)
{
    const struct algorithm *a = solver->algorithm;
    int64_t features = a->objective.features, count = 0, ties = list->count;
    double *space = solver->active_set->violation, /* the next step on all columns fills it */
        *steep = list->steepness;
    fill_steepness(a, steep);
    dcpn_copy(features, steep, space);
    double least = dcpn_kth_largest(space, features, list->count);
    for (int64_t j = 0; j < features; j++) ties -= steep[j] > least;
    for (int64_t j = 0; j < features; j++)
        if (steep[j] > least || (steep[j] == least && ties-- > 0)) list->columns[count++] = j;
}

static void gather_problem(struct short_list *list, const struct penalty *h, struct glance *whole)
{
    for (int64_t k = 0; k < list->count; k++) {
        int64_t j = list->columns[k];
        if (list->factors) list->factors[k] = h->factors[j];
        if (list->lower) list->lower[k] = h->lower[j];
        if (list->upper) list->upper[k] = h->upper[j];
    }
    dcpn_solver_renew(list->few);
    dcpn_objective_forget(&list->few->algorithm->objective);
    dcpn_active_set_forget(list->few->active_set);
    list->few->escape.known_L = 0;
    if (!list->glance) return;
    dcpn_glance_renew(whole);
    dcpn_byte_copy_choose(list->glance->coarse, whole->coarse, list->columns);
}

/* ---- a step ---- */

static int holds_support(const struct short_list *list, const struct algorithm *a)
{
    return dcpn_count_nonzeros(a->objective.features, a->point.x) <= list->count;
}

int dcpn_short_list_has_step(const dcpn_solver *solver)
{
    const struct short_list *list = solver->short_list;
    return list && list->steps < MOST_STEPS && holds_support(list, solver->algorithm);
}

int dcpn_short_list_is_done(const dcpn_solver *solver)
{
    return !dcpn_short_list_has_step(solver) || solver->short_list->has_searched;
}

static void take_start(struct short_list *list, const struct algorithm *a)
{
    int64_t features = a->objective.features, size = a->objective.size;
    for (int64_t k = 0; k < list->count; k++) list->few->start[k] = a->point.x[list->columns[k]];
    dcpn_copy(size - features, a->point.x + features, list->few->start + list->count);
}

static void give_end(const struct short_list *list, struct algorithm *a)
{
    int64_t features = a->objective.features, size = a->objective.size;
    const struct point *end = &list->few->algorithm->point;
    for (int64_t k = 0; k < list->count; k++) a->point.x[list->columns[k]] = end->x[k];
    dcpn_copy(size - features, end->x + list->count, a->point.x + features);
}

/* The part of the search that the run on the list makes now. */
static enum search_part next_part(struct short_list *list, int is_stationary)
{
    if (!list->has_first) return DCPN_SEARCH_FIRST;
    if (!is_stationary || list->has_searched) return DCPN_SEARCH_NONE;
    list->has_searched = 1;
    return DCPN_SEARCH_REST;
}

static void limit_time(const dcpn_solver *solver, dcpn_solver *few)
{
    few->settings.max_time_s = fmax(solver->settings.max_time_s - (dcpn_clock_s() - solver->started_at), 0.0);
}

static dcpn_status run_on_list(dcpn_solver *solver, enum search_part part)
{
    struct short_list *list = solver->short_list;
    struct algorithm *a = solver->algorithm;
    dcpn_solver *few = list->few;
    take_start(list, a);
    limit_time(solver, few);
    few->search->part = part;
    few->slope_at_0 = solver->slope_at_0;
    DCPN_TRY(dcpn_descend(few));
    list->steps++;
    list->has_first = 1;
    a->direction.iterations = few->result.inner_iterations;
    a->search.trials = few->result.line_search_trials;
    a->objective.design.touched += few->algorithm->objective.design.touched;
    return DCPN_OK;
}

dcpn_status dcpn_short_list_step(dcpn_solver *solver)
{
    struct short_list *list = solver->short_list;
    struct algorithm *a = solver->algorithm;
    double before = a->point.value;
    enum search_part part = next_part(list, a->stationarity <= a->goal);
    if (part != DCPN_SEARCH_REST) {
        choose_columns(list, solver);
        gather_problem(list, &a->objective.penalty, solver->glance);
    }
    DCPN_TRY(run_on_list(solver, part));
    a->search.change = 0.0;
    if (!(list->few->algorithm->point.value < before)) return DCPN_OK;
    give_end(list, a);
    dcpn_point_evaluate(&a->objective, &a->point);
    a->search.change = a->point.value - before;
    a->is_afresh = 1;
    return DCPN_OK;
}
