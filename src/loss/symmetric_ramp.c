/* SPDX-License-Identifier: BSD-3-Clause */
/* Symmetric ramp, for a row without a label (Collobert et al.), with rounded corners: 1 for |u| up to tau or nearly so,
 * then falling to 0 at |u| = tau + 1. With p(z) = 0 for z <= 0, z^2 to 1/2, z - 1/4 beyond:
 *     phi1 = p(tau + 1 - u) + p(tau + 1 + u),   phi2 = 1 + p(tau - u) + p(tau + u) */
#include "loss/loss.h"
#include "loss/piecewise.h"

static double plus(double z)
{
    if (z <= 0.0) return 0.0;
    return z < 0.5 ? z * z : z - 0.25;
}

static double plus_slope(double z)
{
    return fmax(0.0, fmin(2.0 * z, 1.0));
}

/* p(z + 1) - p(z) and its slope; beyond is z + 1, which the caller may know to more digits */
static double ramp(double z, double beyond)
{
    if (z >= 0.5) return 1.0;
    return plus(beyond) - plus(z);
}

static double ramp_slope(double z, double beyond)
{
    if (z >= 0.5) return 0.0;
    return z > 0.0 ? 1.0 - 2.0 * z : plus_slope(beyond);
}

static double phi(const dcpn_loss *loss, double y, double u)
{
    double tau = loss->parameter, a = fabs(u);
    (void)y;
    return ramp(tau - a, (1.0 - a) + tau) - (1.0 - ramp(tau + a, 1.0 + tau + a));
}

/* Near 0 and for a small tau both ramps matter, and the 1 of each is left out of the difference. */
static double downhill(double tau, double a)
{
    if (tau + a >= 0.5) return ramp_slope(tau - a, (1.0 - a) + tau);
    return a < tau ? 4.0 * a : 2.0 * (tau + a);
}

static double slope(double tau, double u)
{
    return u > 0.0 ? -downhill(tau, u) : downhill(tau, -u);
}

static double plus_curvature(double z)
{
    return z > 0.0 && z < 0.5 ? 2.0 : 0.0;
}

static double curvature1(double tau, double u)
{
    return plus_curvature(tau + 1.0 - u) + plus_curvature(tau + 1.0 + u);
}

static double curvature2(double tau, double u)
{
    return plus_curvature(tau - u) + plus_curvature(tau + u);
}

static double curvature(double tau, double u)
{
    return curvature1(tau, u) - curvature2(tau, u);
}

static double phi_change(const dcpn_loss *loss, double y, double u, double s)
{
    double tau = loss->parameter;
    double first = fmin(tau, fabs(tau - 0.5)), second = fmax(tau, fabs(tau - 0.5));
    const double corners[] = {-tau - 1.0, -tau - 0.5, -second, -first, first, second, tau + 0.5, tau + 1.0};
    (void)y;
    return piecewise_change(&(struct piecewise){slope, curvature, tau}, 8, corners, u, s);
}

static double phi1(const dcpn_loss *loss, double y, double u)
{
    double end = loss->parameter + 1.0;
    (void)y;
    return plus(end - u) + plus(end + u);
}

static double slope1(double tau, double u)
{
    return plus_slope(tau + 1.0 + u) - plus_slope(tau + 1.0 - u);
}

static double phi1_change(const dcpn_loss *loss, double y, double u, double s)
{
    double end = loss->parameter + 1.0;
    const double corners[] = {-end, 0.5 - end, end - 0.5, end};
    (void)y;
    return piecewise_change(&(struct piecewise){slope1, curvature1, loss->parameter}, 4, corners, u, s);
}

static double phi1_slope(const dcpn_loss *loss, double y, double u)
{
    (void)y;
    return slope1(loss->parameter, u);
}

static double phi1_curvature(const dcpn_loss *loss, double y, double u)
{
    (void)y;
    return curvature1(loss->parameter, u);
}

static double phi2(const dcpn_loss *loss, double y, double u)
{
    (void)y;
    return 1.0 + plus(loss->parameter - u) + plus(loss->parameter + u);
}

static double phi2_slope(const dcpn_loss *loss, double y, double u)
{
    (void)y;
    return plus_slope(loss->parameter + u) - plus_slope(loss->parameter - u);
}

static double phi2_curvature(const dcpn_loss *loss, double y, double u)
{
    (void)y;
    return curvature2(loss->parameter, u);
}

static double curvature1_sup(const dcpn_loss *loss)
{
    (void)loss;
    return 2.0;
}

#define HAS_PHI2
#include "loss/rows.inc"

const dcpn_loss_ops dcpn_loss_symmetric_ramp = {
    .name = "symmetric-ramp",
    .formula = "p(z + 1) - p(z), z = tau - |u|, p(z) = z^2 to z = 1/2, z - 1/4 beyond (tau >= 1/2)",
    .split = "phi1 = p(tau + 1 - u) + p(tau + 1 + u), phi2 = 1 + p(tau - u) + p(tau + u)",
    .parameter = "tau",
    .targets = DCPN_NO_TARGETS,
    .curvature1_sup = curvature1_sup,
    ROWWISE,
};
