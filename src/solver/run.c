/* SPDX-License-Identifier: BSD-3-Clause */
/* Drives an algorithm. What is policy lives here: when to stop, limits, the clock, the observer, and the certificate
 * that is computed afresh at the end. What is mathematics lives in the algorithm. */
#include <math.h>
#include <string.h>

#include "transduction/start.h"
#include "base/clock.h"
#include "base/vector.h"
#include "solver/checkpoint.h"
#include "working_set/candidates.h"
#include "working_set/wide.h"
#include "solver/solver.h"

enum { CALM_WHERE_F_MAY_RISE = 3 }; /* iterations; as GIST's authors have it */

/* The scale of --tol: the slope of the penalty at 0, but no more than the largest slope of f at x = 0 (at the start,
 * for the caller's own f, which may not exist at 0). */
static double stationarity_scale(dcpn_solver *solver)
{
    struct algorithm *a = solver->algorithm;
    double slope = dcpn_penalty_reference_slope(&a->objective.penalty), largest = solver->slope_at_0;
    if (!(largest >= 0.0)) {
        if (!a->objective.loss.own) dcpn_fill(a->objective.size, 0.0, a->point.x);
        dcpn_point_evaluate(&a->objective, &a->point);
        dcpn_point_gradients(&a->objective, &a->point);
        largest = dcpn_norm_max(a->objective.size, a->point.gradient);
        if (!a->objective.loss.own) solver->slope_at_0 = largest;
    }
    if (slope > 0.0 && (largest >= slope || !(largest > 0.0))) return slope;
    return largest > 0.0 ? largest : 1.0;
}

static int out_of_time(const dcpn_solver *solver)
{
    return dcpn_clock_s() - solver->started_at >= solver->settings.max_time_s;
}

static int should_end(void *driver)
{
    dcpn_solver *solver = driver;
    if (solver->interrupted || out_of_time(solver)) solver->cut_short = 1;
    return solver->cut_short;
}

/* With what was done for this run before it. */
static void start_clock(dcpn_solver *solver)
{
    solver->started_at = dcpn_clock_s() - solver->annealing.time_s - solver->made_in_s;
    solver->made_in_s = 0.0;
}

static void begin(dcpn_solver *solver, int knows_u)
{
    struct algorithm *a = solver->algorithm, *method = solver->method;
    solver->result = (dcpn_result){
        .algorithm = method->ops->name,
        .metric = method->H ? method->H->ops->name : method->ops->assumes.H,
        .subsolver = method->subsolver ? method->subsolver->ops->name : "prox",
    };
    solver->cut_short = 0;
    a->objective.design.touched = 0;
    dcpn_objective_forget_product(&a->objective);
    if (solver->slope_at_0 < 0.0) dcpn_objective_forget(&a->objective); /* the data are new, or have changed */
    if (solver->active_set && solver->slope_at_0 < 0.0) dcpn_active_set_forget(solver->active_set);
    if (solver->slope_at_0 < 0.0) solver->escape.known_L = 0; /* annealing has had other weights */
    if (method->H) method->H->safeguards = method->H->careful = 0;
    dcpn_copy(a->objective.size, solver->start, a->point.x);
    solver->result.stationarity_goal = solver->settings.tol * stationarity_scale(solver);
    a->goal = method->goal = method->relative_goal > 0.0 ? 0.0 : solver->result.stationarity_goal;
    dcpn_copy(a->objective.size, solver->start, a->point.x);
    for (int64_t j = 0; a->objective.penalty.lower && j < a->objective.size; j++)
        a->point.x[j] = dcpn_penalty_clamp(&a->objective.penalty, j, a->point.x[j]);
    a->should_end = method->should_end = should_end;
    a->driver = method->driver = solver;
    if (method->subsolver) {
        method->subsolver->should_end = should_end;
        method->subsolver->driver = solver;
    }
    if (solver->short_list) solver->search->part = DCPN_SEARCH_NONE;
    a->knows_u = a->same_f = knows_u;
    if (knows_u) dcpn_point_value(&a->objective, &a->point);
    a->ops->start(a);
    a->is_afresh = 1;
}

static int observed_interrupt(dcpn_solver *solver)
{
    const struct algorithm *a = solver->algorithm;
    dcpn_progress progress = {
        .k = solver->result.iterations,
        .objective = a->point.value,
        .stationarity = a->stationarity,
        .decrease = a->direction.D,
        .step = a->search.t,
        .nonzeros = dcpn_count_nonzeros(a->objective.features, a->point.x),
        .inner_iterations = a->direction.iterations,
        .passes = solver->share * dcpn_design_passes(&a->objective.design),
        .time_s = dcpn_clock_s() - solver->started_at,
    };
    int asked = solver->observer && solver->observer(solver->observer_user, &progress);
    return asked || solver->interrupted;
}

/* Did F change by little, and not just in passing from falling to rising? */
static int is_calm(const dcpn_solver *solver, double change)
{
    struct algorithm *a = solver->algorithm;
    int is_small = fabs(change) <= solver->settings.relative_tol * fabs(a->point.value - change);
    a->calm = is_small && solver->result.iterations > 0 ? a->calm + 1 : 0;
    return a->calm >= (a->ops->may_rise && a->nonmonotone ? CALM_WHERE_F_MAY_RISE : 1);
}

