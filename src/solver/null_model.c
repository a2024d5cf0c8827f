/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a path starts: the model without features, its deviance, and the lambda from which on there is no other. */
#include "base/tuning.h"
#include "solver/solver.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/reduce.h"
#include "base/vector.h"
#include "dcpn/path.h"

double dcpn_deviance_at(const struct workspace *w, const double *u)
{
    double unit = strcmp(w->plan->settings.scale, "mean") == 0 ? w->plan->targets.weight : 1.0;
    const struct loss *loss = &w->algorithm->objective.loss;
    return 2.0 * unit * (dcpn_loss_value(loss, u) - dcpn_loss_least(loss));
}

/* The Brier score is known for labels -1 and 1, and not if sums are exact, since it would take another message. */
double dcpn_brier_at(const struct workspace *w, const double *u)
{
    const struct loss *loss = &w->algorithm->objective.loss;
    const dcpn_loss *rows = &loss->rows;
    double sum = 0.0, weight = 0.0;
    if (loss->own || loss->is_exact || loss->runs || !rows->ops->response.probability) return (double)NAN;
    for (int64_t i = 0; i < rows->rows; i++) {
        double r = rows->ops->response.probability(-rows->y[i] * u[i]), weight_of_row = rows->w ? rows->w[i] : 1.0;
        sum += weight_of_row * r * r;
        weight += weight_of_row;
    }
    return sum / weight;
}

/* Rows that have one constant: all of them, or those of a response. */
struct rows {
    int64_t begin, end;
};

static void set_constant(const struct objective *F, struct rows rows, double constant, double *u)
{
    for (int64_t i = rows.begin; i < rows.end; i++) u[i] = constant + (F->offset ? F->offset[i] : 0.0);
}

/* The slope of phi, or of phi1 alone, in the intercept, with all coefficients 0. */
static double slope_at(const struct objective *F, struct rows rows, int first_only, double intercept, double *u)
{
    int has_second = dcpn_loss_has_phi2(&F->loss) && !first_only;
    double sum = 0.0;
    set_constant(F, rows, intercept, u);
    if (rows.end - rows.begin < F->rows)
        dcpn_loss_slope1_of_rows(&F->loss, rows.begin, rows.end, u, F->r);
    else
        dcpn_loss_slope1(&F->loss, u, F->r);
    if (has_second) dcpn_loss_slope2(&F->loss, u, F->r2);
    if (F->loss.is_exact && has_second) dcpn_axpy(F->rows, -1.0, F->r2, F->r);
    if (F->loss.is_exact) return dcpn_ranks_sum_of(F->loss.context, F->rows, F->r);
    for (int64_t i = rows.begin; i < rows.end; i++) sum += has_second ? F->r[i] - F->r2[i] : F->r[i];
    return sum;
}

/* Steps that double until the slope changes its sign, then bisection. */
static double best_intercept(const struct objective *F, struct rows rows, int first_only, double *u)
{
    double here = 0.0, slope = slope_at(F, rows, first_only, 0.0, u), step = slope > 0.0 ? -1.0 : 1.0, there = step;
    if (slope == 0.0) return 0.0;
    for (int k = 0; k < NULL_BISECTIONS && slope_at(F, rows, first_only, there, u) * slope > 0.0; k++) {
        here = there;
        there += step *= 2.0;
    }
    for (int k = 0; k < NULL_BISECTIONS; k++) {
        double middle = here + 0.5 * (there - here);
        if (middle == here || middle == there) break;
        *(slope_at(F, rows, first_only, middle, u) * slope > 0.0 ? &here : &there) = middle;
    }
    return here;
}

/* F->r is scratch. */
static double weight_of_class(const struct objective *F, int64_t k)
{
    const dcpn_loss *loss = &F->loss.rows;
    const double *y = loss->y + k * loss->rows;
    if (!F->loss.is_exact) return dcpn_dot(loss->rows, loss->w, y);
    for (int64_t i = 0; i < loss->rows; i++) F->r[i] = loss->w[i] * y[i];
    return dcpn_ranks_sum_of(F->loss.context, loss->rows, F->r);
}

