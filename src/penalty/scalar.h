/* SPDX-License-Identifier: BSD-3-Clause */
/* The scalar p of one term: of a coordinate, whose weight stands in lambda[j] and whose slope at 0 in c[j], or of a
 * block. */
#ifndef DCPN_SRC_SCALAR_H
#define DCPN_SRC_SCALAR_H

#include "penalty/penalty.h"

struct term {
    const dcpn_penalty_ops *ops;
    const dcpn_penalty_shape *shape;
    double lambda, c;
    int is_linear; /* c t in the place of p(t) */
};

static inline struct term dcpn_term_of(const struct penalty *penalty, double lambda, double c)
{
    return (struct term){penalty->ops, &penalty->shape, lambda, c, penalty->first_only};
}

static inline double dcpn_term_value(const struct term *p, double t)
{
    if (p->is_linear) return p->c * t;
    return p->lambda > 0.0 ? p->ops->value(p->shape, p->lambda, t) : 0.0;
}

static inline double dcpn_term_slope(const struct term *p, double t, dcpn_side side)
{
    if (p->is_linear) return p->c;
    return p->lambda > 0.0 ? p->ops->slope(p->shape, p->lambda, t, side) : 0.0;
}

/* p(a + s) - p(a). Subtracting loses digits when s is short, and so would s = (a + s) - a; then the slope is
 * integrated by Simpson's rule, unless it bends on the way (a kink of p). */
static inline double dcpn_term_change(const struct term *p, double a, double s)
{
    double b = fmax(a + s, 0.0);
    if (fabs(s) < 1e-5 * a) {
        double first = dcpn_term_slope(p, a, DCPN_RIGHT), last = dcpn_term_slope(p, b, DCPN_RIGHT);
        double middle = dcpn_term_slope(p, a + 0.5 * s, DCPN_RIGHT);
        if (fabs(first - 2.0 * middle + last) <= 1e-9 * p->c) return s * (first + 4.0 * middle + last) / 6.0;
    }
    return dcpn_term_value(p, b) - dcpn_term_value(p, a);
}

/* p''(t), which is not above 0, from the slopes a little to both sides; 0 at t = 0. */
static inline double dcpn_term_bend(const struct term *p, double t)
{
    const double share = 1e-4; /* of t, over which the slope is compared */
    double reach = share * t;
    if (!(reach > 0.0)) return 0.0;
    double rise = dcpn_term_slope(p, t + reach, DCPN_LEFT) - dcpn_term_slope(p, t - reach, DCPN_RIGHT);
    return fmin(rise / (2.0 * reach), 0.0);
}

/* ---- the term of coordinate j ---- */

static inline struct term dcpn_term_at(const struct penalty *penalty, int64_t j)
{
    return dcpn_term_of(penalty, penalty->lambda[j], penalty->c[j]);
}

static inline double dcpn_p_value(const struct penalty *penalty, int64_t j, double t)
{
    const struct term p = dcpn_term_at(penalty, j);
    return dcpn_term_value(&p, t);
}

static inline double dcpn_p_slope(const struct penalty *penalty, int64_t j, double t, dcpn_side side)
{
    const struct term p = dcpn_term_at(penalty, j);
    return dcpn_term_slope(&p, t, side);
}

static inline double dcpn_p_change(const struct penalty *penalty, int64_t j, double a, double s)
{
    const struct term p = dcpn_term_at(penalty, j);
    return dcpn_term_change(&p, a, s);
}

static inline double dcpn_p_bend(const struct penalty *penalty, int64_t j, double t)
{
    const struct term p = dcpn_term_at(penalty, j);
    return dcpn_term_bend(&p, t);
}

/* |x + d| - |x|, without cancellation where x keeps its sign. */
static inline double dcpn_absolute_change(double x, double d)
{
    if (x > 0.0 && x + d >= 0.0) return d;
    if (x < 0.0 && x + d <= 0.0) return -d;
    return fabs(x + d) - fabs(x);
}

#endif
