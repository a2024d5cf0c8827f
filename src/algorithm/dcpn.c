/* SPDX-License-Identifier: BSD-3-Clause */
/* Algorithm 1 of the paper: DC proximal Newton. */
#include "algorithm/algorithm.h"
#include "base/vector.h"

static void layout(struct algorithm *a, struct arena *arena)
{
    a->z_h2 = dcpn_arena_doubles(arena, a->objective.size);
    a->v = dcpn_arena_doubles(arena, a->objective.size);
    a->direction.d = dcpn_arena_doubles(arena, a->objective.size);
    a->du = dcpn_arena_doubles(arena, a->objective.rows);
}

static void start(struct algorithm *a)
{
    dcpn_point_evaluate(&a->objective, &a->point);
    dcpn_fill(a->objective.size, 0.0, a->direction.d);
    a->direction.D = 0.0;
    a->direction.iterations = 0;
    a->search = (struct line_search){0};
    a->H->ops->prepare(a->H);
    a->subsolver->ops->prepare(a->subsolver);
}

static void look(struct algorithm *a)
{
    dcpn_point_gradients(&a->objective, &a->point);                      /* grad f1(x_k), z_f2 = grad f2(x_k) */
    dcpn_linearize(&a->objective, &a->point, a->z_h2, a->v);             /* z_h2, v_k = grad f1 - z_f2 - z_h2 */
    a->stationarity = dcpn_stationarity(&a->objective, &a->point, a->z_h2);
}

static int step(struct algorithm *a)
{
    struct objective *F = &a->objective;
    struct point *x = &a->point;
    struct direction *delta = &a->direction;
    struct quadratic_model model = {a->H, a->v, x->x, &F->penalty, F->size};

    a->H->ops->update(a->H, x, a->search.t);                             /* H_k */
    dcpn_direction(a->subsolver, &model, a->stationarity, &a->direction_rule, delta); /* d_k, D_k */
    a->search.trials = 0;
    if (!(delta->D < 0.0)) return 0;
    dcpn_design_apply(&F->design, delta->d, a->du);                      /* A d_k, once */
    a->search = dcpn_backtrack(F, x, delta->d, a->du, delta->D, a->alpha, a->majorize); /* t_k */
    if (!(a->search.t > 0.0)) return 0;
    dcpn_point_move(F, x, delta->d, a->du, a->search.t, a->search.change); /* x_{k+1} = x_k + t_k d_k */

    for (int64_t j = 0; j < F->size; j++) delta->d[j] *= 1.0 - a->search.t; /* the next solve starts from x_k + d_k */
    return 1;
}

const struct algorithm_ops dcpn_algorithm_dcpn = {
    .name = "dcpn",
    .formula = "DC proximal Newton: x_{k+1} = x_k + t_k d_k, d_k = prox_{h1}^{H_k}(x_k - H_k^-1 v_k) - x_k",
    .layout = layout,
    .start = start,
    .look = look,
    .step = step,
};
