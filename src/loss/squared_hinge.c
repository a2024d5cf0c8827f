/* SPDX-License-Identifier: BSD-3-Clause */
/* Squared hinge: phi(u) = max(0, 1 - y u)^2, y = -1 or +1. Its second derivative jumps at the margin; any value
 * between the two sides is a generalised one. */
#include <math.h>

#include "loss/loss.h"

static double shortfall(double m)
{
    return m < 1.0 ? 1.0 - m : 0.0;
}

static double phi(const dcpn_loss *loss, double y, double u)
{
    (void)loss;
    return shortfall(y * u) * shortfall(y * u);
}

/* (a - b)(a + b), with a - b taken from the step wherever both ends are short of the margin, and a from b and the step:
 * 1 - y (u + s) would lose the digits of s */
static double phi_change(const dcpn_loss *loss, double y, double u, double s)
{
    (void)loss;
    double room = 1.0 - y * u, before = fmax(room, 0.0), after = fmax(room - y * s, 0.0);
    double difference = before > 0.0 && after > 0.0 ? -y * s : after - before;
    return difference * (after + before);
}

static double phi1_slope(const dcpn_loss *loss, double y, double u)
{
    (void)loss;
    return -2.0 * y * shortfall(y * u);
}

static double phi1_curvature(const dcpn_loss *loss, double y, double u)
{
    (void)loss;
    return y * u < 1.0 ? 2.0 : 0.0;
}

static double curvature1_sup(const dcpn_loss *loss)
{
    (void)loss;
    return 2.0;
}

#define phi1 phi
#include "loss/rows.inc"

const dcpn_loss_ops dcpn_loss_squared_hinge = {
    .name = "squared-hinge",
    .formula = "max(0, 1 - y u)^2",
    .targets = DCPN_CLASSES,
    .curvature1_sup = curvature1_sup,
    ROWWISE,
};
