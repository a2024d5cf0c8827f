/* SPDX-License-Identifier: BSD-3-Clause */
/* Huber's loss, r = u - y: phi = r^2 / 2 for |r| <= delta, delta |r| - delta^2 / 2 beyond. */
#include <math.h>

#include "loss/loss.h"

static double clip(double r, double delta)
{
    return fmax(-delta, fmin(r, delta));
}

static double phi(const dcpn_loss *loss, double y, double u)
{
    double r = u - y, inside = clip(r, loss->parameter);
    return inside * (r - 0.5 * inside);
}

/* The step is cut at the corners it crosses. Between corners phi is at most quadratic, and its change is the step times
 * the slope in the middle. */
static double phi_change(const dcpn_loss *loss, double y, double u, double s)
{
    double delta = loss->parameter, r = u - y, sum = 0.0;
    for (int crossed = 0; crossed < 2; crossed++) {
        double ahead = s > 0.0 ? (r < -delta ? -delta : delta) : (r > delta ? delta : -delta);
        double piece = ahead - r;
        if ((s > 0.0 ? piece <= 0.0 : piece >= 0.0) || fabs(piece) >= fabs(s)) break;
        sum += piece * clip(r + 0.5 * piece, delta);
        r = ahead;
        s -= piece;
    }
    return sum + s * clip(r + 0.5 * s, delta);
}

static double phi1_slope(const dcpn_loss *loss, double y, double u)
{
    return clip(u - y, loss->parameter);
}

static double phi1_curvature(const dcpn_loss *loss, double y, double u)
{
    return fabs(u - y) <= loss->parameter ? 1.0 : 0.0;
}

/* Beyond delta phi'' is 0, and a Newton step would be as long as the floor of the metric lets it. The parabola of
 * iteratively reweighted least squares has curvature delta / |r|. */
static double phi1_touching(const dcpn_loss *loss, double y, double u)
{
    return loss->parameter / fmax(fabs(u - y), loss->parameter);
}

static double curvature1_sup(const dcpn_loss *loss)
{
    (void)loss;
    return 1.0;
}

#define phi1 phi
#include "loss/rows.inc"
ROWS_MAP(rows_touching1, phi1_touching)

const dcpn_loss_ops dcpn_loss_huber = {
    .name = "huber",
    .formula = "1/2 r^2 if |r| <= delta else delta |r| - delta^2/2, r = u - y",
    .parameter = "delta",
    .targets = DCPN_NUMBERS,
    .touching1 = rows_touching1,
    .curvature1_sup = curvature1_sup,
    ROWWISE,
};
