/* SPDX-License-Identifier: BSD-3-Clause */
/* Capped l1: p(t) = lambda min(t, theta).
 *     h1 = lambda |t|,   h2 = lambda (|t| - theta)_+
 * The paper prints h2 as lambda (||x||_1 - theta)_+; it is meant for each coordinate. h2 has a kink at theta. */
#include <math.h>

#include "penalty/penalty.h"

static double value(const dcpn_penalty_shape *shape, double lambda, double t)
{
    return lambda * fmin(t, shape->theta);
}

static double slope0(const dcpn_penalty_shape *shape, double lambda)
{
    (void)shape;
    return lambda;
}

static double slope(const dcpn_penalty_shape *shape, double lambda, double t, dcpn_side side)
{
    return t < shape->theta || (t == shape->theta && side == DCPN_LEFT) ? lambda : 0.0;
}

/* The best of the two pieces: y <= theta, where p is lambda y, and y >= theta, where it is flat. */
static double prox(const dcpn_penalty_shape *shape, double lambda, double step, double t)
{
    const double candidates[] = {fmin(fmax(t - step * lambda, 0.0), shape->theta), fmax(t, shape->theta)};
    return dcpn_best_candidate(&dcpn_penalty_capped_l1, shape, lambda, step, t, candidates, 2);
}

static double concavity(const dcpn_penalty_shape *shape, double lambda)
{
    (void)shape;
    return lambda > 0.0 ? HUGE_VAL : 0.0; /* the kink at theta */
}

/* The knot travels with lambda; at lambda = 0 there is no penalty, wherever it is. */
static void to_raw(dcpn_penalty_shape *shape, double lambda)
{
    if (lambda > 0.0) shape->theta *= lambda * shape->unit;
}

const dcpn_penalty_ops dcpn_penalty_capped_l1 = {
    .name = "capped-l1",
    .formula = "lambda min(t, theta)",
    .parameters = "theta",
    .value = value,
    .slope0 = slope0,
    .slope = slope,
    .prox = prox,
    .concavity = concavity,
    .to_raw = to_raw,
};
