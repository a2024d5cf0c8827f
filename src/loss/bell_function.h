/* SPDX-License-Identifier: BSD-3-Clause */
/* Bells and the convex function that log cosh is, with changes that keep their digits. */
#ifndef DCPN_SRC_BELL_FUNCTION_H
#define DCPN_SRC_BELL_FUNCTION_H

#include <math.h>

/* exp(-a (u + s)^2) - exp(-a u^2), taken from the higher of the two points, where the exponent cannot overflow. */
static inline double gaussian_change(double a, double u, double s)
{
    double further = s * (2.0 * u + s), end = u + s; /* end^2 - u^2 */
    if (further >= 0.0) return exp(-a * u * u) * expm1(-a * further);
    return -exp(-a * end * end) * expm1(a * further);
}

/* 1 / cosh(v) */
static inline double sech(double v)
{
    double e = exp(-fabs(v));
    return 2.0 * e / (1.0 + e * e);
}

/* log(1 + (cosh(v) - 1)) near 0, where the other form cancels; it in turn does not overflow */
static inline double log_cosh(double v)
{
    double size = fabs(v), half = sinh(0.5 * fmin(size, 1.0));
    return size < 1.0 ? log1p(2.0 * half * half) : size - log(2.0) + log1p(exp(-2.0 * size));
}

/* cosh(v + s) / cosh(v) = cosh(s) + tanh(v) sinh(s); for a long step the plain difference loses nothing */
static inline double log_cosh_change(double v, double s)
{
    if (fabs(s) > 1.0) return log_cosh(v + s) - log_cosh(v);
    double half = sinh(0.5 * s);
    return log1p(2.0 * half * half + tanh(v) * sinh(s));
}

#endif
