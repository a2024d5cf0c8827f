/* SPDX-License-Identifier: BSD-3-Clause */
/* The solver: puts the parts of an algorithm together in one block of memory. */
#include "solver/solver.h"

#include <math.h>
#include <string.h>

#include "working_set/active_set.h"
#include "transduction/start.h"
#include "base/clock.h"
#include "base/vector.h"
#include "solver/checkpoint.h"
#include "transduction/ridge_svm_dual.h"
#include "working_set/candidates.h"
#include "working_set/wide.h"

/* ---- making ---- */

static void describe_loss(dcpn_solver *solver, struct objective *F)
{
    F->loss = (struct loss){
        .rows = {.ops = solver->parts.loss,
                 .rows = F->rows,
                 .parameter = dcpn_loss_parameter(solver->parts.loss, &solver->settings),
                 .user = solver->problem->loss_user},
        .unlabelled = {.ops = solver->parts.unlabelled,
                       .rows = F->rows,
                       .parameter = dcpn_loss_parameter(solver->parts.unlabelled, &solver->settings)},
        .balance = {.ops = solver->parts.balance ? &dcpn_loss_squared : NULL, .rows = F->rows},
        .run_count = solver->parts.unlabelled ? dcpn_count_runs(solver->problem) : 0,
        .own = solver->parts.f,
        .threads = solver->context->threads,
    };
}

static void describe_penalty(dcpn_solver *solver, struct objective *F)
{
    const dcpn_settings *s = &solver->settings;
    F->penalty = (struct penalty){
        .ops = solver->parts.penalty,
        .own = solver->parts.h,
        .shape = dcpn_solver_shape(solver),
        .base_lambda = s->lambda,
        .factors = solver->problem->factors,
        .given_lower = solver->problem->lower,
        .given_upper = solver->problem->upper,
        .bound_scale = solver->scale,
        .features = F->features,
        .size = F->size,
    };
}

static void describe_matrix(dcpn_solver *solver, struct objective *F)
{
    const dcpn_problem *problem = solver->problem;
    const dcpn_matrix *A = solver->standardized ? solver->standardized : problem->A;
    F->design.A = A;
    if (!problem->A) {
        dcpn_matrix_identity(&solver->identity, solver->context, problem->f->size);
        F->design.A = &solver->identity;
    } else if (solver->settings.intercept) {
        dcpn_matrix_with_ones(&solver->with_ones, A);
        F->design.A = &solver->with_ones.base;
    }
    if (solver->parts.balance) {
        dcpn_matrix_with_row(&solver->with_row, F->design.A, solver->mean_row);
        F->design.A = &solver->with_row.base;
    }
}

static int is_clipped(const dcpn_settings *settings)
{
    return strcmp(settings->curvature, "clipped") == 0;
}

static void describe_objective(dcpn_solver *solver)
{
    struct objective *F = &solver->algorithm->objective;
    describe_matrix(solver, F);
    F->rows = dcpn_problem_rows(solver->problem) + solver->parts.balance;
    F->features = dcpn_problem_features(solver->problem);
    F->size = F->features + (solver->settings.intercept ? 1 : 0);
    F->ridge = solver->settings.ridge;
    F->offset = solver->problem->offset;
    int apart = solver->parts.metric && solver->parts.metric->f1_apart && !is_clipped(&solver->settings);
    F->f1_apart = apart && !solver->parts.active_set;
    solver->method->objective.f1_apart = apart;
    describe_loss(solver, F);
    describe_penalty(solver, F);
    F->wants_squares =
        dcpn_moves_exists(F) || (!F->loss.own && solver->parts.metric && solver->parts.metric->uses_squares &&
                                  F->design.A->ops->adjoint_and_curvatures);
}

static void add_state(dcpn_solver *solver, void *memory, size_t size)
{
    solver->states[solver->state_count++] = (struct solver_state){memory, size};
}

/* Cleared memory for a struct that a run changes. */
static void *new_state(dcpn_solver *solver, size_t size)
{
    size_t rounded = (size + 7) / 8 * 8;
    void *state = solver->state_count < DCPN_MOST_STATES ? dcpn_allocate(solver->context, rounded, 1) : NULL;
    if (!state) return NULL;
    add_state(solver, state, rounded);
    return memset(state, 0, rounded);
}

