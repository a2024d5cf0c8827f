/* SPDX-License-Identifier: BSD-3-Clause */
/* h = h1 - h2 on the whole vector: separable from a scalar p, or the caller's own. */
#include "penalty/penalty.h"

#include <math.h>

#include "base/context.h"
#include "base/vector.h"
#include "penalty/scalar.h"

void dcpn_penalty_layout(struct penalty *penalty, struct arena *arena)
{
    penalty->lambda = dcpn_arena_doubles(arena, penalty->own ? 0 : penalty->size);
    penalty->c = dcpn_arena_doubles(arena, penalty->own ? 0 : penalty->size);
    int64_t bounds = !penalty->own && dcpn_penalty_bounded(penalty) ? penalty->size : 0;
    double *lower = dcpn_arena_doubles(arena, bounds), *upper = dcpn_arena_doubles(arena, bounds);
    penalty->lower = bounds ? lower : NULL;
    penalty->upper = bounds ? upper : NULL;
    penalty->trial = dcpn_arena_doubles(arena, penalty->own || penalty->composition ? penalty->size : 0);
    penalty->forward = dcpn_arena_doubles(arena, penalty->own ? penalty->size : 0);
    int64_t blocks = penalty->composition ? penalty->blocks.count : 0;
    penalty->blocks.lambda = dcpn_arena_doubles(arena, blocks);
    penalty->blocks.c = dcpn_arena_doubles(arena, blocks);
}

static double slope0_at(const struct penalty *penalty, double lambda)
{
    return lambda > 0.0 ? penalty->ops->slope0(&penalty->shape, lambda) : 0.0;
}

/* Without factors all features have one. */
static void prepare_slopes(struct penalty *penalty)
{
    dcpn_fill(penalty->features, penalty->base_lambda, penalty->lambda);
    dcpn_fill(penalty->features, slope0_at(penalty, penalty->base_lambda), penalty->c);
    for (int64_t j = 0; penalty->factors && j < penalty->features; j++) {
        penalty->lambda[j] = penalty->base_lambda * penalty->factors[j];
        penalty->c[j] = slope0_at(penalty, penalty->lambda[j]);
    }
}

void dcpn_penalty_prepare(struct penalty *penalty)
{
    if (penalty->own) return;
    if (penalty->composition)
        penalty->composition->prepare(penalty);
    else
        prepare_slopes(penalty);
    for (int64_t j = 0; penalty->lower && j < penalty->size; j++) {
        double scale = penalty->given.scale && j < penalty->features ? penalty->given.scale[j] : 1.0;
        int low = penalty->given.lower && j < penalty->features, high = penalty->given.upper && j < penalty->features;
        penalty->lower[j] = low ? penalty->given.lower[j] * scale : -HUGE_VAL;
        penalty->upper[j] = high ? penalty->given.upper[j] * scale : HUGE_VAL;
    }
}

double dcpn_penalty_concavity(const struct penalty *penalty, int64_t j)
{
    if (penalty->own || !penalty->ops->concavity) return NAN;
    if (penalty->composition && penalty->composition->takes_inner) return NAN; /* its coordinates are coupled */
    if (penalty->composition && penalty->composition->overlap == DCPN_OVERLAP_NESTED) return NAN; /* likewise */
    return penalty->lambda[j] > 0.0 ? penalty->ops->concavity(&penalty->shape, penalty->lambda[j]) : 0.0;
}

int dcpn_penalty_separable(const struct penalty *penalty)
{
    return !penalty->own && !penalty->composition;
}

int dcpn_penalty_has_separable_h1(const struct penalty *penalty)
{
    return !penalty->own && (!penalty->composition || penalty->composition->separable_h1);
}

double dcpn_penalty_reference_slope(const struct penalty *penalty)
{
    if (penalty->own || !(penalty->base_lambda > 0.0)) return 0.0;
    return penalty->ops->slope0(&penalty->shape, penalty->base_lambda);
}

