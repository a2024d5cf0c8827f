/* SPDX-License-Identifier: BSD-3-Clause */
/* Algorithm 1 of the paper: DC proximal Newton. On a convex problem it is the proximal Newton method of Lee, Sun and
 * Saunders, which has a name of its own so that the problem is checked to be one. */
#include "algorithm/algorithm.h"

static void start(struct algorithm *a)
{
    dcpn_algorithm_start(a);
    a->H->ops->prepare(a->H);
    a->subsolver->ops->prepare(a->subsolver);
}

/* x_k has been looked at: v_k = grad f1(x_k) - z_f2 - z_h2 is known. */
static int step(struct algorithm *a)
{
    struct objective *F = &a->objective;
    struct point *x = &a->point;
    struct direction *delta = &a->direction;
    struct quadratic_model model = {a->H, a->v, x->x, &F->penalty, F->size};

    a->H->ops->update(a->H, x, a->search.t);                                          /* H_k */
    dcpn_direction(a->subsolver, &model, a->stationarity, &a->direction_rule, delta); /* d_k, D_k */
    a->search.trials = 0;
    if (!(delta->D < 0.0)) return 0;
    dcpn_objective_look_ahead(F, x, delta->d, a->du);                                   /* A d_k, once */
    a->search = dcpn_backtrack(F, x, delta->d, a->du, delta->D, a->alpha, a->majorize); /* t_k */
    if (!(a->search.t > 0.0)) return 0;
    dcpn_point_move(F, x, delta->d, a->du, a->search.t, a->search.change); /* x_{k+1} = x_k + t_k d_k */

    for (int64_t j = 0; j < F->size; j++) delta->d[j] *= 1.0 - a->search.t; /* the next solve starts from x_k + d_k */
    return 1;
}

const struct algorithm_ops dcpn_algorithm_dcpn = {
    .name = "dcpn",
    .formula = "x_{k+1} = x_k + t_k d_k, d_k = prox_{h1}^{H_k}(x_k - H_k^-1 v_k) - x_k",
    .reference = "DC proximal Newton, Rakotomamonjy, Flamary, Gasso 2016",
    .assumes = {"cvx", "cvx", "cvx", "cvx", "H_k"},
    .state_size = sizeof(struct algorithm),
    .uses_metric = 1,
    .layout = dcpn_algorithm_layout,
    .start = start,
    .step = step,
};

const struct algorithm_ops dcpn_algorithm_proximal_newton = {
    .name = "proximal-newton",
    .formula = "as dcpn, with v_k = grad f(x_k)",
    .reference = "Lee, Sun, Saunders 2012",
    .assumes = {"cvx", "-", "cvx", "-", "H_k"},
    .state_size = sizeof(struct algorithm),
    .uses_metric = 1,
    .layout = dcpn_algorithm_layout,
    .start = start,
    .step = step,
};
