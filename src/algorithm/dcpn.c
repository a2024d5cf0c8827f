/* SPDX-License-Identifier: BSD-3-Clause */
/* Algorithm 1 of the paper: DC proximal Newton. On a convex problem it is the proximal Newton method of Lee, Sun and
 * Saunders, which has a name of its own so that the problem is checked to be one. */
#include <math.h>

#include "algorithm/algorithm.h"
#include "base/vector.h"

/* Steps during which the model goes without the curvature of h, after one with it had to be cut short. */
enum { CAREFUL_STEPS = 8 };
static const double SHORT = 0.25; /* a step below this says that the curvature of H was too low */

static void layout(struct algorithm *a, struct arena *arena)
{
    dcpn_algorithm_layout(a, arena);
    a->bend = dcpn_arena_doubles(arena, a->objective.size);
}

static void start(struct algorithm *a)
{
    a->careful = 0;
    dcpn_algorithm_start(a);
    if (!(a->same_f && a->H->ops->remembers_f)) a->H->ops->prepare(a->H);
    a->subsolver->ops->prepare(a->subsolver);
}

/* Linearised, h2 is what makes progress slow where h is smooth: scad, mcp, log. So its curvature at x_k goes into the
 * model besides, as far as that stays convex along each coordinate. The paper's model is the one without. */
static const double *curvature_of_h(struct algorithm *a)
{
    const struct penalty *h = &a->objective.penalty;
    if (a->search.trials > 1)
        a->careful = CAREFUL_STEPS;
    else if (a->careful > 0)
        a->careful--;
    if (!a->bends || a->careful > 0 || !dcpn_penalty_separable(h) || !dcpn_penalty_has_h2(h)) return NULL;
    dcpn_penalty_bend(h, a->point.x, a->bend);
    return a->bend;
}

/* A d_k, once: from the walk that led to d_k where it knows, unless a sweep over A brings the next gradient along. */
static void look_ahead(struct algorithm *a)
{
    struct objective *F = &a->objective;
    int walked = a->subsolver->ops->walks && a->H->ops->walk_image && !F->design.A->ops->sweep;
    if (walked && a->H->ops->walk_image(a->H, a->du)) return;
    dcpn_objective_look_ahead(F, &a->point, a->direction.d, a->du);
}

/* A non-convex penalty has basins, and a long step may lead into another one; so may one on the way to a start. */
static int may_lengthen(const struct algorithm *a)
{
    const struct objective *F = &a->objective;
    int is_convex = !dcpn_penalty_has_h2(&F->penalty) && !F->penalty.first_only && !dcpn_loss_has_phi2(&F->loss);
    return a->bends && a->H->ops->clips && !a->majorize && (is_convex || dcpn_loss_has_curvature2(&F->loss));
}

/* t_k d_k from the model, if it decreases F. */
static int step_along(struct algorithm *a, const struct quadratic_model *model)
{
    struct objective *F = &a->objective;
    struct point *x = &a->point;
    struct direction *delta = &a->direction;

    dcpn_direction(a->subsolver, model, a->stationarity, &a->direction_rule, delta); /* d_k, D_k */
    a->search.trials = 0;
    if (!(delta->D < 0.0)) return 0;
    look_ahead(a);
    a->search = dcpn_backtrack(F, x, delta->d, a->du, delta->D, a->alpha, a->majorize); /* t_k */
    if (!(a->search.t > 0.0)) return 0;
    if (may_lengthen(a)) dcpn_lengthen(F, x, delta->d, a->du, delta->D, &a->search);
    dcpn_point_move(F, x, delta->d, a->du, a->search.t, a->search.change); /* x_{k+1} = x_k + t_k d_k */
    return 1;
}

/* For the whole run: an active set begins anew in each of its steps, and would meet the same short ones again. */
static void warn_metric(struct metric *H, double t)
{
    if (t < SHORT)
        H->careful = CAREFUL_STEPS;
    else if (H->careful > 0)
        H->careful--;
}

/* x_k has been looked at: v_k = grad f1(x_k) - z_f2 - z_h2 is known. */
static int step(struct algorithm *a)
{
    int64_t size = a->objective.size;
    double *d = a->direction.d;
    struct quadratic_model model = {a->H, a->v, a->point.x, &a->objective.penalty, size, curvature_of_h(a), 0};

    a->H->ops->update(a->H, &a->point, a->search.t); /* H_k */
    int stepped = step_along(a, &model);
    if (!stepped && model.bend) { /* a model that h has made unbounded leads nowhere */
        dcpn_fill(size, 0.0, d);
        model.bend = NULL;
        a->careful = CAREFUL_STEPS;
        stepped = step_along(a, &model);
    }
    if (stepped) warn_metric(a->H, a->search.t);
    for (int64_t j = 0; stepped && j < size; j++)
        d[j] *= fmax(1.0 - a->search.t, 0.0); /* the next solve starts from x_k + d_k */
    return stepped;
}

const struct algorithm_ops dcpn_algorithm_dcpn = {
    .name = "dcpn",
    .formula = "x_{k+1} = x_k + t_k d_k, d_k = prox_{h1}^{H_k}(x_k - H_k^-1 v_k) - x_k",
    .reference = "DC proximal Newton, Rakotomamonjy, Flamary, Gasso 2016",
    .assumes = {"cvx", "cvx", "cvx", "cvx", "H_k"},
    .state_size = sizeof(struct algorithm),
    .uses_metric = 1,
    .layout = layout,
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
    .layout = layout,
    .start = start,
    .step = step,
};
