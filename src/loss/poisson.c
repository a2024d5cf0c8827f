/* SPDX-License-Identifier: BSD-3-Clause */
/* Poisson loss of counts y >= 0 with mean e^u: phi(u) = e^u - y u. Its curvature e^u has no bound, so that the line
 * search alone says how long a step may be. An offset is the logarithm of the exposure. */
#include <math.h>

#include "loss/exponential_change.h"
#include "loss/loss.h"

static double phi(const dcpn_loss *loss, double y, double u)
{
    (void)loss;
    return bounded_exp(u) - y * u;
}

static double phi_change(const dcpn_loss *loss, double y, double u, double s)
{
    (void)loss;
    return exponential_change(1.0, y, u, s);
}

static double phi1_slope(const dcpn_loss *loss, double y, double u)
{
    (void)loss;
    return bounded_exp(u) - y;
}

static double phi1_curvature(const dcpn_loss *loss, double y, double u)
{
    (void)loss;
    (void)y;
    return bounded_exp(u);
}

static double least(const dcpn_loss *loss, double y)
{
    (void)loss;
    return y > 0.0 ? y - y * log(y) : 0.0;
}

static int takes(double y)
{
    return y >= 0.0;
}

#define phi1 phi
#include "loss/rows.inc"

const dcpn_loss_ops dcpn_loss_poisson = {
    .name = "poisson",
    .formula = "exp(u) - y u",
    .targets = DCPN_NUMBERS,
    .response.takes = takes,
    .response.takes_what = "counts, none below 0,",
    .response.mean = bounded_exp,
    .response.least = least,
    ROWWISE,
};
