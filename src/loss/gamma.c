/* SPDX-License-Identifier: BSD-3-Clause */
/* Gamma loss of positive labels with mean e^u: phi(u) = y e^-u + u. Its curvature y e^-u has no bound. */
#include <math.h>

#include "loss/exponential_change.h"
#include "loss/loss.h"

static double phi(const dcpn_loss *loss, double y, double u)
{
    (void)loss;
    return y * bounded_exp(-u) + u;
}

static double phi_change(const dcpn_loss *loss, double y, double u, double s)
{
    (void)loss;
    return exponential_change(y, 1.0, -u, -s);
}

static double phi1_slope(const dcpn_loss *loss, double y, double u)
{
    (void)loss;
    return 1.0 - y * bounded_exp(-u);
}

static double phi1_curvature(const dcpn_loss *loss, double y, double u)
{
    (void)loss;
    return y * bounded_exp(-u);
}

static double least(const dcpn_loss *loss, double y)
{
    (void)loss;
    return 1.0 + log(y);
}

static int takes(double y)
{
    return y > 0.0;
}

#define phi1 phi
#include "loss/rows.inc"

const dcpn_loss_ops dcpn_loss_gamma = {
    .name = "gamma",
    .formula = "y exp(-u) + u",
    .targets = DCPN_NUMBERS,
    .response.takes = takes,
    .response.takes_what = "numbers above 0",
    .response.mean = bounded_exp,
    .response.least = least,
    ROWWISE,
};
