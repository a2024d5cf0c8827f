/* SPDX-License-Identifier: BSD-3-Clause */
/* MCP (Zhang), gamma > 0, usually 3:
 *     p(t) = lambda t - t^2 / (2 gamma)    t <= gamma lambda
 *            gamma lambda^2 / 2            gamma lambda <= t
 *     h1 = lambda |t|,   h2 = lambda |t| - p(|t|), differentiable */
#include <math.h>

#include "penalty/penalty.h"

static double value(const dcpn_penalty_shape *shape, double lambda, double t)
{
    double gamma = shape->gamma, knot = fmin(t, gamma * lambda);
    return knot * (lambda - 0.5 * knot / gamma);
}

static double slope0(const dcpn_penalty_shape *shape, double lambda)
{
    (void)shape;
    return lambda;
}

static double slope(const dcpn_penalty_shape *shape, double lambda, double t, dcpn_side side)
{
    (void)side;
    return fmax(lambda - t / shape->gamma, 0.0);
}

/* On y <= gamma lambda the curvature is 1/step - 1/gamma; where that is not positive the ends win. */
static double prox(const dcpn_penalty_shape *shape, double lambda, double step, double t)
{
    double gamma = shape->gamma, inside = 0.0;
    if (step < gamma) inside = (t - step * lambda) / (1.0 - step / gamma);
    const double candidates[] = {fmin(fmax(inside, 0.0), gamma * lambda), fmax(t, gamma * lambda)};
    return dcpn_best_candidate(&dcpn_penalty_mcp, shape, lambda, step, t, candidates, 2);
}

static double concavity(const dcpn_penalty_shape *shape, double lambda)
{
    (void)lambda;
    return 1.0 / shape->gamma;
}

static void to_raw(dcpn_penalty_shape *shape, double lambda)
{
    (void)lambda;
    shape->gamma *= shape->unit;
}

const dcpn_penalty_ops dcpn_penalty_mcp = {
    .name = "mcp",
    .formula = "lambda t - t^2 / (2 gamma) to gamma lambda; gamma lambda^2 / 2",
    .parameters = "gamma",
    .value = value,
    .slope0 = slope0,
    .slope = slope,
    .prox = prox,
    .concavity = concavity,
    .to_raw = to_raw,
};