dcpn_status dcpn_refuse_infinite_penalty(dcpn_context *context, const struct penalty *penalty)
{
    if (penalty->own) return DCPN_OK;
    double slope = dcpn_penalty_reference_slope(penalty);
    for (int64_t j = 0; j < penalty->features && isfinite(slope); j++) slope = penalty->c[j];
    if (isfinite(slope)) return DCPN_OK;
    return dcpn_fail(context, DCPN_USAGE,
                     "the slope of the penalty at 0: found %g at lambda %g, expected a finite number; lower lambda, a "
                     "factor, or how steep the shape makes it",
                     slope, penalty->base_lambda);
}

/* ---- separable ---- */

static double separable_value(const struct penalty *penalty, const double *x)
{
    double sum = 0.0;
    int64_t n = penalty->features;
    for (int64_t j = dcpn_next_nonzero(n, x, 0); j < n; j = dcpn_next_nonzero(n, x, j + 1))
        sum += dcpn_p_value(penalty, j, fabs(x[j]));
    return sum;
}

static double separable_h1_change(const struct penalty *penalty, const double *x, const double *d)
{
    double sum = 0.0;
    int64_t n = penalty->features;
    for (int64_t j = dcpn_next_nonzero(n, d, 0); j < n; j = dcpn_next_nonzero(n, d, j + 1))
        sum += penalty->c[j] * dcpn_absolute_change(x[j], d[j]);
    return sum;
}

static double separable_change(const struct penalty *penalty, const double *x, const double *d, double t)
{
    double sum = 0.0;
    int64_t n = penalty->features;
    for (int64_t j = dcpn_next_nonzero(n, d, 0); j < n; j = dcpn_next_nonzero(n, d, j + 1))
        sum += dcpn_p_change(penalty, j, fabs(x[j]), dcpn_absolute_change(x[j], t * d[j]));
    return sum;
}

/* The box holds 0, so that there is no way but towards it. */
static int is_at_edge(const struct penalty *penalty, int64_t j, double x)
{
    if (!penalty->lower) return 0;
    double lower = penalty->lower[j], upper = penalty->upper[j];
    return x > 0.0 ? x >= upper - DCPN_EDGE * fabs(upper) : x <= lower + DCPN_EDGE * fabs(lower);
}

/* At a kink of p (capped-l1 at theta) both one-sided slopes are tried: such a point is never a minimiser, and the side
 * with the larger violation is the one that leads away; of a box that ends there, the one that leads into it. */
static dcpn_side worse_side(const struct penalty *penalty, int64_t j, double x, double g)
{
    if (is_at_edge(penalty, j, x)) return DCPN_LEFT;
    double left = g + copysign(dcpn_p_slope(penalty, j, fabs(x), DCPN_LEFT), x);
    double right = g + copysign(dcpn_p_slope(penalty, j, fabs(x), DCPN_RIGHT), x);
    return fabs(left) > fabs(right) ? DCPN_LEFT : DCPN_RIGHT;
}

double dcpn_penalty_h2_slope(const struct penalty *penalty, int64_t j, double x, double g)
{
    if (x == 0.0 || !(penalty->lambda[j] > 0.0)) return 0.0; /* h2 is flat at 0: c is the slope of p there */
    double slope = dcpn_p_slope(penalty, j, fabs(x), worse_side(penalty, j, x, g));
    return copysign(penalty->c[j] - slope, x);
}

double dcpn_penalty_violation(const struct penalty *penalty, int64_t j, double x, double g)
{
    if (x == 0.0) return dcpn_penalty_violation_at_0(penalty, j, g);
    double slope = g + copysign(dcpn_p_slope(penalty, j, fabs(x), worse_side(penalty, j, x, g)), x);
    return dcpn_penalty_escape(penalty, j, x, slope, slope);
}

/* ---- the caller's own; an intercept, if any, follows the features and is free ---- */

static double own_value(const struct penalty *penalty, const double *x)
{
    const dcpn_regularizer *h = penalty->own;
    double h2 = dcpn_penalty_has_h2(penalty) ? h->value2(h->user, penalty->features, x) : 0.0;
    return h->value1(h->user, penalty->features, x) - h2;
}

