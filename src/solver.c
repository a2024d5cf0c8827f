/* SPDX-License-Identifier: BSD-3-Clause */
/* The solver: puts the parts of an algorithm together, and drives it. What is policy lives here: when to stop, limits,
 * the clock, the observer. What is mathematics lives in the algorithm. */
#include "solver.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/vector.h"

/* ---- making ---- */

static double loss_parameter(const dcpn_loss_ops *loss, const dcpn_settings *settings)
{
    if (!loss || !loss->parameter) return 0.0;
    return strcmp(loss->parameter, "tau") == 0 ? settings->tau : settings->delta;
}

static void describe_loss(dcpn_solver *solver, struct objective *F)
{
    F->loss = (struct loss){
        .rows = {.ops = solver->parts.loss,
                 .rows = F->rows,
                 .parameter = loss_parameter(solver->parts.loss, &solver->settings),
                 .user = solver->problem->loss_user},
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
        .shape = {s->theta, s->a, s->gamma, s->p, s->eps, solver->problem->penalty_user},
        .base_lambda = s->lambda,
        .factors = solver->problem->factors,
        .features = F->features,
        .size = F->size,
    };
}

static void describe_matrix(dcpn_solver *solver, struct objective *F)
{
    const dcpn_problem *problem = solver->problem;
    F->design.A = problem->A;
    if (!problem->A) {
        dcpn_matrix_identity(&solver->identity, solver->context, problem->f->size);
        F->design.A = &solver->identity;
    } else if (solver->settings.intercept) {
        dcpn_matrix_with_ones(&solver->with_ones, problem->A);
        F->design.A = &solver->with_ones.base;
    }
}

static void describe_objective(dcpn_solver *solver)
{
    struct objective *F = &solver->algorithm.objective;
    describe_matrix(solver, F);
    F->rows = dcpn_problem_rows(solver->problem);
    F->features = dcpn_problem_features(solver->problem);
    F->size = F->features + (solver->settings.intercept ? 1 : 0);
    F->ridge = solver->settings.ridge;
    F->offset = solver->problem->offset;
    F->f1_apart = solver->parts.metric->f1_apart;
    describe_loss(solver, F);
    describe_penalty(solver, F);
}

static void *new_state(dcpn_context *context, size_t size)
{
    void *state = dcpn_allocate(context, size, 1);
    return state ? memset(state, 0, size) : NULL;
}

static dcpn_status make_parts(dcpn_solver *solver)
{
    struct algorithm *a = &solver->algorithm;
    a->ops = solver->parts.algorithm;
    a->H = new_state(solver->context, solver->parts.metric->state_size);
    a->subsolver = new_state(solver->context, solver->parts.subsolver->state_size);
    if (!a->H || !a->subsolver) return DCPN_MEMORY;
    a->H->ops = solver->parts.metric;
    a->H->objective = &a->objective;
    a->H->settings = (struct metric_settings){solver->settings.memory, solver->settings.majorize};
    a->H->size = a->objective.size;
    a->subsolver->ops = solver->parts.subsolver;
    a->subsolver->size = a->objective.size;
    a->direction_rule = (struct direction_rule){solver->settings.inner_tol, solver->settings.inner_max};
    a->alpha = solver->settings.alpha;
    a->majorize = solver->settings.majorize;
    return DCPN_OK;
}

static void lay_out(dcpn_solver *solver)
{
    struct algorithm *a = &solver->algorithm;
    int64_t rows = solver->parts.loss ? a->objective.rows : 0;
    solver->start = dcpn_arena_doubles(&solver->arena, a->objective.size);
    solver->y = dcpn_arena_doubles(&solver->arena, rows);
    solver->w = dcpn_arena_doubles(&solver->arena, rows);
    a->objective.loss.rows.y = solver->y;
    a->objective.loss.rows.w = solver->w;
    dcpn_objective_layout(&a->objective, &solver->arena);
    dcpn_point_layout(&a->objective, &a->point, &solver->arena);
    a->H->ops->layout(a->H, &solver->arena);
    a->subsolver->ops->layout(a->subsolver, &solver->arena);
    a->ops->layout(a, &solver->arena);
}

static dcpn_status build(dcpn_solver *solver)
{
    describe_objective(solver);
    DCPN_TRY(make_parts(solver));
    lay_out(solver);
    DCPN_TRY(dcpn_arena_allocate(solver->context, &solver->arena));
    lay_out(solver);
    dcpn_penalty_prepare(&solver->algorithm.objective.penalty);
    return dcpn_fill_targets(solver);
}

