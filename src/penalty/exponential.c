/* SPDX-License-Identifier: BSD-3-Clause */
/* Exponential (Breheny 2015), gamma > 0, usually 3: of the sum of a group (--grouping sum) the group exponential lasso,
 * whose tau is 1 / gamma:
 *     p(t) = gamma lambda^2 (1 - exp(-t / (gamma lambda)))
 *     h1 = lambda |t|,   h2 = lambda |t| - p(|t|), differentiable */
#include <math.h>

#include "penalty/penalty.h"

static double value(const dcpn_penalty_shape *shape, double lambda, double t)
{
    if (!(shape->gamma * lambda > 0.0)) return 0.0; /* lambda 0, or of no size that a double has */
    return -shape->gamma * lambda * lambda * expm1(-t / (shape->gamma * lambda));
}

static double slope0(const dcpn_penalty_shape *shape, double lambda)
{
    (void)shape;
    return lambda;
}

static double slope(const dcpn_penalty_shape *shape, double lambda, double t, dcpn_side side)
{
    (void)side;
    if (!(shape->gamma * lambda > 0.0)) return 0.0;
    return lambda * exp(-t / (shape->gamma * lambda));
}

/* The larger root of q(y) = y - t + step p'(y) on [0, t]. q is convex with q(t) >= 0, so Newton's method from t falls
 * monotonically to the root, or past the minimum of q if there is none: then 0 is the minimiser. */
static double larger_root(const dcpn_penalty_shape *shape, double lambda, double step, double t)
{
    double y = t;
    if (!(shape->gamma * lambda > 0.0)) return t;
    for (int k = 0; k < 100; k++) {
        double rise = step * slope(shape, lambda, y, DCPN_RIGHT);
        double derivative = 1.0 - rise / (shape->gamma * lambda);
        if (!(derivative > 0.0)) return 0.0;
        double next = y - (y - t + rise) / derivative;
        if (!(next > 0.0)) return 0.0;
        if (!(next < y)) return y;
        y = next;
    }
    return y;
}

static double prox(const dcpn_penalty_shape *shape, double lambda, double step, double t)
{
    const double candidates[] = {0.0, larger_root(shape, lambda, step, t)};
    return dcpn_best_candidate(&dcpn_penalty_exponential, shape, lambda, step, t, candidates, 2);
}

static double concavity(const dcpn_penalty_shape *shape, double lambda)
{
    (void)lambda;
    return 1.0 / shape->gamma; /* at 0 */
}

static void to_raw(dcpn_penalty_shape *shape, double lambda)
{
    (void)lambda;
    shape->gamma *= shape->unit;
}

const dcpn_penalty_ops dcpn_penalty_exponential = {
    .name = "exponential",
    .formula = "gamma lambda^2 (1 - exp(-t / (gamma lambda)))",
    .parameters = "gamma",
    .value = value,
    .slope0 = slope0,
    .slope = slope,
    .prox = prox,
    .concavity = concavity,
    .to_raw = to_raw,
};
