/* SPDX-License-Identifier: BSD-3-Clause */
/* Squared loss: phi(u) = 1/2 (u - y)^2. */
#include "loss/loss.h"

static double phi(const dcpn_loss *loss, double y, double u)
{
    (void)loss;
    return 0.5 * (u - y) * (u - y);
}

static double phi_change(const dcpn_loss *loss, double y, double u, double s)
{
    (void)loss;
    return s * ((u - y) + 0.5 * s);
}

static double phi1_slope(const dcpn_loss *loss, double y, double u)
{
    (void)loss;
    return u - y;
}

static double phi1_curvature(const dcpn_loss *loss, double y, double u)
{
    (void)loss;
    (void)y;
    (void)u;
    return 1.0;
}

static double curvature1_sup(const dcpn_loss *loss)
{
    (void)loss;
    return 1.0;
}

#define phi1 phi
#include "loss/rows.inc"

const dcpn_loss_ops dcpn_loss_squared = {
    .name = "squared",
    .formula = "1/2 (u - y)^2",
    .targets = DCPN_NUMBERS,
    .curvature1_sup = curvature1_sup,
    ROWWISE,
};