static int is_done(dcpn_solver *solver)
{
    struct algorithm *a = solver->algorithm;
    return dcpn_short_list_is_done(solver) && (!a->ops->is_done || a->ops->is_done(a));
}

/* 1, with the outcome set, if x_k is the last point. `change` is F(x_k) - F(x_{k-1}). */
static int finished(dcpn_solver *solver, double change)
{
    struct algorithm *a = solver->algorithm;
    const dcpn_settings *s = &solver->settings;
    dcpn_result *result = &solver->result;
    int by_change = strcmp(s->stop, "relative-change") == 0;
    int64_t limit = solver->method->ops->counts_convex_problems && s->dc_max < s->max_iter ? s->dc_max : s->max_iter;
    int interrupted = observed_interrupt(solver);
    double goal = by_change ? 0.0 : result->stationarity_goal;
    if (a->stationarity <= goal && a->residual <= goal && is_done(solver))
        result->outcome = DCPN_CONVERGED;
    else if (by_change && is_calm(solver, change))
        result->outcome = DCPN_RELATIVE_CHANGE;
    else if (interrupted)
        result->outcome = DCPN_INTERRUPTED;
    else if (result->iterations >= limit)
        result->outcome = DCPN_MAX_ITERATIONS;
    else if (out_of_time(solver))
        result->outcome = DCPN_MAX_TIME;
    else
        return 0;
    return 1;
}

static dcpn_status step(dcpn_solver *solver, int *stepped)
{
    struct algorithm *a = solver->algorithm;
    *stepped = 1;
    a->is_afresh = 0;
    if (dcpn_short_list_has_step(solver)) return dcpn_short_list_step(solver);
    *stepped = a->ops->step(a);
    return DCPN_OK;
}

/* Iterates from a point that has been looked at to one that has been looked at. */
static dcpn_status iterate(dcpn_solver *solver, double change)
{
    struct algorithm *a = solver->algorithm;
    while (!finished(solver, change)) {
        dcpn_checkpoint_consider(solver, change);
        int stepped;
        DCPN_TRY(step(solver, &stepped));
        solver->result.inner_iterations += a->direction.iterations;
        solver->result.line_search_trials += a->search.trials;
        if (!stepped) {
            int stationary = a->stationarity <= solver->result.stationarity_goal;
            solver->result.outcome = stationary ? DCPN_CONVERGED : DCPN_STALLED;
            return DCPN_OK;
        }
        change = a->search.change;
        solver->result.iterations++;
        dcpn_algorithm_look(a);
    }
    dcpn_checkpoint_stop(solver, change);
    return DCPN_OK;
}

/* u = A x may have been carried along by updates; the certificate is computed afresh from x alone. */
static void certify(dcpn_solver *solver)
{
    struct algorithm *a = solver->algorithm;
    if (!a->is_afresh) {
        dcpn_point_evaluate(&a->objective, &a->point);
        dcpn_algorithm_look(a);
    }
    if (solver->result.outcome == DCPN_STALLED && a->stationarity <= solver->result.stationarity_goal)
        solver->result.outcome = DCPN_CONVERGED;
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
    const struct objective *F = &solver->algorithm->objective;
    const struct penalty *h = &F->penalty;
    if (!solver->has_classes || F->ridge > 0.0 || h->own || !has_tail(&F->loss.rows)) return 0;
    if (h->base_lambda > 0.0 && h->ops->slope(&h->shape, h->base_lambda, 1e300, DCPN_RIGHT) > 0.0) return 0;
    for (int64_t i = 0; i < F->rows; i++)
        if (solver->w[i] > 0.0 && !(solver->y[i] * solver->algorithm->point.u[i] > 0.0)) return 0;
    return 1;
}

/* A convex penalty leaves none beyond what the stationarity says. */
static int64_t count_escapes(dcpn_solver *solver)
{
    struct objective *F = &solver->algorithm->objective;
    int convex = dcpn_penalty_separable(&F->penalty) && !dcpn_penalty_has_h2(&F->penalty);
    if (!dcpn_moves_exists(F)) return convex && !dcpn_loss_has_phi2(&F->loss) ? 0 : -1;
    return dcpn_moves_count(&solver->escape, F, &solver->algorithm->point, solver->result.stationarity_goal);
}

/* Only of a run that has converged, and not where bounds or a factor per feature are the reason. */
static void explain_empty(dcpn_solver *solver)
{
    struct algorithm *a = solver->algorithm;
    const dcpn_result *result = &solver->result;
    int converged = result->outcome == DCPN_CONVERGED || result->outcome == DCPN_RELATIVE_CHANGE;
    if (!converged || result->nonzeros > 0 || a->objective.penalty.own) return;
    if (a->objective.glance) dcpn_point_all_gradients(&a->objective, &a->point);
    double slope = dcpn_penalty_reference_slope(&a->objective.penalty);
    double steepest = dcpn_norm_max(a->objective.features, a->point.gradient);
    if (steepest <= slope + result->stationarity_goal)
        dcpn_log(
            solver->context, DCPN_LOG_NOTE,
            "no feature is kept: the slope of the penalty at 0 is %.3g, and the loss nowhere falls faster than %.3g",
            slope, steepest);
}