/* For many classes: the constant of each is the logarithm of its share, at which p is the share. */
static void set_shares(const struct objective *F, double *u)
{
    const dcpn_loss *loss = &F->loss.rows;
    for (int64_t k = 0; k < loss->width; k++) {
        double share = F->size > F->features ? weight_of_class(F, k) : 1.0;
        dcpn_fill(loss->rows, share > 0.0 ? log(share) : NULL_NO_SHARE, u + k * loss->rows);
    }
}

/* Descends with all features of some penalty left out. */
static void settle_constants(struct workspace *w, const dcpn_settings *settings, struct watch *watch)
{
    struct algorithm *a = w->algorithm;
    const dcpn_penalty_shape shape = dcpn_shape_of(w->plan, settings);
    dcpn_workspace_set_penalty(w, NULL_ALL_OUT, &shape);
    dcpn_fill(a->objective.size, 0.0, a->point.x);
    double goal = dcpn_workspace_goal(w, fmin(settings->tol, NULL_TOL));
    const struct effort effort = dcpn_effort_of(settings, w->plan, goal);
    dcpn_descend(a, &effort, watch);
}

/* Where rows share several constants and have offsets, the constants have no formula. */
static double deviance_of_constants(struct workspace *w)
{
    const dcpn_settings *settings = &w->plan->settings;
    struct watch watch = dcpn_watch_of(settings, w->plan, dcpn_clock_s());
    settle_constants(w, settings, &watch);
    dcpn_point_evaluate(&w->algorithm->objective, &w->algorithm->point);
    return dcpn_deviance_at(w, w->algorithm->point.u);
}

double dcpn_null_deviance(struct workspace *w)
{
    const struct objective *F = &w->algorithm->objective;
    int has_scores = dcpn_loss_has_scores(&F->loss);
    if (w->plan->targets.ordered.count || (has_scores && F->offset)) return deviance_of_constants(w);
    if (has_scores) {
        set_shares(F, w->algorithm->point.u);
        return dcpn_deviance_at(w, w->algorithm->point.u);
    }
    double *u = w->algorithm->point.u;
    int64_t responses = w->plan->targets.scores, count = F->rows / responses;
    if (responses > 1) dcpn_fill(F->rows, 0.0, u);
    for (int64_t k = 0; k < responses; k++) {
        const struct rows rows = {k * count, (k + 1) * count};
        double intercept = F->size > F->features ? best_intercept(F, rows, 0, u) : 0.0;
        set_constant(F, rows, intercept, u);
    }
    return dcpn_deviance_at(w, u);
}

static double slope0_of(const struct penalty *h, double lambda)
{
    return h->ops->slope0(&h->shape, lambda);
}

/* Finds the lambda at which slope0, which ascends with it, is `slope`. The search begins at `start`, which would be the
 * place if slope0 were linear. */
static double bisect_slope0(const struct penalty *h, double factor, double slope, double start)
{
    double low = isfinite(start) && start > 0.0 ? start : 1.0, high = low;
    for (int k = 0; k < NULL_DOUBLINGS && slope0_of(h, factor * low) >= slope; k++) low *= 0.5;
    for (int k = 0; k < NULL_DOUBLINGS && slope0_of(h, factor * high) < slope; k++) high *= 2.0;
    for (int k = 0; k < NULL_BISECTIONS; k++) {
        double middle = low + 0.5 * (high - low);
        if (middle == low || middle == high) break;
        *(slope0_of(h, factor * middle) < slope ? &low : &high) = middle;
    }
    return high;
}

/* Finds the smallest lambda at which the slope of the penalty at 0 is so large. The slopes of all penalties but the
 * caller's own are proportional to lambda. */
static double lambda_of_slope(const struct penalty *h, double factor, double slope)
{
    double lambda = slope / slope0_of(h, factor);
    if (!(slope > 0.0) || fabs(slope0_of(h, factor * lambda) - slope) <= NULL_LINEAR * slope) return lambda;
    return bisect_slope0(h, factor, slope, lambda);
}

