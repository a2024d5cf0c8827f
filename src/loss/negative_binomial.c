/* SPDX-License-Identifier: BSD-3-Clause */
/* Negative binomial loss of counts y >= 0 with mean e^u and variance mean + a mean^2, a being the dispersion:
 *     phi(u) = (y + 1/a) log(1 + a e^u) - y u
 * With v = u + log a this is (y + 1/a) log(1 + e^v) - y u: convex, and flatter than poisson for large counts. Its
 * curvature is at most (y + 1/a) / 4, which differs from row to row, so that no one bound serves --majorize. */
#include <math.h>

#include "loss/exponential_change.h"
#include "loss/logistic_function.h"
#include "loss/loss.h"

/* log(1 + e^v) is v + log(1 + e^-v), from which y u is taken away before anything is added up. */
static double phi(const dcpn_loss *loss, double y, double u)
{
    double a = loss->parameter, v = u + log(a);
    return (y + 1.0 / a) * portable_log1p(portable_exp(-fabs(v))) + (v > 0.0 ? y * log(a) + v / a : -y * u);
}

/* log(1 + e^(v + s)) - log(1 + e^v) - sigmoid(v) s over a short step, from the side where the sigmoid is at most 1/2:
 * log(1 + q) - q + p (e^s - 1 - s) with q = p (e^s - 1). */
static double beyond_slope(double v, double s)
{
    double t = v > 0.0 ? -s : s, p = sigmoid(-fabs(v));
    return logarithm_remainder(p * portable_expm1(t)) + p * exponential_remainder(t);
}

/* (e^u - y) / (1 + a e^u), with an exponential that does not overflow */
static double phi1_slope(const dcpn_loss *loss, double y, double u)
{
    double a = loss->parameter, e = portable_exp(-fabs(u));
    return u > 0.0 ? (1.0 - y * e) / (e + a) : (e - y) / (1.0 + a * e);
}

static double phi_change(const dcpn_loss *loss, double y, double u, double s)
{
    double a = loss->parameter, v = u + log(a);
    if (fabs(s) > 0.25)
        return (y + 1.0 / a) * (v > 0.0 ? g_change(v, s) : g_change(-v, -s)) + (v > 0.0 ? s / a : -y * s);
    return phi1_slope(loss, y, u) * s + (y + 1.0 / a) * beyond_slope(v, s);
}

static double phi1_curvature(const dcpn_loss *loss, double y, double u)
{
    double a = loss->parameter;
    return (y + 1.0 / a) * g_curvature(u + log(a));
}

static double least(const dcpn_loss *loss, double y)
{
    double a = loss->parameter;
    return y > 0.0 ? (y + 1.0 / a) * log1p(a * y) - y * log(y) : 0.0;
}

static int takes(double y)
{
    return y >= 0.0;
}

#define phi1 phi
#include "loss/rows.inc"

const dcpn_loss_ops dcpn_loss_negative_binomial = {
    .name = "negative-binomial",
    .formula = "(y + 1/a) log(1 + a exp(u)) - y u, a the dispersion",
    .parameter = "dispersion",
    .targets = DCPN_NUMBERS,
    .response.takes = takes,
    .response.takes_what = "counts, none below 0,",
    .response.mean = bounded_exp,
    .response.least = least,
    ROWWISE,
};
