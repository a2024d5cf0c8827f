/* SPDX-License-Identifier: BSD-3-Clause */
/* Algorithm 1 of the paper: DC proximal Newton. On a convex problem it is the proximal Newton method of Lee, Sun and
 * Saunders, which has a name of its own so that the problem is checked to be one.
 *
 *     z_f2 = grad f2(x_k), z_h2 in dh2(x_k), v_k = grad f1(x_k) - z_f2 - z_h2         the look at x_k (linearize.c)
 *     H_k                                                                             update
 *     d_k = prox_{h1}^{H_k}(x_k - H_k^-1 v_k) - x_k                                   direction.c
 *     t_k, the first of 1, 1/2, ... with F(x_k + t d_k) - F(x_k) <= alpha t D_k       backtrack.c
 *     x_{k+1} = x_k + t_k d_k                                                         move
 */
#include <math.h>

#include "algorithm/newton.h"

static void layout(struct algorithm *a, struct arena *arena)
{
    dcpn_algorithm_layout(a, arena);
    dcpn_model_layout((struct newton *)a, arena);
}

static void start(struct algorithm *a, const struct effort *effort)
{
    (void)effort;
    ((struct newton *)a)->careful = 0;
    if (!a->knows_u) a->subsolver->has_failed = 0; /* on a working set it is the descent around that begins */
    dcpn_algorithm_start(a);
    if (!(a->same_f && a->H->ops->remembers_f)) a->H->ops->prepare(a->H);
    a->subsolver->ops->prepare(a->subsolver);
}

static void state_of(struct algorithm *a, struct state *state)
{
    DCPN_STATE(state, ((struct newton *)a)->careful);
}

/* A d_k, once: from the walk that led to d_k where it knows, unless a sweep over A brings the next gradient along. */
static void look_ahead(struct algorithm *a)
{
    struct objective *F = &a->objective;
    int walked = a->subsolver->ops->walks && a->H->ops->walk.image && !F->design.A->ops->sweep.run;
    if (walked && a->H->ops->walk.image(a->H, a->du)) return;
    dcpn_objective_look_ahead(F, &a->point, a->direction.d, a->du);
}

/* d_k from the model, and t_k; 0 if no step along d_k decreases F. */
static int step_along(struct newton *n, const struct quadratic_model *model)
{
    struct algorithm *a = &n->algorithm;
    struct objective *F = &a->objective;
    struct point *x = &a->point;
    struct direction *delta = &a->direction;

    dcpn_direction(a->subsolver, model, a->stationarity, &a->rules.direction, delta); /* d_k, D_k */
    a->search.trials = 0;
    if (!(delta->D < 0.0)) return 0;
    look_ahead(a);                                                                                  /* A d_k */
    a->search = dcpn_backtrack(F, x, delta->d, a->du, delta->D, a->rules.alpha, a->rules.majorize); /* t_k */
    if (!(a->search.t > 0.0)) return 0;
    if (dcpn_model_may_lengthen(n)) dcpn_lengthen(F, x, delta->d, a->du, delta->D, &a->search);
    dcpn_point_move(F, x, delta->d, a->du, a->search.t, a->search.change); /* x_{k+1} = x_k + t_k d_k */
    return 1;
}

/* x_k has been looked at: v_k is known. */
static int step(struct algorithm *a)
{
    struct newton *n = (struct newton *)a;
    struct quadratic_model model = dcpn_model_at(n);

    a->H->ops->update(a->H, &a->point, a->search.t); /* H_k */
    int stepped = step_along(n, &model);
    if (!stepped && dcpn_model_give_up_bend(n, &model)) stepped = step_along(n, &model);
    if (!stepped) return 0;
    dcpn_model_heed_step(n, a->search.t);
    double left = fmax(1.0 - a->search.t, 0.0);
    for (int64_t j = 0; j < a->objective.size; j++)
        a->direction.d[j] *= left; /* the next solve starts from x_k + d_k */
    return 1;
}

const struct algorithm_ops dcpn_algorithm_dcpn = {
    .name = "dcpn",
    .formula = "x_{k+1} = x_k + t_k d_k, d_k = prox_{h1}^{H_k}(x_k - H_k^-1 v_k) - x_k",
    .reference = "DC proximal Newton, Rakotomamonjy, Flamary, Gasso 2016",
    .assumes = {"cvx", "cvx", "cvx", "cvx", "H_k"},
    .state_size = sizeof(struct newton),
    .uses_metric = 1,
    .layout = layout,
    .start = start,
    .step = step,
    .state = state_of,
};

const struct algorithm_ops dcpn_algorithm_proximal_newton = {
    .name = "proximal-newton",
    .formula = "as dcpn, with v_k = grad f(x_k)",
    .reference = "Lee, Sun, Saunders 2012",
    .assumes = {"cvx", "-", "cvx", "-", "H_k"},
    .state_size = sizeof(struct newton),
    .uses_metric = 1,
    .layout = layout,
    .start = start,
    .step = step,
    .state = state_of,
};
