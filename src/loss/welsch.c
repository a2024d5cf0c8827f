/* SPDX-License-Identifier: BSD-3-Clause */
/* Welsch's loss, r = u - y: phi = delta^2/2 (1 - exp(-(r/delta)^2)), r^2/2 near 0. An outlier costs at most delta^2/2:
 * robust, and not convex.
 *     phi1 = r^2/2,   phi2 = r^2/2 - phi,   phi2'' = 1 - (1 - 2v) exp(-v) >= 0 with v = (r/delta)^2 */
#include "loss/bell_function.h"
#include "loss/squared_function.h"

static double square(double r, const dcpn_loss *loss)
{
    return r / loss->parameter * (r / loss->parameter);
}

static double phi(const dcpn_loss *loss, double y, double u)
{
    return -0.5 * loss->parameter * loss->parameter * expm1(-square(u - y, loss));
}

static double phi_change(const dcpn_loss *loss, double y, double u, double s)
{
    double delta = loss->parameter;
    return -0.5 * delta * delta * gaussian_change(1.0, (u - y) / delta, s / delta);
}

/* v - (1 - exp(-v)), by its series where the difference would cancel */
static double excess(double v)
{
    if (v > 0.5) return v + expm1(-v);
    double term = 0.5 * v * v, sum = 0.0;
    for (int k = 3; k < 16; k++) {
        sum += term;
        term *= -v / k;
    }
    return sum;
}

static double phi2(const dcpn_loss *loss, double y, double u)
{
    return 0.5 * loss->parameter * loss->parameter * excess(square(u - y, loss));
}

static double phi2_slope(const dcpn_loss *loss, double y, double u)
{
    return -(u - y) * expm1(-square(u - y, loss));
}

static double phi2_curvature(const dcpn_loss *loss, double y, double u)
{
    double v = fmin(square(u - y, loss), 1e3);
    return 2.0 * v * exp(-v) - expm1(-v);
}

#define HAS_PHI2
#include "loss/rows.inc"

const dcpn_loss_ops dcpn_loss_welsch = {
    .name = "welsch",
    .formula = "delta^2/2 (1 - exp(-(r/delta)^2)), r = u - y",
    .split = "phi1 = r^2/2, phi2 = r^2/2 - phi",
    .parameter = "delta",
    .targets = DCPN_NUMBERS,
    .curvature1_sup = curvature1_sup,
    .flat_far_out = 1,
    ROWWISE,
};
