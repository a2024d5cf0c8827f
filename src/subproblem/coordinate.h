/* SPDX-License-Identifier: BSD-3-Clause */
/* A quadratic model by its coordinates: what each of them sees, and moves of them. */
#ifndef DCPN_SRC_COORDINATE_H
#define DCPN_SRC_COORDINATE_H

#include <math.h>

#include "base/tuning.h"
#include "subproblem/subproblem.h"

/* How far 0 is from q_j + dh1_j, with q_j = v_j + (Hd)_j. */
static inline double dcpn_coordinate_violation(const struct quadratic_model *model, int64_t j, double y, double q)
{
    return dcpn_penalty_escape1(model->h1, j, y, q);
}

/* The coordinates that take turns: all but an intercept that follows. */
static inline int64_t dcpn_coordinates_in_turn(const struct quadratic_model *model)
{
    return model->size - model->intercept_follows;
}

/* Returns how far the intercept moves for each unit that x_j moves. */
static inline double dcpn_coordinate_pull(const struct quadratic_model *model, int64_t j)
{
    struct metric *H = model->H;
    return model->intercept_follows ? -H->ops->walk.coupling(H, j) / H->ops->diagonal(H, model->size - 1) : 0.0;
}

static inline double dcpn_coordinate_curvature(const struct quadratic_model *model, int64_t j)
{
    struct metric *H = model->H;
    double diagonal = H->ops->diagonal(H, j);
    return model->intercept_follows ? diagonal + dcpn_coordinate_pull(model, j) * H->ops->walk.coupling(H, j)
                                    : diagonal;
}

/* Returns the curvature of h that is added to H_jj, limited so that a good part of H_jj is left. */
static inline double dcpn_coordinate_bend(const struct quadratic_model *model, int64_t j)
{
    if (!model->bend || model->bend[j] == 0.0) return 0.0;
    return fmax(model->bend[j], -CD_MOST_BEND * dcpn_coordinate_curvature(model, j));
}

/* Moves coordinate j to x_j + d_j = y. */
static inline void dcpn_coordinate_move(const struct quadratic_model *model, int64_t j, double y, double *d)
{
    struct metric *H = model->H;
    double moved = y - model->x[j], delta = moved - d[j];
    if (delta == 0.0) return;
    H->ops->walk.move(H, j, delta);
    d[j] = moved;
    if (!model->intercept_follows) return;
    H->ops->walk.move(H, model->size - 1, dcpn_coordinate_pull(model, j) * delta);
    d[model->size - 1] += dcpn_coordinate_pull(model, j) * delta;
}

/* Minimises over coordinate j; returns its violation before. */
static inline double dcpn_coordinate_minimize(const struct quadratic_model *model, int64_t j, double *d)
{
    struct metric *H = model->H;
    double bend = dcpn_coordinate_bend(model, j), y = model->x[j] + d[j];
    double q = model->v[j] + H->ops->walk.product(H, d, j) + bend * d[j];
    double violation = dcpn_coordinate_violation(model, j, y, q);
    if (violation == 0.0) return 0.0;
    double curvature = dcpn_coordinate_curvature(model, j) + bend;
    dcpn_coordinate_move(model, j, dcpn_penalty_prox1_of(model->h1, j, y - q / curvature, model->h1->c[j] / curvature),
                         d);
    return violation;
}

/* Moves the intercept, if it follows the other coordinates, to where the model is least; rounding has taken it away
 * from there. */
static inline double dcpn_coordinate_settle_intercept(const struct quadratic_model *model, double *d)
{
    struct metric *H = model->H;
    int64_t last = model->size - 1;
    if (!model->intercept_follows) return 0.0;
    double q = model->v[last] + H->ops->walk.product(H, d, last), delta = -q / H->ops->diagonal(H, last);
    H->ops->walk.move(H, last, delta);
    d[last] += delta;
    return fabs(q);
}

static inline double dcpn_coordinates_value(const struct quadratic_model *model, const int64_t *list, int64_t count,
                                            const double *d)
{
    double linear = model->intercept_follows ? model->v[model->size - 1] * d[model->size - 1] : 0.0;
    for (int64_t i = 0; i < count; i++) {
        int64_t j = list[i];
        linear += (model->v[j] + 0.5 * dcpn_coordinate_bend(model, j) * d[j]) * d[j] +
                  model->h1->c[j] * (fabs(model->x[j] + d[j]) - fabs(model->x[j]));
    }
    return 0.5 * model->H->ops->walk.form(model->H, d) + linear;
}

/* Moves the coordinates on the list to x + d = y. */
static inline void dcpn_coordinates_move_to(const struct quadratic_model *model, const int64_t *list, int64_t count,
                                            const double *y, double *d)
{
    for (int64_t i = 0; i < count; i++) dcpn_coordinate_move(model, list[i], y[i], d);
}

/* Moves the coordinates on the list to x + d = guess if the model is lower there than at y, where they are now.
 * Returns 1 if they stay there. */
static inline int dcpn_coordinates_take_if_lower(const struct quadratic_model *model, const int64_t *list,
                                                 int64_t count, const double *y, const double *guess, double *d)
{
    double before = dcpn_coordinates_value(model, list, count, d);
    dcpn_coordinates_move_to(model, list, count, guess, d);
    if (dcpn_coordinates_value(model, list, count, d) < before) return 1;
    dcpn_coordinates_move_to(model, list, count, y, d);
    return 0;
}

#endif
