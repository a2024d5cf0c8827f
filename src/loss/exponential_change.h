/* SPDX-License-Identifier: BSD-3-Clause */
/* How m e^v - y v changes, for losses whose mean is an exponential. */
#ifndef DCPN_SRC_EXPONENTIAL_CHANGE_H
#define DCPN_SRC_EXPONENTIAL_CHANGE_H

#include "base/elementary.h"

/* An exponent beyond is no more than this, so that a row of weight 0 has no part in a sum, not NaN. A point there has
 * an F beyond that of any start, and is never accepted. */
static const double LARGEST_EXPONENT = 700.0;

static inline double bounded_exp(double v)
{
    return portable_exp(v > LARGEST_EXPONENT ? LARGEST_EXPONENT : v);
}

/* m e^(v + s) - y (v + s) - (m e^v - y v). A short step counts by the slope, m e^v - y, and what is beyond it. */
static inline double exponential_change(double m, double y, double v, double s)
{
    double mean = m * bounded_exp(v);
    double is_short = fabs(s) <= 0.5, near = is_short != 0.0 ? s : 0.0;
    double by_slope = (mean - y) * s + mean * exponential_remainder(near);
    return is_short != 0.0 ? by_slope : m * bounded_exp(v + s) - mean - y * s;
}

#endif
