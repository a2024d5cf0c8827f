/* SPDX-License-Identifier: BSD-3-Clause */
/* Student's t distribution. P(|T| > t) = I_x(v / 2, 1 / 2), x = v / (v + t^2), with the incomplete beta function
 *     I_x(a, b) = x^a (1 - x)^b / (a B(a, b)) / (1 + d_1 / (1 + d_2 / (1 + ...))),   x < (a + 1) / (a + b + 2),
 *     d_2m = m (b - m) x / ((a + 2m - 1) (a + 2m)),   d_2m+1 = -(a + m) (a + b + m) x / ((a + 2m) (a + 2m + 1)). */
#include "inference/student.h"

#include <math.h>

/* 1 / (1 + d_1 / (1 + ...)), by Lentz's method. */
static double fraction(double a, double b, double x)
{
    double c = 1.0, d = 1.0 - (a + b) * x / (a + 1.0), h;
    d = 1.0 / (fabs(d) < 1e-300 ? 1e-300 : d);
    h = d;
    for (int m = 1; m < 10000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m)),
               odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0)), step = 1.0;
        for (int k = 0; k < 2; k++) {
            double term = k ? odd : even;
            d = 1.0 + term * d;
            c = 1.0 + term / c;
            d = 1.0 / (fabs(d) < 1e-300 ? 1e-300 : d);
            step = c * d;
            h *= step;
        }
        if (fabs(step - 1.0) < 1e-15) break;
    }
    return h;
}

/* I_x(a, b), y = 1 - x */
static double incomplete_beta(double a, double b, double x, double y)
{
    if (!(x > 0.0)) return 0.0;
    if (!(y > 0.0)) return 1.0;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(y));
    return x < (a + 1.0) / (a + b + 2.0) ? front * fraction(a, b, x) / a : 1.0 - front * fraction(b, a, y) / b;
}

double dcpn_student_beyond(double freedom, double t)
{
    double square = t * t;
    if (isnan(t)) return (double)NAN;
    if (isinf(freedom)) return erfc(fabs(t) / sqrt(2.0));
    if (isinf(square)) return 0.0;
    return incomplete_beta(0.5 * freedom, 0.5, freedom / (freedom + square), square / (freedom + square));
}

double dcpn_student_within(double freedom, double level)
{
    double low = 0.0, high = 1.0;
    while (high < 1e300 && dcpn_student_beyond(freedom, high) > 1.0 - level) high *= 2.0;
    for (int k = 0; k < 200 && high - low > 1e-15 * high; k++) {
        double middle = 0.5 * (low + high);
        *(dcpn_student_beyond(freedom, middle) > 1.0 - level ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}
