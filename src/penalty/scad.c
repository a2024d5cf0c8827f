/* SPDX-License-Identifier: BSD-3-Clause */
/* SCAD (Fan and Li), a > 1, usually 3.7:
 *     p(t) = lambda t                                                 t <= lambda
 *            (2 a lambda t - t^2 - lambda^2) / (2 (a - 1))            lambda <= t <= a lambda
 *            lambda^2 (a + 1) / 2                                     a lambda <= t
 *     h1 = lambda |t|,   h2 = lambda |t| - p(|t|), differentiable */
#include <math.h>

#include "penalty/penalty.h"

static double value(const dcpn_penalty_shape *shape, double lambda, double t)
{
    double a = shape->a;
    if (t <= lambda) return lambda * t;
    if (t <= a * lambda) return lambda * t - (t - lambda) * (t - lambda) / (2.0 * (a - 1.0));
    return 0.5 * lambda * lambda * (a + 1.0);
}

static double slope0(const dcpn_penalty_shape *shape, double lambda)
{
    (void)shape;
    return lambda;
}

static double slope(const dcpn_penalty_shape *shape, double lambda, double t, dcpn_side side)
{
    (void)side;
    if (t <= lambda) return lambda;
    return fmax(shape->a * lambda - t, 0.0) / (shape->a - 1.0);
}

/* One candidate on each piece. On the middle one (y - t)^2 / (2 step) + p(y) has curvature 1/step - 1/(a - 1); where
 * that is not positive its ends win, and they belong to the other pieces. */
static double prox(const dcpn_penalty_shape *shape, double lambda, double step, double t)
{
    double a = shape->a, middle = lambda;
    if (step < a - 1.0) middle = ((a - 1.0) * t - step * a * lambda) / (a - 1.0 - step);
    const double candidates[] = {fmin(fmax(t - step * lambda, 0.0), lambda), fmin(fmax(middle, lambda), a * lambda),
                                 fmax(t, a * lambda)};
    return dcpn_best_candidate(&dcpn_penalty_scad, shape, lambda, step, t, candidates, 3);
}

static double concavity(const dcpn_penalty_shape *shape, double lambda)
{
    (void)lambda;
    return 1.0 / (shape->a - 1.0);
}

const dcpn_penalty_ops dcpn_penalty_scad = {
    .name = "scad",
    .formula = "lambda t to lambda; (2 a lambda t - t^2 - lambda^2) / (2(a-1)) to a lambda; lambda^2 (a+1)/2",
    .parameters = "a",
    .value = value,
    .slope0 = slope0,
    .slope = slope,
    .prox = prox,
    .concavity = concavity,
};
