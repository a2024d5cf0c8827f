/* SPDX-License-Identifier: BSD-3-Clause */
/* The paper's g(m) = log(1 + exp(-m)) and its derivatives, in forms that neither overflow nor cancel. */
#ifndef DCPN_SRC_LOGISTIC_FUNCTION_H
#define DCPN_SRC_LOGISTIC_FUNCTION_H

#include <math.h>

/* 1 / (1 + exp(-m)) */
static inline double sigmoid(double m)
{
    if (m >= 0.0) return 1.0 / (1.0 + exp(-m));
    double e = exp(m);
    return e / (1.0 + e);
}

static inline double g(double m)
{
    return m >= 0.0 ? log1p(exp(-m)) : log1p(exp(m)) - m;
}

static inline double g_slope(double m)
{
    return -sigmoid(-m);
}

/* sigmoid(m) sigmoid(-m), with one exponential */
static inline double g_curvature(double m)
{
    double e = exp(-fabs(m));
    return e / ((1.0 + e) * (1.0 + e));
}

/* g(m + s) - g(m) = log(1 + sigmoid(-m) (exp(-s) - 1)): exact in relative terms also when s is tiny, where the
 * difference of two g would lose every digit. For a long step the plain difference loses nothing. */
static inline double g_change(double m, double s)
{
    if (fabs(s) > 1.0) return g(m + s) - g(m);
    return log1p(sigmoid(-m) * expm1(-s));
}

#endif
