/* SPDX-License-Identifier: BSD-3-Clause */
/* The scalar p of one coordinate or one block, whose weight stands in lambda[j] and whose slope at 0 in c[j]. */
#ifndef DCPN_SRC_SCALAR_H
#define DCPN_SRC_SCALAR_H

#include "penalty/penalty.h"

static inline double dcpn_p_value(const struct penalty *penalty, int64_t j, double t)
{
    if (penalty->first_only) return penalty->c[j] * t;
    return penalty->lambda[j] > 0.0 ? penalty->ops->value(&penalty->shape, penalty->lambda[j], t) : 0.0;
}

static inline double dcpn_p_slope(const struct penalty *penalty, int64_t j, double t, dcpn_side side)
{
    if (penalty->first_only) return penalty->c[j];
    return penalty->lambda[j] > 0.0 ? penalty->ops->slope(&penalty->shape, penalty->lambda[j], t, side) : 0.0;
}

/* p(a + s) - p(a). Subtracting loses digits when s is short, and so would s = (a + s) - a; then the slope is
 * integrated by Simpson's rule, unless it bends on the way (a kink of p). */
static inline double dcpn_p_change(const struct penalty *penalty, int64_t j, double a, double s)
{
    double b = fmax(a + s, 0.0);
    if (fabs(s) < 1e-5 * a) {
        double first = dcpn_p_slope(penalty, j, a, DCPN_RIGHT), last = dcpn_p_slope(penalty, j, b, DCPN_RIGHT);
        double middle = dcpn_p_slope(penalty, j, a + 0.5 * s, DCPN_RIGHT);
        if (fabs(first - 2.0 * middle + last) <= 1e-9 * penalty->c[j]) return s * (first + 4.0 * middle + last) / 6.0;
    }
    return dcpn_p_value(penalty, j, b) - dcpn_p_value(penalty, j, a);
}

/* |x + d| - |x|, without cancellation where x keeps its sign. */
static inline double dcpn_absolute_change(double x, double d)
{
    if (x > 0.0 && x + d >= 0.0) return d;
    if (x < 0.0 && x + d <= 0.0) return -d;
    return fabs(x + d) - fabs(x);
}

#endif