static void conclude(dcpn_solver *solver)
{
    const struct algorithm *a = solver->algorithm;
    dcpn_result *result = &solver->result;
    result->loss_value = dcpn_objective_smooth(&a->objective, a->point.x, a->point.u);
    result->penalty_value = dcpn_penalty_value(&a->objective.penalty, a->point.x);
    result->objective = result->loss_value + result->penalty_value;
    result->stationarity = a->stationarity;
    result->nonzeros = dcpn_count_nonzeros(a->objective.features, a->point.x);
    result->safeguards = solver->method->H ? solver->method->H->safeguards : 0;
    result->passes = solver->share * dcpn_design_passes(&a->objective.design) + solver->annealing.passes;
    result->time_s = dcpn_clock_s() - solver->started_at;
    result->escape = count_escapes(solver);
    if (solver->standardized) dcpn_solver_to_given_scale(solver);
    if (solver->compact.column)
        dcpn_compact_scatter(&solver->compact, solver->coefficients ? solver->coefficients : a->point.x);
    if (solver->is_quiet) return;
    explain_empty(solver);
    if (falls_for_ever(solver))
        dcpn_log(solver->context, DCPN_LOG_WARNING,
                 "the model separates the two classes: with this penalty F has no minimiser and coefficients grow as "
                 "--tol shrinks; --ridge would bound them");
}

/* The gradients that the last run ended with are those of a start at its end: half a pass saved for each lambda. The first
 * short list is made of all of them, whatever has been glanced at before. */
static void look_at_start(dcpn_solver *solver, int knows_gradient)
{
    struct algorithm *a = solver->algorithm;
    if (solver->short_list && !a->objective.screen) {
        dcpn_point_all_gradients(&a->objective, &a->point);
        dcpn_algorithm_look_again(a);
        return;
    }
    if (!knows_gradient || a->objective.screen || a->objective.glance) { /* which knows what can stay */
        dcpn_algorithm_look(a);
        return;
    }
    dcpn_point_slopes(&a->objective, &a->point);
    dcpn_algorithm_look_again(a);
}

dcpn_status dcpn_descend(dcpn_solver *solver)
{
    struct algorithm *a = solver->algorithm;
    int knows_gradient = solver->knows_gradient && solver->slope_at_0 >= 0.0;
    int knows_u = knows_gradient && solver->knows_u;
    solver->knows_gradient = solver->knows_u = 0;
    double change;
    start_clock(solver);
    DCPN_TRY(dcpn_wide_start(solver));
    DCPN_TRY(dcpn_short_list_start(solver));
    begin(solver, knows_u);
    look_at_start(solver, knows_gradient);
    if (!isfinite(a->point.value) || !isfinite(a->stationarity))
        return dcpn_fail(solver->context, DCPN_DATA,
                         "the objective or its gradient is not finite at the start; are the data scaled sensibly?");
    DCPN_TRY(dcpn_checkpoint_start(solver, &change));
    do {
        DCPN_TRY(iterate(solver, change));
        certify(solver);
        change = 0.0;
    } while (solver->result.outcome == DCPN_CONVERGED && a->stationarity > solver->result.stationarity_goal);
    return DCPN_OK;
}

dcpn_status dcpn_solver_refuse_running(const dcpn_solver *solver, const char *what)
{
    if (!solver->is_running) return DCPN_OK;
    return dcpn_fail(solver->context, DCPN_USAGE,
                     "%s: found a solver that is running, expected one between two runs; let the observer end this one",
                     what);
}

static dcpn_status run(dcpn_solver *solver)
{
    DCPN_TRY(dcpn_anneal(solver));
    DCPN_TRY(dcpn_descend(solver));
    conclude(solver);
    return DCPN_OK;
}

dcpn_status dcpn_solver_run(dcpn_solver *solver)
{
    DCPN_NEED(NULL, solver);
    DCPN_TRY(dcpn_solver_refuse_running(solver, "run"));
    if (solver->checkpoint) dcpn_solver_forget(solver);
    solver->is_running = 1;
    dcpn_status status = run(solver);
    solver->is_running = solver->interrupted = 0;
    dcpn_checkpoint_end(solver);
    return status;
}

dcpn_status dcpn_solver_continue(dcpn_solver *solver)
{
    DCPN_NEED(NULL, solver);
    DCPN_TRY(dcpn_solver_refuse_running(solver, "run"));
    const struct algorithm *a = solver->algorithm;
    if (solver->result.outcome != DCPN_NOT_RUN) {
        dcpn_copy(a->objective.size, a->point.x, solver->start);
        solver->knows_gradient = 1;
        solver->has_start = 1;
    }
    return dcpn_solver_run(solver);
}
