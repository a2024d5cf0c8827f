/* SPDX-License-Identifier: BSD-3-Clause */
/* SCAD (Fan and Li), a > k, usually a = 3.7 and k = 1, the unit of its shape:
 *     p(t) = lambda t                                       t <= k lambda
 *            lambda t - (t - k lambda)^2 / (2 (a - k))      k lambda <= t <= a lambda
 *            lambda^2 (a + k) / 2                           a lambda <= t
 *     h1 = lambda |t|,   h2 = lambda |t| - p(|t|), differentiable */
#include <math.h>

#include "penalty/penalty.h"

static double value(const dcpn_penalty_shape *shape, double lambda, double t)
{
    double a = shape->a, k = shape->unit, beyond = t - k * lambda;
    if (beyond <= 0.0) return lambda * t;
    if (t <= a * lambda) return lambda * t - beyond * beyond / (2.0 * (a - k));
    return 0.5 * lambda * lambda * (a + k);
}

static double slope0(const dcpn_penalty_shape *shape, double lambda)
{
    (void)shape;
    return lambda;
}

static double slope(const dcpn_penalty_shape *shape, double lambda, double t, dcpn_side side)
{
    (void)side;
    if (t <= shape->unit * lambda) return lambda;
    return fmax(shape->a * lambda - t, 0.0) / (shape->a - shape->unit);
}

/* One candidate on each piece. On the middle one (y - t)^2 / (2 step) + p(y) has curvature 1/step - 1/(a - k); where
 * that is not positive its ends win, and they belong to the other pieces. */
static double prox(const dcpn_penalty_shape *shape, double lambda, double step, double t)
{
    double first = shape->unit * lambda, last = shape->a * lambda, width = shape->a - shape->unit, middle = first;
    if (step < width) middle = (width * t - step * shape->a * lambda) / (width - step);
    const double candidates[] = {fmin(fmax(t - step * lambda, 0.0), first), fmin(fmax(middle, first), last),
                                 fmax(t, last)};
    return dcpn_best_candidate(&dcpn_penalty_scad, shape, lambda, step, t, candidates, 3);
}

static double concavity(const dcpn_penalty_shape *shape, double lambda)
{
    (void)lambda;
    return 1.0 / (shape->a - shape->unit);
}

static void to_raw(dcpn_penalty_shape *shape, double lambda)
{
    (void)lambda;
    shape->a *= shape->unit;
}

const dcpn_penalty_ops dcpn_penalty_scad = {
    .name = "scad",
    .formula = "lambda t to k lambda; lambda t - (t - k lambda)^2 / (2(a-k)) to a lambda; lambda^2 (a+k)/2; raw k = 1",
    .parameters = "a",
    .value = value,
    .slope0 = slope0,
    .slope = slope,
    .prox = prox,
    .concavity = concavity,
    .to_raw = to_raw,
};