static dcpn_status make_metric(dcpn_solver *solver)
{
    struct algorithm *a = solver->method;
    if (!solver->parts.metric) return DCPN_OK;
    a->H = new_state(solver, solver->parts.metric->state_size);
    a->subsolver = new_state(solver, solver->parts.subsolver->state_size);
    if (!a->H || !a->subsolver) return DCPN_MEMORY;
    a->H->ops = solver->parts.metric;
    a->H->objective = &a->objective;
    a->H->settings =
        (struct metric_settings){solver->parts.memory, solver->settings.majorize, is_clipped(&solver->settings)};
    a->H->size = solver->algorithm->objective.size;
    a->subsolver->ops = solver->parts.subsolver;
    a->subsolver->size = solver->algorithm->objective.size;
    a->subsolver->extrapolates = solver->settings.extrapolate;
    if (solver->settings.gram)
        a->subsolver->most_in_matrix = dcpn_gram_most(solver->algorithm->objective.rows, a->subsolver->size);
    return DCPN_OK;
}

enum { FEW_INNER = 40, MOST_INNER = 200 };

/* The model of a non-convex F holds for a short way, however well it is solved. */
static int64_t most_inner(const dcpn_solver *solver)
{
    const struct parts *parts = &solver->parts;
    int sweeps = parts->algorithm == &dcpn_algorithm_dcpn && parts->metric == &dcpn_metric_hessian &&
                 parts->subsolver == &dcpn_subsolver_coordinate_descent;
    if (solver->settings.inner_max > 0) return solver->settings.inner_max;
    return sweeps && dcpn_penalty_has_h2(&solver->algorithm->objective.penalty) ? FEW_INNER : MOST_INNER;
}

int64_t dcpn_solver_limit_inner(dcpn_solver *solver, int64_t most)
{
    int64_t *limit =
        solver->active_set ? &solver->active_set->most_sweeps : &solver->method->direction_rule.max_iterations;
    int64_t before = *limit;
    *limit = most;
    return before;
}

static void set_rules(dcpn_solver *solver)
{
    struct algorithm *a = solver->method;
    double share = solver->settings.inner_tol > 0.0 || !solver->parts.metric ? solver->settings.inner_tol
                                                                             : solver->parts.metric->share;
    a->direction_rule = (struct direction_rule){share, most_inner(solver)};
    a->alpha = solver->settings.alpha;
    a->majorize = solver->settings.majorize;
    a->bends = is_clipped(&solver->settings);
    a->nonmonotone = solver->settings.nonmonotone;
    if (strcmp(solver->settings.stop, "relative-change") == 0) a->relative_goal = solver->settings.relative_tol;
}

/* What rows without a label add: where they are, and the row that holds their mean score near the mean label. */
static void lay_out_unlabelled(dcpn_solver *solver, struct objective *F)
{
    if (!solver->parts.unlabelled) return;
    F->loss.runs = solver->runs = dcpn_arena_integers(&solver->arena, F->loss.run_count);
    if (!solver->parts.balance) return;
    solver->with_row.row = solver->mean_row = dcpn_arena_doubles(&solver->arena, F->size);
    if (solver->problem->offset) F->offset = solver->offset = dcpn_arena_doubles(&solver->arena, F->rows);
}

static void lay_out_given(dcpn_solver *solver)
{
    struct algorithm *a = solver->algorithm;
    int64_t rows = solver->parts.loss ? a->objective.rows : 0;
    solver->start = dcpn_arena_doubles(&solver->arena, a->objective.size);
    solver->y = dcpn_arena_doubles(&solver->arena, rows);
    solver->w = dcpn_arena_doubles(&solver->arena, rows);
    lay_out_unlabelled(solver, &a->objective);
    solver->work_from = solver->arena.used;
    dcpn_loss *const tables[] = {&a->objective.loss.rows, &a->objective.loss.unlabelled, &a->objective.loss.balance};
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        tables[k]->y = solver->y;
        tables[k]->w = solver->w;
    }
}

void dcpn_solver_lay_out_work(dcpn_solver *solver)
{
    struct algorithm *a = solver->algorithm;
    dcpn_objective_layout(&a->objective, &solver->arena);
    dcpn_point_layout(&a->objective, &a->point, &solver->arena);
    dcpn_moves_layout(&solver->escape, &a->objective, &solver->arena);
    dcpn_algorithm_layout_parts(a, &solver->arena);
}

static void lay_out(dcpn_solver *solver)
{
    lay_out_given(solver);
    dcpn_solver_lay_out_work(solver);
}

/* Around what is driven so far. */
static dcpn_status wrap_active_set(dcpn_solver *solver)
{
    struct active_set *around = new_state(solver, sizeof *around);
    if (!around) return DCPN_MEMORY;
    around->algorithm.ops = &dcpn_active_set_ops;
    around->inner = solver->algorithm;
    solver->active_set = around;
    solver->algorithm = &around->algorithm;
    return DCPN_OK;
}

static int is_auto_search(const dcpn_settings *settings)
{
    return strcmp(settings->global, "auto") == 0;
}

