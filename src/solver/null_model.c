/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a path starts: the model without features, its deviance, and the lambda from which on there is no other. */
#include "solver/null_model.h"

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "solver/checkpoint.h"
#include "dcpn/path.h"

static const double ALL_OUT = 1e100;  /* a lambda that keeps every penalised feature out */
static const double NULL_TOL = 1e-10; /* of the slope at 0: lambda_max inherits the error */
static const double FLAT = 0.1;       /* of the lambda_max that another constant sees */
static const double LINEAR = 1e-12;   /* of a slope: what rounding may make of a multiple */
enum { BISECTIONS = 200, DOUBLINGS = 1100 };

double dcpn_solver_weight(const dcpn_solver *solver)
{
    const double *weights = solver->problem->weights;
    int64_t rows = dcpn_problem_rows(solver->problem);
    double total = 0.0;
    for (int64_t i = 0; i < rows; i++) total += weights ? weights[i] : 1.0;
    return total;
}

double dcpn_solver_deviance(const dcpn_solver *solver, const double *u)
{
    double unit = strcmp(solver->settings.scale, "mean") == 0 ? solver->weight : 1.0;
    return 2.0 * unit * dcpn_loss_value(&solver->algorithm->objective.loss, u);
}

static void set_constant(const struct objective *F, double constant, double *u)
{
    for (int64_t i = 0; i < F->rows; i++) u[i] = constant + (F->offset ? F->offset[i] : 0.0);
}

/* The slope of phi, or of phi1 alone, in the intercept, with all coefficients 0. */
static double slope_at(const struct objective *F, int first_only, double intercept, double *u)
{
    int has_second = dcpn_loss_has_phi2(&F->loss) && !first_only;
    double sum = 0.0;
    set_constant(F, intercept, u);
    dcpn_loss_slope1(&F->loss, u, F->r);
    if (has_second) dcpn_loss_slope2(&F->loss, u, F->r2);
    for (int64_t i = 0; i < F->rows; i++) sum += has_second ? F->r[i] - F->r2[i] : F->r[i];
    return sum;
}

/* Steps that double until the slope changes its sign, then bisection. */
static double best_intercept(const struct objective *F, int first_only, double *u)
{
    double here = 0.0, slope = slope_at(F, first_only, 0.0, u), step = slope > 0.0 ? -1.0 : 1.0, there = step;
    if (slope == 0.0) return 0.0;
    for (int k = 0; k < BISECTIONS && slope_at(F, first_only, there, u) * slope > 0.0; k++) {
        here = there;
        there += step *= 2.0;
    }
    for (int k = 0; k < BISECTIONS; k++) {
        double middle = here + 0.5 * (there - here);
        if (middle == here || middle == there) break;
        *(slope_at(F, first_only, middle, u) * slope > 0.0 ? &here : &there) = middle;
    }
    return here;
}

double dcpn_solver_null_deviance(const dcpn_solver *solver, double *u)
{
    const struct objective *F = &solver->algorithm->objective;
    double intercept = F->size > F->features ? best_intercept(F, 0, u) : 0.0;
    set_constant(F, intercept, u);
    return dcpn_solver_deviance(solver, u);
}

static double slope0_of(const struct penalty *h, double lambda)
{
    return h->ops->slope0(&h->shape, lambda);
}

/* Where slope0, which ascends, is `slope`; it starts from where that would be if slope0 were linear. */
static double bisect_slope0(const struct penalty *h, double factor, double slope, double start)
{
    double low = isfinite(start) && start > 0.0 ? start : 1.0, high = low;
    for (int k = 0; k < DOUBLINGS && slope0_of(h, factor * low) >= slope; k++) low *= 0.5;
    for (int k = 0; k < DOUBLINGS && slope0_of(h, factor * high) < slope; k++) high *= 2.0;
    for (int k = 0; k < BISECTIONS; k++) {
        double middle = low + 0.5 * (high - low);
        if (middle == low || middle == high) break;
        *(slope0_of(h, factor * middle) < slope ? &low : &high) = middle;
    }
    return high;
}

