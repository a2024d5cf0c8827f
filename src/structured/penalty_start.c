/* SPDX-License-Identifier: BSD-3-Clause */
/* Where descents with a penalty that is not convex start, by halves, in the digits of a double. */
#include "structured/penalty_start.h"

double dcpn_penalty_least_kept(const struct penalty *penalty, double unit)
{
    double low = 0.0, high = dcpn_penalty_reference_slope(penalty), step = unit > 0.0 ? unit : 1.0;
    if (penalty->ops->convex || !penalty->ops->prox || !(penalty->base_lambda > 0.0)) return high;
    for (int half = 0; half < 60; half++) {
        double t = low + 0.5 * (high - low);
        *(penalty->ops->prox(&penalty->shape, penalty->base_lambda, step, step * t) > 0.0 ? &high : &low) = t;
    }
    return high;
}
