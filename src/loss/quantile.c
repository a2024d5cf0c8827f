/* SPDX-License-Identifier: BSD-3-Clause */
/* Smoothed quantile loss, r = u - y, q the quantile, d the smoothing:
 *     phi = s(r) / 2 + (1/2 - q) r,   s(r) = r^2 / (2 d) for |r| <= d, |r| - d/2 beyond
 * Where d is small this is q |r| for labels above the score and (1 - q) |r| for those below. */
#include <math.h>

#include "loss/loss.h"
#include "loss/piecewise.h"

static double share(double d, double r)
{
    return 0.5 * fmax(-1.0, fmin(r / d, 1.0));
}

static double share_slope(double d, double r)
{
    return fabs(r) <= d ? 0.5 / d : 0.0;
}

static double phi(const dcpn_loss *loss, double y, double u)
{
    double d = loss->second, r = u - y, inside = fmax(-d, fmin(r, d));
    return inside / d * (r - 0.5 * inside) / 2.0 + (0.5 - loss->parameter) * r;
}

static double phi_change(const dcpn_loss *loss, double y, double u, double s)
{
    double d = loss->second;
    const struct piecewise half = {share, share_slope, d};
    const double corners[] = {-d, d};
    return piecewise_change(&half, 2, corners, u - y, s) + (0.5 - loss->parameter) * s;
}

static double phi1_slope(const dcpn_loss *loss, double y, double u)
{
    return share(loss->second, u - y) + (0.5 - loss->parameter);
}

static double phi1_curvature(const dcpn_loss *loss, double y, double u)
{
    return share_slope(loss->second, u - y);
}

/* Beyond d phi'' is 0. The parabola of iteratively reweighted least squares has curvature 1 / (2 |r|). */
static double phi1_touching(const dcpn_loss *loss, double y, double u)
{
    return 0.5 / fmax(fabs(u - y), loss->second);
}

static double curvature1_sup(const dcpn_loss *loss)
{
    return 0.5 / loss->second;
}

/* where r = d (2 q - 1) */
static double least(const dcpn_loss *loss, double y)
{
    double tilt = 2.0 * loss->parameter - 1.0;
    (void)y;
    return -0.25 * loss->second * tilt * tilt;
}

#define phi1 phi
#include "loss/rows.inc"
ROWS_MAP(rows_touching1, phi1_touching)

const dcpn_loss_ops dcpn_loss_quantile = {
    .name = "quantile",
    .formula = "s(r)/2 + (1/2 - q) r, s(r) = |r| made smooth within d, r = u - y, q the quantile, d the smoothing",
    .parameter = "quantile smoothing",
    .targets = DCPN_NUMBERS,
    .touching1 = rows_touching1,
    .curvature1_sup = curvature1_sup,
    .response.least = least,
    ROWWISE,
};