static dcpn_status wrap_search(dcpn_solver *solver)
{
    struct global_search *around = new_state(solver, sizeof *around);
    if (!around) return DCPN_MEMORY;
    around->algorithm.ops = &dcpn_global_search_ops;
    around->local = solver->algorithm;
    around->escape = &solver->escape;
    around->drops_throughout = solver->parts.search == DCPN_SEARCH_PATH_AND_DROP;
    around->drops_at_last = around->drops_throughout || solver->parts.search == DCPN_SEARCH_PATH_THEN_DROP;
    around->keeps_to_start = is_auto_search(&solver->settings);
    solver->search = around;
    solver->algorithm = &around->algorithm;
    return DCPN_OK;
}

/* The method; around it, if wanted, an active set; around that a search. */
static dcpn_status make_algorithm(dcpn_solver *solver)
{
    solver->method = solver->algorithm = new_state(solver, solver->parts.algorithm->state_size);
    if (!solver->method) return DCPN_MEMORY;
    solver->method->ops = solver->parts.algorithm;
    if (solver->parts.active_set) DCPN_TRY(wrap_active_set(solver));
    return solver->parts.search == DCPN_SEARCH_OFF ? DCPN_OK : wrap_search(solver);
}

static dcpn_status restrict_to(dcpn_solver *solver, const int64_t *columns, int64_t count)
{
    const dcpn_problem *problem = solver->problem;
    solver->share = 1.0;
    if (!columns) {
        DCPN_TRY(dcpn_compact_problem(solver->context, problem, &solver->compact));
    } else {
        DCPN_TRY(dcpn_compact_columns(solver->context, problem, columns, count, &solver->compact));
        solver->share = (double)count / (double)problem->A->columns;
    }
    if (solver->compact.column) solver->problem = &solver->compact.problem;
    return DCPN_OK;
}

static dcpn_status build(dcpn_solver *solver, struct arena *spare)
{
    DCPN_TRY(make_algorithm(solver));
    if (solver->settings.standardize || dcpn_solver_has_far_columns(solver)) DCPN_TRY(dcpn_solver_standardize(solver));
    describe_objective(solver);
    set_rules(solver);
    DCPN_TRY(make_metric(solver));
    if (solver->active_set) {
        solver->active_set->capacity = dcpn_active_set_capacity(&solver->algorithm->objective);
        solver->active_set->keeps_products = solver->share < 1.0; /* the many descents of a path on a list */
    }
    lay_out(solver);
    DCPN_TRY(dcpn_arena_allocate(solver->context, &solver->arena, spare));
    lay_out(solver);
    dcpn_penalty_prepare(&solver->algorithm->objective.penalty);
    DCPN_TRY(dcpn_fill_targets(solver));
    DCPN_TRY(dcpn_annealer_new(solver));
    return dcpn_solver_keep_as_made(solver);
}

dcpn_status dcpn_solver_new_on(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                               const int64_t *columns, int64_t count, struct arena *spare, dcpn_solver **solver)
{
    struct parts parts;
    dcpn_settings standard = dcpn_settings_default();
    double begun_at = dcpn_clock_s();
    *solver = NULL;
    if (!problem) return dcpn_fail(context, DCPN_USAGE, "solver: found no problem (NULL)");
    if (!settings) settings = &standard;
    DCPN_TRY(dcpn_settings_check(context, settings));
    DCPN_TRY(dcpn_combine(context, problem, settings, &parts));
    dcpn_solver *made = dcpn_allocate(context, 1, sizeof *made);
    if (!made) return DCPN_MEMORY;
    *made = (dcpn_solver){.context = context,
                          .given = dcpn_problem_seen_by(problem, settings),
                          .settings = *settings,
                          .parts = parts,
                          .slope_at_0 = -1.0};
    made->problem = &made->given;
    add_state(made, &made->result, sizeof made->result);
    add_state(made, &made->escape, sizeof made->escape);
    dcpn_status status = restrict_to(made, columns, count);
    if (status == DCPN_OK) status = build(made, spare);
    if (status != DCPN_OK) {
        dcpn_solver_free(made);
        return status;
    }
    dcpn_log_parts(context, &made->parts);
    made->made_in_s = dcpn_clock_s() - begun_at;
    *solver = made;
    return DCPN_OK;
}

dcpn_status dcpn_solver_new(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                            dcpn_solver **solver)
{
    DCPN_NEED(context, context, solver);
    return dcpn_solver_new_on(context, problem, settings, NULL, 0, NULL, solver);
}

