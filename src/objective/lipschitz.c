/* SPDX-License-Identifier: BSD-3-Clause */
/* How strongly f1 curves: along a direction, at most as estimated, at most for certain. */
#include <math.h>

#include "base/tuning.h"
#include "base/vector.h"
#include "objective/objective.h"

/* Curvature of f1 along d at the point: d'(Hessian of f1)d / d'd. 0 if it cannot be told. */
static double curvature_along(struct objective *objective, const struct point *point, const double *d, double *scratch)
{
    double length2 = dcpn_dot(objective->size, d, d), sum = 0.0;
    if (!dcpn_loss_has_curvature(&objective->loss) || !(length2 > 0.0)) return 0.0;
    dcpn_loss_curvature1(&objective->loss, point->u, objective->r);
    dcpn_design_apply(&objective->design, d, scratch);
    for (int64_t i = 0; i < objective->rows; i++) sum += objective->r[i] * scratch[i] * scratch[i];
    return sum / length2 + objective->ridge;
}

double dcpn_objective_first_curvature(struct objective *objective, const struct point *point, double *scratch)
{
    double along = curvature_along(objective, point, point->gradient, scratch);
    if (along > 0.0) return along;
    double length = dcpn_norm2(objective->size, point->gradient);
    return length > 0.0 ? length / fmax(1.0, dcpn_norm2(objective->size, point->x)) : 1.0;
}

/* scratch = w.(A direction), direction = A'scratch / |A'scratch|; returns the norm, which tends to the eigenvalue. */
static double power_step(struct objective *objective, double *direction, double *scratch)
{
    dcpn_design_apply(&objective->design, direction, scratch);
    for (int64_t i = 0; i < objective->rows; i++) scratch[i] *= objective->loss.rows.w[i];
    dcpn_design_adjoint(&objective->design, scratch, direction);
    double norm = dcpn_norm2(objective->size, direction);
    for (int64_t j = 0; j < objective->size && norm > 0.0; j++) direction[j] /= norm;
    return norm;
}

double dcpn_objective_lipschitz_estimate(struct objective *objective, double *direction, double *scratch)
{
    double sup = dcpn_loss_curvature1_sup(&objective->loss), norm = 0.0;
    if (objective->loss.own) return sup > 0.0 ? sup + objective->ridge : 0.0;
    /* A start without symmetry, so that no pattern in the columns can be orthogonal to it by design. */
    for (int64_t j = 0; j < objective->size; j++) direction[j] = 1.0 + (double)(j % 7) / 7.0;
    double start = dcpn_norm2(objective->size, direction);
    for (int64_t j = 0; j < objective->size; j++) direction[j] /= start;
    for (int k = 0; k < POWER_ITERATIONS; k++) {
        double next = power_step(objective, direction, scratch);
        if (fabs(next - norm) <= 1e-3 * next) return sup * next + objective->ridge;
        norm = next;
    }
    return sup * norm + objective->ridge;
}

double dcpn_objective_lipschitz_bound(struct objective *objective)
{
    double sup = dcpn_loss_curvature1_sup(&objective->loss), trace = 0.0;
    if (objective->loss.own) return sup > 0.0 ? sup + objective->ridge : 0.0;
    for (int64_t j = 0; j < objective->size; j++)
        trace += dcpn_design_column_curvature(&objective->design, j, objective->loss.rows.w);
    return sup * trace + objective->ridge;
}