dcpn_status dcpn_solver_new(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                            dcpn_solver **solver)
{
    struct parts parts;
    *solver = NULL;
    DCPN_TRY(dcpn_settings_check(context, settings));
    DCPN_TRY(dcpn_combine(context, problem, settings, &parts));
    dcpn_solver *made = new_state(context, sizeof *made);
    if (!made) return DCPN_MEMORY;
    made->context = context;
    made->problem = problem;
    made->settings = *settings;
    made->parts = parts;
    dcpn_status status = build(made);
    if (status == DCPN_OK)
        *solver = made;
    else
        dcpn_solver_free(made);
    return status;
}

void dcpn_solver_free(dcpn_solver *solver)
{
    if (!solver) return;
    dcpn_arena_free(solver->context, &solver->arena);
    dcpn_free(solver->context, solver->algorithm.H);
    dcpn_free(solver->context, solver->algorithm.subsolver);
    dcpn_free(solver->context, solver);
}

dcpn_status dcpn_solver_set_start(dcpn_solver *solver, const double *coefficients, double intercept)
{
    struct objective *F = &solver->algorithm.objective;
    if (!dcpn_all_finite(F->features, coefficients) || !isfinite(intercept))
        return dcpn_fail(solver->context, DCPN_DATA, "start: found a coefficient that is not finite, expected numbers");
    dcpn_copy(F->features, coefficients, solver->start);
    if (F->size > F->features) solver->start[F->features] = intercept;
    return DCPN_OK;
}

void dcpn_solver_set_observer(dcpn_solver *solver, dcpn_observer *observer, void *user)
{
    solver->observer = observer;
    solver->observer_user = user;
}

/* ---- driving ---- */

/* The scale of --tol: the slope of the penalty at 0, but no more than the largest slope of f at x = 0 (at the start, for
 * the caller's own f, which may not exist at 0). */
static double stationarity_scale(dcpn_solver *solver)
{
    struct algorithm *a = &solver->algorithm;
    double slope = dcpn_penalty_reference_slope(&a->objective.penalty);
    if (!a->objective.loss.own) dcpn_fill(a->objective.size, 0.0, a->point.x);
    dcpn_point_evaluate(&a->objective, &a->point);
    dcpn_point_gradients(&a->objective, &a->point);
    double largest = dcpn_norm_max(a->objective.size, a->point.gradient);
    if (slope > 0.0 && (largest >= slope || !(largest > 0.0))) return slope;
    return largest > 0.0 ? largest : 1.0;
}

static void begin(dcpn_solver *solver)
{
    struct algorithm *a = &solver->algorithm;
    solver->started_at = dcpn_clock_s();
    solver->result = (dcpn_result){
        .algorithm = a->ops->name, .metric = a->H->ops->name, .subsolver = a->subsolver->ops->name};
    a->objective.design.touched = 0;
    a->H->safeguards = 0;
    dcpn_copy(a->objective.size, solver->start, a->point.x);
    solver->result.stationarity_goal = solver->settings.tol * stationarity_scale(solver);
    dcpn_copy(a->objective.size, solver->start, a->point.x);
    a->ops->start(a);
}

static int observed_interrupt(dcpn_solver *solver)
{
    const struct algorithm *a = &solver->algorithm;
    dcpn_progress progress = {
        .k = solver->result.iterations,
        .objective = a->point.value,
        .stationarity = a->stationarity,
        .decrease = a->direction.D,
        .step = a->search.t,
        .nonzeros = dcpn_count_nonzeros(a->objective.features, a->point.x),
        .inner_iterations = a->direction.iterations,
        .passes = dcpn_design_passes(&a->objective.design),
        .time_s = dcpn_clock_s() - solver->started_at,
    };
    return solver->observer && solver->observer(solver->observer_user, &progress);
}

/* 1, with the outcome set, if x_k is the last point. `change` is F(x_k) - F(x_{k-1}). */
static int finished(dcpn_solver *solver, double change)
{
    const struct algorithm *a = &solver->algorithm;
    const dcpn_settings *s = &solver->settings;
    dcpn_result *result = &solver->result;
    int by_change = strcmp(s->stop, "relative-change") == 0, stepped = result->iterations > 0;
    int interrupted = observed_interrupt(solver);
    if (a->stationarity <= (by_change ? 0.0 : result->stationarity_goal))
        result->outcome = DCPN_CONVERGED;
    else if (by_change && stepped && fabs(change) <= s->relative_tol * fabs(a->point.value - change))
        result->outcome = DCPN_RELATIVE_CHANGE;
    else if (interrupted)
        result->outcome = DCPN_INTERRUPTED;
    else if (result->iterations >= s->max_iter)
        result->outcome = DCPN_MAX_ITERATIONS;
    else if (dcpn_clock_s() - solver->started_at >= s->max_time_s)
        result->outcome = DCPN_MAX_TIME;
    else
        return 0;
    return 1;
}

