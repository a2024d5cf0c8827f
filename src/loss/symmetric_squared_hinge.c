/* SPDX-License-Identifier: BSD-3-Clause */
/* Symmetric squared hinge, for a row without a label (Joachims): max(0, 1 - |u|)^2, its peak at 0 rounded by the
 * parabola 1/2 - u^2 that touches it at |u| = 1/2.
 *     phi1 = 1/2 + u^2 to |u| = 1, 2|u| - 1/2 beyond;   phi2 = 2 u^2 to |u| = 1/2, 2|u| - 1/2 beyond */
#include "loss/loss.h"
#include "loss/piecewise.h"

static double phi(const dcpn_loss *loss, double y, double u)
{
    double a = fabs(u);
    (void)loss;
    (void)y;
    if (a <= 0.5) return 0.5 - a * a;
    return a < 1.0 ? (1.0 - a) * (1.0 - a) : 0.0;
}

static double slope(double parameter, double u)
{
    double a = fabs(u), size = 2.0 * (a <= 0.5 ? a : fmax(0.0, 1.0 - a));
    (void)parameter;
    return u > 0.0 ? -size : size;
}

static double curvature(double parameter, double u)
{
    double a = fabs(u);
    (void)parameter;
    return a < 0.5 ? -2.0 : a < 1.0 ? 2.0 : 0.0;
}

static double phi_change(const dcpn_loss *loss, double y, double u, double s)
{
    static const double CORNERS[] = {-1.0, -0.5, 0.5, 1.0};
    (void)loss;
    (void)y;
    return piecewise_change(&(struct piecewise){slope, curvature, 0.0}, 4, CORNERS, u, s);
}

static double phi1(const dcpn_loss *loss, double y, double u)
{
    double a = fabs(u);
    (void)loss;
    (void)y;
    return a <= 1.0 ? 0.5 + a * a : 2.0 * a - 0.5;
}

static double slope1(double parameter, double u)
{
    (void)parameter;
    return 2.0 * fmax(-1.0, fmin(u, 1.0));
}

static double curvature1(double parameter, double u)
{
    (void)parameter;
    return fabs(u) < 1.0 ? 2.0 : 0.0;
}

static double phi1_change(const dcpn_loss *loss, double y, double u, double s)
{
    static const double CORNERS[] = {-1.0, 1.0};
    (void)loss;
    (void)y;
    return piecewise_change(&(struct piecewise){slope1, curvature1, 0.0}, 2, CORNERS, u, s);
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
    double a = fabs(u);
    (void)loss;
    (void)y;
    return a <= 0.5 ? 2.0 * a * a : 2.0 * a - 0.5;
}

static double phi2_slope(const dcpn_loss *loss, double y, double u)
{
    (void)loss;
    (void)y;
    return 4.0 * fmax(-0.5, fmin(u, 0.5));
}

static double phi2_curvature(const dcpn_loss *loss, double y, double u)
{
    (void)loss;
    (void)y;
    return fabs(u) < 0.5 ? 4.0 : 0.0;
}

/* Beyond 1 phi1 is linear: the parabola that touches it there from above, as that of huber. */
static double phi1_touching(const dcpn_loss *loss, double y, double u)
{
    (void)loss;
    (void)y;
    return 2.0 / fmax(fabs(u), 1.0);
}

static double curvature1_sup(const dcpn_loss *loss)
{
    (void)loss;
    return 2.0;
}

#define HAS_PHI2
#include "loss/rows.inc"
ROWS_MAP(rows_touching1, phi1_touching)

const dcpn_loss_ops dcpn_loss_symmetric_squared_hinge = {
    .name = "symmetric-squared-hinge",
    .formula = "max(0, 1 - |u|)^2, 1/2 - u^2 for |u| <= 1/2",
    .split = "phi1 = 1/2 + u^2 to |u| = 1, 2|u| - 1/2 beyond; phi2 = 2 u^2 to |u| = 1/2, 2|u| - 1/2 beyond",
    .targets = DCPN_NO_TARGETS,
    .touching1 = rows_touching1,
    .curvature1_sup = curvature1_sup,
    ROWWISE,
};