static double steepness_at(struct penalty *h, double lambda, const double *gradient)
{
    h->base_lambda = lambda;
    dcpn_penalty_prepare(h);
    return h->composition->steepness(h, gradient);
}

/* Finds the lambda at which the steepness of a penalty of blocks, which falls with lambda, is 1. The slopes of all
 * penalties but the caller's own are proportional to lambda. */
static double smallest_lambda_of_blocks(struct penalty *h, const double *gradient)
{
    double lambda = steepness_at(h, 1.0, gradient), low = lambda, high = lambda;
    if (!(lambda > 0.0) || !isfinite(lambda)) return lambda;
    if (fabs(steepness_at(h, lambda, gradient) - 1.0) <= NULL_LINEAR) return lambda;
    for (int k = 0; k < NULL_DOUBLINGS && steepness_at(h, low, gradient) <= 1.0; k++) low *= 0.5;
    for (int k = 0; k < NULL_DOUBLINGS && steepness_at(h, high, gradient) > 1.0; k++) high *= 2.0;
    for (int k = 0; k < NULL_BISECTIONS; k++) {
        double middle = low + 0.5 * (high - low);
        if (middle == low || middle == high) break;
        *(steepness_at(h, middle, gradient) > 1.0 ? &low : &high) = middle;
    }
    return high;
}

/* Finds the smallest lambda at which the model without features is stationary. The penalty has to be prepared again
 * afterwards. */
static double smallest_lambda(struct objective *F, const double *gradient)
{
    struct penalty *h = &F->penalty;
    double largest = 0.0;
    if (h->composition) return smallest_lambda_of_blocks(h, gradient);
    for (int64_t j = 0; j < F->features; j++) {
        double factor = h->factors ? h->factors[j] : 1.0;
        if (!(factor > 0.0)) continue;
        double lambda = lambda_of_slope(h, factor, dcpn_penalty_escape(h, j, 0.0, gradient[j], gradient[j]));
        if (lambda > largest || isnan(lambda)) largest = lambda; /* NaN stays */
    }
    return largest;
}

static void look_at(struct workspace *w)
{
    dcpn_point_evaluate(&w->algorithm->objective, &w->algorithm->point);
    dcpn_look_at_all(w->look, &w->algorithm->objective, &w->algorithm->point);
}

/* A loss that ends flat on both sides, smooth-ramp, takes the intercept of two classes of unequal weight away to where
 * no row has a slope. F is stationary there, but no feature is seen from there. Then the constant of phi1 is the null
 * model. */
static void leave_flat_place(struct workspace *w, struct null_model *null)
{
    struct algorithm *a = w->algorithm;
    struct objective *F = &a->objective;
    const dcpn_loss_ops *ops = w->plan->parts.loss;
    if (!ops || !ops->flat_far_out || ops->targets != DCPN_CLASSES || F->size == F->features) return;
    double intercept = a->point.x[F->features];
    null->intercept = a->point.x[F->features] = best_intercept(F, (struct rows){0, F->rows}, 1, a->point.u);
    look_at(w);
    double seen_there = smallest_lambda(F, a->point.gradient);
    null->is_flat = null->lambda_max < NULL_FLAT * seen_there;
    if (null->is_flat) {
        null->lambda_max = seen_there;
        return;
    }
    a->point.x[F->features] = intercept;
    look_at(w);
}

void dcpn_null_model_find(struct workspace *w, const dcpn_settings *settings, struct watch *watch,
                          struct null_model *null)
{
    struct algorithm *a = w->algorithm;
    const dcpn_penalty_shape shape = dcpn_shape_of(w->plan, settings);
    *null = (struct null_model){0};
    settle_constants(w, settings, watch);
    look_at(w);
    null->lambda_max = smallest_lambda(&a->objective, a->point.gradient);
    leave_flat_place(w, null);
    dcpn_workspace_set_penalty(w, null->lambda_max, &shape);
}