void dcpn_solver_free(dcpn_solver *solver)
{
    if (!solver) return;
    dcpn_solver_free_standardized(solver);
    dcpn_compact_free(solver->context, &solver->compact);
    dcpn_checkpoint_free(solver);
    dcpn_short_list_free(solver);
    dcpn_wide_free(solver);
    dcpn_ridge_svm_free(solver->annealer);
    dcpn_arena_free(solver->context, &solver->arena);
    if (solver->method) {
        dcpn_free(solver->context, solver->method->H);
        dcpn_free(solver->context, solver->method->subsolver);
    }
    dcpn_free(solver->context, solver->as_made);
    dcpn_free(solver->context, solver->search);
    dcpn_free(solver->context, solver->active_set);
    dcpn_free(solver->context, solver->method);
    dcpn_free(solver->context, solver);
}

dcpn_status dcpn_solver_set_start(dcpn_solver *solver, const double *coefficients, double intercept)
{
    DCPN_NEED(NULL, solver);
    DCPN_NEED(solver->context, coefficients);
    struct objective *F = &solver->algorithm->objective;
    solver->knows_gradient = 0;
    if (!dcpn_all_finite(dcpn_solver_features(solver), coefficients) || !isfinite(intercept))
        return dcpn_fail(solver->context, DCPN_DATA, "start: found a coefficient that is not finite, expected numbers");
    if (solver->compact.column)
        dcpn_compact_gather(&solver->compact, coefficients, solver->start);
    else
        dcpn_copy(F->features, coefficients, solver->start);
    if (F->size > F->features) solver->start[F->features] = intercept - solver->middle;
    if (solver->standardized) dcpn_solver_start_to_own_scale(solver);
    solver->has_start = 1;
    return DCPN_OK;
}

void dcpn_solver_start_at(dcpn_solver *solver, const int64_t *index, const double *value, int64_t count,
                          double intercept)
{
    const struct objective *F = &solver->algorithm->objective;
    const int64_t *column = solver->compact.column;
    int64_t k = 0;
    dcpn_fill(F->size, 0.0, solver->start);
    for (int64_t i = 0; i < count; i++) {
        while (column && k < F->features && column[k] < index[i]) k++;
        if (!column) k = index[i];
        if (k < F->features && (!column || column[k] == index[i])) solver->start[k] = value[i];
    }
    if (F->size > F->features) solver->start[F->features] = intercept - solver->middle;
    if (solver->standardized) dcpn_solver_start_to_own_scale(solver);
    solver->knows_gradient = solver->knows_u = 0;
    solver->has_start = 1;
}

int dcpn_solver_can_glance(const dcpn_solver *solver)
{
    const struct metric *H = solver->method->H;
    return solver->active_set && H && !H->ops->remembers_f;
}

void dcpn_solver_set_glance(dcpn_solver *solver, struct glance *glance)
{
    solver->algorithm->objective.glance = solver->active_set->algorithm.objective.glance = glance;
}

void dcpn_solver_set_observer(dcpn_solver *solver, dcpn_observer *observer, void *user)
{
    if (!solver) return;
    solver->observer = observer;
    solver->observer_user = user;
}

void dcpn_solver_interrupt(dcpn_solver *solver)
{
    if (!solver) return;
    solver->interrupted = 1;
    if (solver->short_list) dcpn_short_list_interrupt(solver->short_list);
}

/* ---- asking ---- */

const dcpn_result *dcpn_solver_result(const dcpn_solver *solver)
{
    return solver ? &solver->result : NULL;
}

const double *dcpn_solver_coefficients(const dcpn_solver *solver)
{
    if (!solver) return NULL;
    if (solver->compact.column) return solver->compact.coefficients;
    return solver->coefficients ? solver->coefficients : solver->algorithm->point.x;
}

double dcpn_solver_intercept(const dcpn_solver *solver)
{
    if (!solver) return (double)NAN;
    const struct objective *F = &solver->algorithm->objective;
    if (solver->coefficients) return solver->middle + solver->intercept;
    return solver->middle + (F->size > F->features ? solver->algorithm->point.x[F->features] : 0.0);
}

dcpn_context *dcpn_solver_context(const dcpn_solver *solver)
{
    return solver->context;
}

const dcpn_settings *dcpn_solver_settings(const dcpn_solver *solver)
{
    return &solver->settings;
}

int64_t dcpn_solver_features(const dcpn_solver *solver)
{
    return solver->compact.column ? solver->compact.features : solver->algorithm->objective.features;
}

int64_t dcpn_solver_rows(const dcpn_solver *solver)
{
    return solver->algorithm->objective.rows - solver->parts.balance;
}

int dcpn_solver_classes(const dcpn_solver *solver, double classes[2])
{
    classes[0] = solver->classes[0];
    classes[1] = solver->classes[1];
    return solver->has_classes;
}

const char *dcpn_solver_loss_name(const dcpn_solver *solver)
{
    return solver->parts.loss ? solver->parts.loss->name : "own";
}

const char *dcpn_solver_penalty_name(const dcpn_solver *solver)
{
    return solver->parts.penalty ? solver->parts.penalty->name : "own";
}
