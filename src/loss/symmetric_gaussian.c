/* SPDX-License-Identifier: BSD-3-Clause */
/* Symmetric Gaussian, for a row without a label: phi = exp(-s u^2), s the sharpness; s = 3 in Chapelle and Zien's
 * gradient transductive SVM.
 *     phi1 = phi + phi2,   phi2 = 4 log cosh(sqrt(s) u)
 * phi1'' > 0: phi'' >= -2 s exp(-s u^2), and phi2'' = 4 s / cosh^2(sqrt(s) u) >= 4 s exp(-s u^2), as log cosh v <=
 * v^2/2. */
#include "loss/bell_function.h"
#include "loss/loss.h"

static double phi(const dcpn_loss *loss, double y, double u)
{
    (void)y;
    return exp(-loss->parameter * u * u);
}

static double phi_change(const dcpn_loss *loss, double y, double u, double s)
{
    (void)y;
    return gaussian_change(loss->parameter, u, s);
}

static double phi2(const dcpn_loss *loss, double y, double u)
{
    (void)y;
    return 4.0 * log_cosh(sqrt(loss->parameter) * u);
}

static double phi2_slope(const dcpn_loss *loss, double y, double u)
{
    double root = sqrt(loss->parameter);
    (void)y;
    return 4.0 * root * tanh(root * u);
}

static double phi2_curvature(const dcpn_loss *loss, double y, double u)
{
    double half_bell = sech(sqrt(loss->parameter) * u);
    (void)y;
    return 4.0 * loss->parameter * half_bell * half_bell;
}

static double phi1(const dcpn_loss *loss, double y, double u)
{
    return phi(loss, y, u) + phi2(loss, y, u);
}

static double phi1_change(const dcpn_loss *loss, double y, double u, double s)
{
    double root = sqrt(loss->parameter);
    return phi_change(loss, y, u, s) + 4.0 * log_cosh_change(root * u, root * s);
}

static double phi1_slope(const dcpn_loss *loss, double y, double u)
{
    return phi2_slope(loss, y, u) - 2.0 * loss->parameter * u * phi(loss, y, u);
}

static double phi1_curvature(const dcpn_loss *loss, double y, double u)
{
    double bend = fmin(loss->parameter * u * u, 1e3); /* exp(-1e3) = 0 */
    return phi2_curvature(loss, y, u) + 2.0 * loss->parameter * (2.0 * bend - 1.0) * exp(-bend);
}

static double curvature1_sup(const dcpn_loss *loss)
{
    return 2.54 * loss->parameter; /* 2.5315 s, at sqrt(s) u = 0.782 */
}

#define HAS_PHI2
#include "loss/rows.inc"

const dcpn_loss_ops dcpn_loss_symmetric_gaussian = {
    .name = "symmetric-gaussian",
    .formula = "exp(-s u^2), s the sharpness",
    .split = "phi1 = phi + phi2, phi2 = 4 log cosh(sqrt(s) u)",
    .parameter = "sharpness",
    .targets = DCPN_NO_TARGETS,
    .curvature1_sup = curvature1_sup,
    ROWWISE,
};
