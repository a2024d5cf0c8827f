/* SPDX-License-Identifier: BSD-3-Clause */
/* F and its gradients at a point, and its change along a direction. */
#include "objective/objective.h"

#include "base/vector.h"

void dcpn_objective_layout(struct objective *objective, struct arena *arena)
{
    dcpn_loss_layout(&objective->loss, arena);
    dcpn_penalty_layout(&objective->penalty, arena);
    objective->r = dcpn_arena_doubles(arena, objective->rows);
    objective->r2 = dcpn_arena_doubles(arena, dcpn_loss_has_phi2(&objective->loss) ? objective->rows : 0);
}

void dcpn_point_layout(const struct objective *objective, struct point *point, struct arena *arena)
{
    int apart = objective->f1_apart && dcpn_loss_has_phi2(&objective->loss);
    point->x = dcpn_arena_doubles(arena, objective->size);
    point->u = dcpn_arena_doubles(arena, objective->rows);
    point->gradient = dcpn_arena_doubles(arena, objective->size);
    point->gradient1 = apart ? dcpn_arena_doubles(arena, objective->size) : point->gradient;
}

double dcpn_objective_smooth(const struct objective *objective, const double *x, const double *u)
{
    double f = dcpn_loss_value(&objective->loss, u);
    if (objective->ridge > 0.0) f += 0.5 * objective->ridge * dcpn_dot(objective->features, x, x);
    if (objective->tilt) f -= dcpn_dot(objective->size, objective->tilt, x);
    return f;
}

void dcpn_point_value(struct objective *objective, struct point *point)
{
    point->value =
        dcpn_objective_smooth(objective, point->x, point->u) + dcpn_penalty_value(&objective->penalty, point->x);
}

void dcpn_point_evaluate(struct objective *objective, struct point *point)
{
    dcpn_design_apply(&objective->design, point->x, point->u);
    if (objective->offset) dcpn_axpy(objective->rows, 1.0, objective->offset, point->u);
    dcpn_point_value(objective, point);
}

/* A'r, and the ridge term of f1. */
static void weighted_rows(struct objective *objective, const double *x, double *gradient)
{
    dcpn_design_adjoint(&objective->design, objective->r, gradient);
    if (objective->ridge > 0.0) dcpn_axpy(objective->features, objective->ridge, x, gradient);
}

/* grad f1 and grad f2 = z_f2 each by a product of their own. */
static void gradients_apart(struct objective *objective, struct point *point)
{
    weighted_rows(objective, point->x, point->gradient1);
    dcpn_design_adjoint(&objective->design, objective->r2, point->gradient);
    for (int64_t j = 0; j < objective->size; j++) point->gradient[j] = point->gradient1[j] - point->gradient[j];
}

void dcpn_point_slopes(struct objective *objective, const struct point *point)
{
    dcpn_loss_slope1(&objective->loss, point->u, objective->r);
    if (!dcpn_loss_has_phi2(&objective->loss)) return;
    dcpn_loss_slope2(&objective->loss, point->u, objective->r2);
    if (point->gradient1 == point->gradient) dcpn_axpy(objective->rows, -1.0, objective->r2, objective->r);
}

void dcpn_point_gradients(struct objective *objective, struct point *point)
{
    int apart = point->gradient1 != point->gradient;
    dcpn_point_slopes(objective, point);
    if (dcpn_loss_has_phi2(&objective->loss) && apart) {
        gradients_apart(objective, point);
    } else {
        weighted_rows(objective, point->x, point->gradient1);
        if (apart) dcpn_copy(objective->size, point->gradient1, point->gradient);
    }
    if (objective->tilt) dcpn_axpy(objective->size, -1.0, objective->tilt, point->gradient);
}

double dcpn_objective_change(const struct objective *objective, const struct point *point, const double *d,
                             const double *du, double t)
{
    double change = dcpn_loss_change(&objective->loss, point->u, du, t);
    if (objective->ridge > 0.0) {
        double xd = dcpn_dot(objective->features, point->x, d), dd = dcpn_dot(objective->features, d, d);
        change += objective->ridge * t * (xd + 0.5 * t * dd);
    }
    if (objective->tilt) change -= t * dcpn_dot(objective->size, objective->tilt, d);
    return change + dcpn_penalty_change(&objective->penalty, point->x, d, t);
}

void dcpn_point_move(const struct objective *objective, struct point *point, const double *d, const double *du,
                     double t, double change)
{
    dcpn_axpy(objective->size, t, d, point->x);
    dcpn_axpy(objective->rows, t, du, point->u);
    for (int64_t j = 0; objective->penalty.lower && j < objective->size; j++)
        point->x[j] = dcpn_penalty_clamp(&objective->penalty, j, point->x[j]); /* by rounding, if at all */
    point->value += change;
}
