/* SPDX-License-Identifier: BSD-3-Clause */
/* A step of a first-order method: x + d = prox(x - v/L), with the prox of h1 (h2 being linearised in v) or of h. */
#include "base/vector.h"
#include "step/step.h"

void dcpn_gradient_step_layout(struct gradient_step *step, const struct objective *objective, struct arena *arena)
{
    step->forward = dcpn_arena_doubles(arena, objective->size);
    step->d = dcpn_arena_doubles(arena, objective->size);
    step->du = dcpn_arena_doubles(arena, objective->rows);
}

void dcpn_gradient_step(struct objective *objective, const struct point *point, const double *v, enum prox_of prox_of,
                        struct gradient_step *step)
{
    int64_t size = objective->size;
    for (int64_t j = 0; j < size; j++) step->forward[j] = point->x[j] - v[j] / step->L;
    if (prox_of == PROX_OF_H)
        dcpn_penalty_prox(&objective->penalty, step->forward, 1.0 / step->L, step->d);
    else
        dcpn_penalty_prox1(&objective->penalty, step->forward, 1.0 / step->L, step->d);
    for (int64_t j = 0; j < size; j++) step->d[j] -= point->x[j];
    dcpn_objective_look_ahead(objective, point, step->d, step->du);
    step->length2 = dcpn_dot(size, step->d, step->d);
    step->change = dcpn_objective_change(objective, point, step->d, step->du, 1.0);
    step->trials++;
}

double dcpn_spectral_scale(int64_t size, const double *x, const double *x_before, const double *gradient,
                           const double *gradient_before)
{
    double ss = 0.0, sy = 0.0;
    for (int64_t j = 0; j < size; j++) {
        double s = x[j] - x_before[j], y = gradient[j] - gradient_before[j];
        ss += s * s;
        sy += s * y;
    }
    return ss > 0.0 ? sy / ss : 0.0;
}
