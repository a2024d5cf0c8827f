/* SPDX-License-Identifier: BSD-3-Clause */
/* Smooth ramp, the paper's g1: phi = (g(m) - g(m + tau)) / tau, m = y u, g(m) = log(1 + exp(-m)), y = -1 or +1.
 * It grows from 0 to 1 as m falls, so that an outlier costs at most 1: robust, and not convex.
 *     phi1 = g(m) / tau,   phi2 = g(m + tau) / tau */
#include "loss/loss.h"
#include "loss/logistic_function.h"

static double phi(const dcpn_loss *loss, double y, double u)
{
    return -g_change(y * u, loss->parameter) / loss->parameter;
}

/* With e = exp(-y s) - 1 the two changes of g are log(1 + sigmoid(-m) e) and log(1 + sigmoid(-m - tau) e). They are
 * nearly equal where phi is flat or tau is small, so their difference is taken inside the logarithm, by
 *     sigmoid(-m) - sigmoid(-m - tau) = sigmoid(-m) sigmoid(m + tau) (1 - exp(-tau)) */
static double phi_change(const dcpn_loss *loss, double y, double u, double s)
{
    double tau = loss->parameter, m = y * u;
    if (fabs(s) > 1.0) return phi(loss, y, u + s) - phi(loss, y, u);
    double e = portable_expm1(-y * s), difference = -sigmoid(-m) * sigmoid(m + tau) * portable_expm1(-tau);
    return portable_log1p(difference * e / (1.0 + sigmoid(-m - tau) * e)) / tau;
}

static double phi1(const dcpn_loss *loss, double y, double u)
{
    return g(y * u) / loss->parameter;
}

static double phi1_change(const dcpn_loss *loss, double y, double u, double s)
{
    return g_change(y * u, y * s) / loss->parameter;
}

static double phi1_slope(const dcpn_loss *loss, double y, double u)
{
    return y * g_slope(y * u) / loss->parameter;
}

static double phi1_curvature(const dcpn_loss *loss, double y, double u)
{
    return g_curvature(y * u) / loss->parameter;
}

static double phi2(const dcpn_loss *loss, double y, double u)
{
    return g(y * u + loss->parameter) / loss->parameter;
}

static double phi2_slope(const dcpn_loss *loss, double y, double u)
{
    return y * g_slope(y * u + loss->parameter) / loss->parameter;
}

static double phi2_curvature(const dcpn_loss *loss, double y, double u)
{
    return g_curvature(y * u + loss->parameter) / loss->parameter;
}

static double curvature1_sup(const dcpn_loss *loss)
{
    return 0.25 / loss->parameter;
}

#define HAS_PHI2
#include "loss/rows.inc"

const dcpn_loss_ops dcpn_loss_smooth_ramp = {
    .name = "smooth-ramp",
    .formula = "(g(y u) - g(y u + tau)) / tau, g(m) = log(1 + exp(-m))",
    .split = "phi1 = g(y u) / tau, phi2 = g(y u + tau) / tau",
    .parameter = "tau",
    .targets = DCPN_CLASSES,
    .curvature1_sup = curvature1_sup,
    .flat_far_out = 1,
    ROWWISE,
};
