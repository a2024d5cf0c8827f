/* SPDX-License-Identifier: BSD-3-Clause */
/* Symmetric sigmoid, for a row without a label: phi = 4 sigma(s u) sigma(-s u) = 1 / cosh^2(v), v = s u / 2, sigma the
 * logistic function and s the sharpness. With P = sigma(s u) the probability of a class it is 4 P (1 - P): what two
 * draws of the label disagree by.
 *     phi1 = phi + phi2,   phi2 = 4 log cosh(v)
 * By v, phi'' = 4 S - 6 S^2 and phi2'' = 4 S with S = 1 / cosh^2(v), so that phi1'' = 8 S - 6 S^2 > 0. */
#include "loss/bell_function.h"
#include "loss/loss.h"

static double phi(const dcpn_loss *loss, double y, double u)
{
    double root = sech(0.5 * loss->parameter * u);
    (void)y;
    return root * root;
}

/* 1/cosh^2(v + d) - 1/cosh^2(v) = -sinh(d) sinh(2v + d) / (cosh(v) cosh(v + d))^2, and where sinh(2v + d) may be large,
 * sinh(2v + d) / (cosh(v) cosh(v + d)) = tanh(v) + tanh(v + d) */
static double phi_change(const dcpn_loss *loss, double y, double u, double s)
{
    double v = 0.5 * loss->parameter * u, d = 0.5 * loss->parameter * s, sum = 2.0 * v + d;
    if (fabs(d) > 1.0) return phi(loss, y, u + s) - phi(loss, y, u);
    double bells = sech(v) * sech(v + d);
    double slopes = fabs(sum) <= 1.0 ? sinh(sum) * bells : tanh(v) + tanh(v + d);
    return -sinh(d) * slopes * bells;
}

static double phi2(const dcpn_loss *loss, double y, double u)
{
    (void)y;
    return 4.0 * log_cosh(0.5 * loss->parameter * u);
}

static double phi2_slope(const dcpn_loss *loss, double y, double u)
{
    (void)y;
    return 2.0 * loss->parameter * tanh(0.5 * loss->parameter * u);
}

static double phi2_curvature(const dcpn_loss *loss, double y, double u)
{
    return loss->parameter * loss->parameter * phi(loss, y, u);
}

static double phi1(const dcpn_loss *loss, double y, double u)
{
    return phi(loss, y, u) + phi2(loss, y, u);
}

static double phi1_change(const dcpn_loss *loss, double y, double u, double s)
{
    double half = 0.5 * loss->parameter;
    return phi_change(loss, y, u, s) + 4.0 * log_cosh_change(half * u, half * s);
}

static double phi1_slope(const dcpn_loss *loss, double y, double u)
{
    return phi2_slope(loss, y, u) * (1.0 - 0.5 * phi(loss, y, u));
}

static double phi1_curvature(const dcpn_loss *loss, double y, double u)
{
    double S = phi(loss, y, u);
    return loss->parameter * loss->parameter * S * (2.0 - 1.5 * S);
}

static double curvature1_sup(const dcpn_loss *loss)
{
    return loss->parameter * loss->parameter * (2.0 / 3.0) * (1.0 + 1e-15); /* at S = 2/3 */
}

#define HAS_PHI2
#include "loss/rows.inc"

const dcpn_loss_ops dcpn_loss_symmetric_sigmoid = {
    .name = "symmetric-sigmoid",
    .formula = "4 sigma(s u) sigma(-s u), sigma(m) = 1 / (1 + exp(-m)), s the sharpness",
    .split = "phi1 = phi + phi2, phi2 = 4 log cosh(s u / 2)",
    .parameter = "sharpness",
    .targets = DCPN_NO_TARGETS,
    .curvature1_sup = curvature1_sup,
    ROWWISE,
};