static const double *own_trial(const struct penalty *penalty, const double *x, const double *d, double t)
{
    dcpn_copy(penalty->features, x, penalty->trial);
    dcpn_axpy(penalty->features, t, d, penalty->trial);
    return penalty->trial;
}

static void own_prox1(const struct penalty *penalty, const double *x, double step, double *out)
{
    penalty->own->prox1(penalty->own->user, penalty->features, x, step, out);
    for (int64_t j = penalty->features; j < penalty->size; j++) out[j] = x[j];
}

/* ---- all of them ---- */

double dcpn_penalty_value(const struct penalty *penalty, const double *x)
{
    if (penalty->composition) return penalty->composition->value(penalty, x);
    return penalty->own ? own_value(penalty, x) : separable_value(penalty, x);
}

double dcpn_penalty_h1_change(const struct penalty *penalty, const double *x, const double *d)
{
    const dcpn_regularizer *h = penalty->own;
    if (dcpn_penalty_has_separable_h1(penalty)) return separable_h1_change(penalty, x, d);
    if (penalty->composition) return penalty->composition->h1_change(penalty, x, d);
    const double *end = own_trial(penalty, x, d, 1.0);
    return h->value1(h->user, penalty->features, end) - h->value1(h->user, penalty->features, x);
}

double dcpn_penalty_change(const struct penalty *penalty, const double *x, const double *d, double t)
{
    if (penalty->composition) return penalty->composition->change(penalty, x, d, t);
    if (!penalty->own) return separable_change(penalty, x, d, t);
    return own_value(penalty, own_trial(penalty, x, d, t)) - own_value(penalty, x);
}

void dcpn_penalty_linearize(const struct penalty *penalty, const double *x, const double *g, double *z)
{
    dcpn_fill(penalty->size, 0.0, z);
    if (!dcpn_penalty_has_h2(penalty)) return;
    if (penalty->own) {
        penalty->own->subgradient2(penalty->own->user, penalty->features, x, z);
    } else if (penalty->composition) {
        penalty->composition->linearize(penalty, x, g, z);
    } else {
        for (int64_t j = 0; j < penalty->features; j++) z[j] = dcpn_penalty_h2_slope(penalty, j, x[j], g[j]);
    }
}

void dcpn_penalty_prox1(const struct penalty *penalty, const double *x, double step, double *out)
{
    if (penalty->own) {
        own_prox1(penalty, x, step, out);
        return;
    }
    if (!dcpn_penalty_has_separable_h1(penalty)) {
        for (int64_t j = penalty->features; j < penalty->size; j++) out[j] = x[j];
        penalty->composition->prox1(penalty, x, step, out);
        return;
    }
    for (int64_t j = 0; j < penalty->size; j++) out[j] = dcpn_penalty_prox1_of(penalty, j, x[j], step * penalty->c[j]);
}

int dcpn_penalty_has_h2(const struct penalty *penalty)
{
    if (penalty->first_only) return 0;
    if (penalty->inner && !penalty->inner->convex) return 1;
    return penalty->own ? penalty->own->value2 != NULL : !penalty->ops->convex;
}

int dcpn_penalty_has_prox(const struct penalty *penalty)
{
    if (!dcpn_penalty_has_h2(penalty)) return 1;
    if (penalty->composition && !penalty->composition->has_prox) return 0;
    if (penalty->own || !penalty->ops->prox) return 0;
    if (penalty->composition && penalty->composition->box == DCPN_BOX_CONE) return 1;
    return !dcpn_penalty_bounded(penalty); /* a box may cut its minimiser off */
}

double dcpn_penalty_prox_at(const struct penalty *penalty, int64_t j, double x, double step)
{
    double lambda = penalty->lambda[j];
    return lambda > 0.0 ? copysign(penalty->ops->prox(&penalty->shape, lambda, step, fabs(x)), x) : x;
}

double dcpn_penalty_change_at(const struct penalty *penalty, int64_t j, double x, double d)
{
    return j < penalty->features ? dcpn_p_change(penalty, j, fabs(x), dcpn_absolute_change(x, d)) : 0.0;
}