/* The smallest lambda at which the slope of the penalty at 0 is so steep: a multiple of it for all but the caller's own. */
static double lambda_of_slope(const struct penalty *h, double factor, double slope)
{
    double lambda = slope / slope0_of(h, factor);
    if (!(slope > 0.0) || fabs(slope0_of(h, factor * lambda) - slope) <= LINEAR * slope) return lambda;
    return bisect_slope0(h, factor, slope, lambda);
}

static double smallest_lambda(const struct objective *F, const double *gradient)
{
    const struct penalty *h = &F->penalty;
    double largest = 0.0;
    for (int64_t j = 0; j < F->features; j++) {
        double factor = h->factors ? h->factors[j] : 1.0;
        double slope = dcpn_penalty_escape(h, j, 0.0, gradient[j], gradient[j]);
        if (factor > 0.0) largest = fmax(largest, lambda_of_slope(h, factor, slope));
    }
    return largest;
}

static void look_at(struct objective *F, struct point *point)
{
    dcpn_point_evaluate(F, point);
    dcpn_point_all_gradients(F, point);
}

/* A loss that ends flat on both sides, smooth-ramp, takes the intercept of two classes of unequal weight away to where no row
 * has a slope: a minimum of nothing, from which no feature is seen. There the constant of phi1 is the null model. */
static void leave_flat_place(dcpn_solver *solver, double *lambda_max)
{
    struct algorithm *a = solver->algorithm;
    struct objective *F = &a->objective;
    const dcpn_loss_ops *ops = solver->parts.loss;
    solver->null_is_flat = 0;
    if (!ops || !ops->flat_far_out || ops->targets != DCPN_CLASSES || F->size == F->features) return;
    dcpn_copy(F->size, a->point.x, solver->start);
    dcpn_fill(F->size, 0.0, a->point.x);
    solver->null_intercept = a->point.x[F->features] = best_intercept(F, 1, a->point.u);
    look_at(F, &a->point);
    double seen_there = smallest_lambda(F, a->point.gradient);
    solver->null_is_flat = *lambda_max < FLAT * seen_there;
    if (solver->null_is_flat) {
        *lambda_max = seen_there;
    } else {
        dcpn_copy(F->size, solver->start, a->point.x);
        look_at(F, &a->point);
    }
    dcpn_fill(F->size, 0.0, solver->start);
}

/* A checkpoint is of the run to come, or to go on. One that the observer asks for meanwhile takes its place. */
static dcpn_status run_without_checkpoint(dcpn_solver *solver)
{
    struct checkpoint *kept = solver->checkpoint;
    solver->checkpoint = NULL;
    dcpn_status status = dcpn_solver_run(solver);
    struct checkpoint *asked = solver->checkpoint;
    solver->checkpoint = kept;
    if (!asked) return status;
    dcpn_checkpoint_free(solver);
    solver->checkpoint = asked;
    return status;
}

dcpn_status dcpn_solver_lambda_max(dcpn_solver *solver, double *lambda_max)
{
    DCPN_NEED(NULL, solver);
    DCPN_NEED(solver->context, lambda_max);
    struct algorithm *a = solver->algorithm;
    double tol = solver->settings.tol;
    int is_quiet = solver->is_quiet, has_start = solver->has_start;
    *lambda_max = 0.0;
    DCPN_TRY(dcpn_solver_set_lambda(solver, ALL_OUT));
    dcpn_fill(a->objective.size, 0.0, solver->start);
    solver->knows_gradient = 0;
    solver->settings.tol = fmin(tol, NULL_TOL);
    solver->is_quiet = solver->has_start = solver->reads_all = 1;
    dcpn_status status = run_without_checkpoint(solver);
    solver->reads_all = 0;
    solver->settings.tol = tol;
    solver->is_quiet = is_quiet;
    solver->has_start = has_start;
    if (status != DCPN_OK) return status;
    *lambda_max = smallest_lambda(&a->objective, a->point.gradient);
    leave_flat_place(solver, lambda_max);
    return dcpn_solver_set_lambda(solver, *lambda_max);
}
