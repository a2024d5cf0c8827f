/* SPDX-License-Identifier: BSD-3-Clause */
/* The paper's g(m) = log(1 + exp(-m)) and its derivatives, in forms that neither overflow nor cancel, and without
 * branches, so that loops over rows are done with vectors. */
#ifndef DCPN_SRC_LOGISTIC_FUNCTION_H
#define DCPN_SRC_LOGISTIC_FUNCTION_H

#include "base/elementary.h"

/* 1 / (1 + exp(-m)) */
static inline double sigmoid(double m)
{
    double e = portable_exp(-fabs(m));
    return (m >= 0.0 ? 1.0 : e) / (1.0 + e);
}

static inline double below_0(double m)
{
    return m < 0.0 ? -m : 0.0;
}

static inline double g(double m)
{
    return below_0(m) + portable_log1p(portable_exp(-fabs(m)));
}

static inline double g_slope(double m)
{
    return -sigmoid(-m);
}

/* sigmoid(m) sigmoid(-m), with one exponential */
static inline double g_curvature(double m)
{
    double e = portable_exp(-fabs(m));
    return e / ((1.0 + e) * (1.0 + e));
}

/* g(m + s) - g(m), exact in relative terms also when s is tiny, where the difference of two g would lose every digit.
 * With e = exp(-|m|), whichever side of 0 m is on,
 *     short step, m >= 0:      log(1 + e (exp(-s) - 1) / (1 + e))
 *     short step, m < 0:  -s + log(1 + e (exp(s) - 1) / (1 + e))
 *     long step:          below_0(m + s) - below_0(m) + log(1 + (exp(-|m + s|) - e) / (1 + e))
 * so that one exponential besides e and one logarithm do. What is added to 1 is never below -1/2. */
static inline double g_change(double m, double s)
{
    int is_short = fabs(s) <= 1.0;
    double e = portable_exp(-fabs(m));
    struct exponential other = exponential_of(is_short ? (m < 0.0 ? s : -s) : -fabs(m + s));
    double along = is_short ? (m < 0.0 ? -s : 0.0) : below_0(m + s) - below_0(m);
    double above = is_short ? e * exponential_minus_1(other) : exponential_value(other) - e;
    return along + portable_log1p(above / (1.0 + e));
}

#endif
