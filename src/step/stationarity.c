/* SPDX-License-Identifier: BSD-3-Clause */
/* The certificate: max_j dist(0, grad_j f(x) + dh1_j(x) - dh2_j(x)), at a kink of h2 with the worse end of dh2_j. It
 * is 0 exactly at the stationary points of the paper that are stationary in both directions of every coordinate. */
#include "step/step.h"

#include <math.h>

double dcpn_stationarity(const struct objective *objective, const struct point *point, const double *z_h2)
{
    const struct glance *glance = objective->glance;
    double largest = 0.0;
    if (!glance || glance->count < 0)
        return dcpn_penalty_largest_violation(&objective->penalty, point->x, point->gradient, z_h2);
    for (int64_t i = 0; i < glance->count; i++) { /* the others, which are not in use, violate nothing */
        int64_t j = glance->columns[i];
        double violation = dcpn_penalty_violation(&objective->penalty, j, point->x[j], point->gradient[j]);
        if (violation > largest || isnan(violation)) largest = violation; /* NaN stays */
    }
    return largest;
}