/* Iterates from a point that has been looked at to one that has been looked at. */
static void iterate(dcpn_solver *solver)
{
    struct algorithm *a = &solver->algorithm;
    double change = 0.0;
    while (!finished(solver, change)) {
        int stepped = a->ops->step(a);
        solver->result.inner_iterations += a->direction.iterations;
        solver->result.line_search_trials += a->search.trials;
        if (!stepped) {
            solver->result.outcome = DCPN_STALLED;
            return;
        }
        change = a->search.change;
        solver->result.iterations++;
        a->ops->look(a);
    }
}

/* u = A x is carried along by updates; the certificate is computed afresh from x alone. */
static void certify(dcpn_solver *solver)
{
    struct algorithm *a = &solver->algorithm;
    dcpn_point_evaluate(&a->objective, &a->point);
    a->ops->look(a);
}

/* Is the loss still above 0 on a row far on its right side? */
static int has_tail(const dcpn_loss *loss)
{
    const double one = 1.0, far_out = 100.0;
    dcpn_loss row = *loss;
    row.y = row.w = &one;
    return loss->ops->value(&row, 0, 1, &far_out) > 0.0;
}

/* A loss with a tail, a penalty that is flat far out, and all rows on their right side: F falls for ever. */
static int falls_for_ever(const dcpn_solver *solver)
{
    const struct objective *F = &solver->algorithm.objective;
    const struct penalty *h = &F->penalty;
    if (!solver->has_classes || F->ridge > 0.0 || h->own || !has_tail(&F->loss.rows)) return 0;
    if (h->base_lambda > 0.0 && h->ops->slope(&h->shape, h->base_lambda, 1e300, DCPN_RIGHT) > 0.0) return 0;
    for (int64_t i = 0; i < F->rows; i++)
        if (solver->w[i] > 0.0 && !(solver->y[i] * solver->algorithm.point.u[i] > 0.0)) return 0;
    return 1;
}

static void conclude(dcpn_solver *solver)
{
    const struct algorithm *a = &solver->algorithm;
    dcpn_result *result = &solver->result;
    result->loss_value = dcpn_objective_smooth(&a->objective, a->point.x, a->point.u);
    result->penalty_value = dcpn_penalty_value(&a->objective.penalty, a->point.x);
    result->objective = result->loss_value + result->penalty_value;
    result->stationarity = a->stationarity;
    result->nonzeros = dcpn_count_nonzeros(a->objective.features, a->point.x);
    result->safeguards = a->H->safeguards;
    result->passes = dcpn_design_passes(&a->objective.design);
    result->time_s = dcpn_clock_s() - solver->started_at;
    if (falls_for_ever(solver))
        dcpn_log(solver->context, DCPN_LOG_WARNING,
                 "the model separates the two classes: with this penalty F has no minimiser and coefficients grow as "
                 "--tol shrinks; --ridge would bound them");
}

dcpn_status dcpn_solver_run(dcpn_solver *solver)
{
    struct algorithm *a = &solver->algorithm;
    begin(solver);
    a->ops->look(a);
    if (!isfinite(a->point.value) || !isfinite(a->stationarity))
        return dcpn_fail(solver->context, DCPN_DATA,
                         "the objective or its gradient is not finite at the start; are the data scaled sensibly?");
    do {
        iterate(solver);
        certify(solver);
    } while (solver->result.outcome == DCPN_CONVERGED && a->stationarity > solver->result.stationarity_goal);
    conclude(solver);
    return DCPN_OK;
}

/* ---- asking ---- */

const dcpn_result *dcpn_solver_result(const dcpn_solver *solver)
{
    return &solver->result;
}

const double *dcpn_solver_coefficients(const dcpn_solver *solver)
{
    return solver->algorithm.point.x;
}

double dcpn_solver_intercept(const dcpn_solver *solver)
{
    const struct objective *F = &solver->algorithm.objective;
    return F->size > F->features ? solver->algorithm.point.x[F->features] : 0.0;
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
    return solver->algorithm.objective.features;
}

int64_t dcpn_solver_rows(const dcpn_solver *solver)
{
    return solver->algorithm.objective.rows;
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