void dcpn_penalty_prox(const struct penalty *penalty, const double *x, double step, double *out)
{
    if (!dcpn_penalty_has_h2(penalty)) {
        dcpn_penalty_prox1(penalty, x, step, out);
        return;
    }
    if (penalty->composition) {
        for (int64_t j = penalty->features; j < penalty->size; j++) out[j] = x[j];
        penalty->composition->prox(penalty, x, step, out);
        return;
    }
    for (int64_t j = 0; j < penalty->size; j++) out[j] = dcpn_penalty_prox_at(penalty, j, x[j], step);
}

void dcpn_penalty_bend(const struct penalty *penalty, const double *x, double *out)
{
    dcpn_fill(penalty->size, 0.0, out);
    if (penalty->composition) {
        if (penalty->composition->bend) penalty->composition->bend(penalty, x, out);
        return;
    }
    for (int64_t j = dcpn_next_nonzero(penalty->features, x, 0); j < penalty->features;
         j = dcpn_next_nonzero(penalty->features, x, j + 1))
        out[j] = dcpn_p_bend(penalty, j, fabs(x[j]));
}

void dcpn_penalty_slopes(const struct penalty *penalty, const double *x, const double *g, double *out,
                         double *block_out)
{
    if (penalty->composition) {
        penalty->composition->slopes(penalty, x, g, out, block_out);
        return;
    }
    for (int64_t j = 0; j < penalty->size; j++)
        out[j] = x[j] == 0.0
                     ? penalty->c[j]
                     : dcpn_p_slope(penalty, j, fabs(x[j]), g ? worse_side(penalty, j, x[j], g[j]) : DCPN_RIGHT);
}

void dcpn_penalty_violations(const struct penalty *penalty, const double *x, const double *g, double *out)
{
    penalty->composition->violations(penalty, x, g, out);
    for (int64_t j = penalty->features; j < penalty->size; j++) out[j] = fabs(g[j]);
}

void dcpn_penalty_mark_in_use(const struct penalty *penalty, const double *x, double *out)
{
    penalty->composition->mark_in_use(penalty, x, out);
    for (int64_t j = penalty->features; j < penalty->size; j++) out[j] = 1.0;
}

static double largest_of(int64_t size, const double *numbers)
{
    double largest = 0.0;
    for (int64_t j = 0; j < size; j++)
        if (numbers[j] > largest || isnan(numbers[j])) largest = numbers[j]; /* NaN stays */
    return largest;
}

double dcpn_penalty_largest_violation(const struct penalty *penalty, const double *x, const double *g, const double *z)
{
    double largest = 0.0;
    if (penalty->own) {
        for (int64_t j = 0; j < penalty->size; j++) penalty->forward[j] = x[j] - (g[j] - z[j]);
        own_prox1(penalty, penalty->forward, 1.0, penalty->trial);
        for (int64_t j = 0; j < penalty->size; j++) penalty->trial[j] -= x[j];
        return dcpn_norm_max(penalty->size, penalty->trial);
    }
    if (penalty->composition) {
        dcpn_penalty_violations(penalty, x, g, penalty->trial);
        return largest_of(penalty->size, penalty->trial);
    }
    for (int64_t j = 0; j < penalty->size; j++) {
        double violation = x[j] == 0.0 ? dcpn_penalty_violation_at_0(penalty, j, g[j])
                                       : dcpn_penalty_violation(penalty, j, x[j], g[j]);
        if (violation > largest || isnan(violation)) largest = violation; /* NaN stays */
    }
    return largest;
}

double dcpn_best_candidate(const dcpn_penalty_ops *ops, const dcpn_penalty_shape *shape, double lambda, double step,
                           double t, const double *candidates, int count)
{
    double best = candidates[0], lowest = INFINITY;
    for (int k = 0; k < count; k++) {
        double y = candidates[k], value = (y - t) / step * (y - t) / 2.0 + ops->value(shape, lambda, y);
        if (value < lowest || (value == lowest && y > best)) {
            lowest = value;
            best = y;
        }
    }
    return best;
}
