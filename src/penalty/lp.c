/* SPDX-License-Identifier: BSD-3-Clause */
/* lp, p <= 1, shifted by eps so that the slope at 0 is finite: p(t) = lambda ((t + eps)^p - eps^p).
 *     h1 = c |t|, c = lambda p eps^(p-1),   h2 = c |t| - p(|t|), differentiable */
#include <math.h>

#include "penalty/penalty.h"

static double value(const dcpn_penalty_shape *shape, double lambda, double t)
{
    /* lambda eps^p ((1 + t/eps)^p - 1), which keeps its digits for t much smaller than eps */
    return lambda * pow(shape->eps, shape->p) * expm1(shape->p * log1p(t / shape->eps));
}

static double slope0(const dcpn_penalty_shape *shape, double lambda)
{
    return lambda * shape->p * pow(shape->eps, shape->p - 1.0);
}

static double slope(const dcpn_penalty_shape *shape, double lambda, double t, dcpn_side side)
{
    (void)side;
    return lambda * shape->p * pow(t + shape->eps, shape->p - 1.0);
}

/* The larger root of q(y) = y - t + step p'(y) on [0, t]. q is convex with q(t) >= 0, so Newton's method from t falls
 * monotonically to the root, or past the minimum of q if there is none: then 0 is the minimiser. */
static double larger_root(const dcpn_penalty_shape *shape, double lambda, double step, double t)
{
    double y = t;
    for (int k = 0; k < 100; k++) {
        double rise = step * slope(shape, lambda, y, DCPN_RIGHT);
        double derivative = 1.0 - rise * (1.0 - shape->p) / (y + shape->eps);
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
    return dcpn_best_candidate(&dcpn_penalty_lp, shape, lambda, step, t, candidates, 2);
}

static double concavity(const dcpn_penalty_shape *shape, double lambda)
{
    return lambda * shape->p * (1.0 - shape->p) * pow(shape->eps, shape->p - 2.0); /* at 0 */
}

const dcpn_penalty_ops dcpn_penalty_lp = {
    .name = "lp",
    .formula = "lambda ((t + eps)^p - eps^p)",
    .parameters = "p eps",
    .value = value,
    .slope0 = slope0,
    .slope = slope,
    .prox = prox,
    .concavity = concavity,
};
