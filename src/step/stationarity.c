/* SPDX-License-Identifier: BSD-3-Clause */
/* The certificate: max_j dist(0, grad_j f(x) + dh1_j(x) - dh2_j(x)), at a kink of h2 with the worse end of dh2_j. It
 * is 0 exactly at the stationary points of the paper that are stationary in both directions of every coordinate. */
#include "step/step.h"

double dcpn_stationarity(const struct objective *objective, const struct point *point, const double *z_h2)
{
    return dcpn_penalty_largest_violation(&objective->penalty, point->x, point->gradient, z_h2);
}
