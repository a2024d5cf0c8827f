/* SPDX-License-Identifier: BSD-3-Clause */
/* l1: p(t) = lambda t. Convex: h1 = lambda |t|, h2 = 0. */
#include <math.h>

#include "penalty/penalty.h"

static double value(const dcpn_penalty_shape *shape, double lambda, double t)
{
    (void)shape;
    return lambda * t;
}

static double slope0(const dcpn_penalty_shape *shape, double lambda)
{
    (void)shape;
    return lambda;
}

static double slope(const dcpn_penalty_shape *shape, double lambda, double t, dcpn_side side)
{
    (void)shape;
    (void)t;
    (void)side;
    return lambda;
}

static double prox(const dcpn_penalty_shape *shape, double lambda, double step, double t)
{
    (void)shape;
    return fmax(t - step * lambda, 0.0);
}

static double concavity(const dcpn_penalty_shape *shape, double lambda)
{
    (void)shape;
    (void)lambda;
    return 0.0;
}

const dcpn_penalty_ops dcpn_penalty_l1 = {
    .name = "l1",
    .formula = "lambda t",
    .convex = 1,
    .value = value,
    .slope0 = slope0,
    .slope = slope,
    .prox = prox,
    .concavity = concavity,
};
