/* SPDX-License-Identifier: BSD-3-Clause */
/* Log penalty: p(t) = lambda log(1 + t / theta).
 *     h1 = (lambda / theta) |t|,   h2 = (lambda / theta) |t| - p(|t|), differentiable */
#include <math.h>

#include "penalty/penalty.h"

static double value(const dcpn_penalty_shape *shape, double lambda, double t)
{
    return lambda * log1p(t / shape->theta);
}

static double slope0(const dcpn_penalty_shape *shape, double lambda)
{
    return lambda / shape->theta;
}

static double slope(const dcpn_penalty_shape *shape, double lambda, double t, dcpn_side side)
{
    (void)side;
    return lambda / (shape->theta + t);
}

/* (y - t)/step + lambda/(theta + y) = 0 is a quadratic equation; its larger root is the only interior candidate.
 * Neither overflows nor cancels: the discriminant (theta + t)^2 - 4 step lambda is taken as a product, and where t <
 * theta the root comes from the product of the two. */
static double prox(const dcpn_penalty_shape *shape, double lambda, double step, double t)
{
    double theta = shape->theta, sum = theta + t, twice = 2.0 * sqrt(step) * sqrt(lambda);
    if (!(sum >= twice)) return 0.0;
    double width = sqrt(sum - twice) * sqrt(sum + twice);
    double larger =
        t < theta ? 2.0 * (t - step * lambda / theta) / (1.0 - t / theta + width / theta) : 0.5 * (t - theta + width);
    const double candidates[] = {0.0, fmin(fmax(larger, 0.0), t)};
    return dcpn_best_candidate(&dcpn_penalty_log, shape, lambda, step, t, candidates, 2);
}

static double concavity(const dcpn_penalty_shape *shape, double lambda)
{
    return lambda / shape->theta / shape->theta; /* at 0 */
}

const dcpn_penalty_ops dcpn_penalty_log = {
    .name = "log",
    .formula = "lambda log(1 + t / theta)",
    .parameters = "theta",
    .value = value,
    .slope0 = slope0,
    .slope = slope,
    .prox = prox,
    .concavity = concavity,
};
