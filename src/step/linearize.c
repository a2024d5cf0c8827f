/* SPDX-License-Identifier: BSD-3-Clause */
/* Linearise the concave parts: z_h2 in dh2(x), z_f2 = grad f2(x), v = grad f1(x) - z_f2 - z_h2. */
#include "step/step.h"

void dcpn_linearize(const struct objective *objective, const struct point *point, double *z_h2, double *v)
{
    dcpn_penalty_linearize(&objective->penalty, point->x, point->gradient, z_h2);
    for (int64_t j = 0; j < objective->size; j++) v[j] = point->gradient[j] - z_h2[j]; /* grad f = grad f1 - z_f2 */
}
