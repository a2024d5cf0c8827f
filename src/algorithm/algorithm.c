/* SPDX-License-Identifier: BSD-3-Clause */
/* What every outer method shares: its arrays, its look at x_k, and the check of its assumptions. */
#include "algorithm/algorithm.h"

#include <string.h>

#include "base/vector.h"

void dcpn_algorithm_layout(struct algorithm *a, struct arena *arena)
{
    a->z_h2 = dcpn_arena_doubles(arena, a->objective.size);
    a->v = dcpn_arena_doubles(arena, a->objective.size);
    a->direction.d = dcpn_arena_doubles(arena, a->objective.size);
    a->du = dcpn_arena_doubles(arena, a->objective.rows);
}

void dcpn_algorithm_layout_parts(struct algorithm *a, struct arena *arena)
{
    if (a->H) a->H->ops->layout(a->H, arena);
    if (a->subsolver) a->subsolver->ops->layout(a->subsolver, arena);
    a->ops->layout(a, arena);
}

void dcpn_algorithm_start(struct algorithm *a)
{
    if (!a->knows_u) dcpn_point_evaluate(&a->objective, &a->point);
    a->knows_u = 0;
    if (a->direction.d) dcpn_fill(a->objective.size, 0.0, a->direction.d);
    a->direction.D = 0.0;
    a->direction.iterations = 0;
    a->residual = 0.0;
    a->search = (struct line_search){0};
}

void dcpn_algorithm_look(struct algorithm *a)
{
    if (a->ops->look) {
        a->ops->look(a);
        return;
    }
    dcpn_point_gradients(&a->objective, &a->point); /* grad f1(x_k), z_f2 = grad f2(x_k) */
    dcpn_algorithm_look_again(a);
}

void dcpn_algorithm_look_again(struct algorithm *a)
{
    if (a->v) dcpn_linearize(&a->objective, &a->point, a->z_h2, a->v); /* z_h2, v_k = grad f1 - z_f2 - z_h2 */
    a->stationarity = dcpn_stationarity(&a->objective, &a->point, a->z_h2);
}

void dcpn_algorithm_set_watch(struct algorithm *a, struct watch *watch)
{
    a->watch = watch;
    if (!a->subsolver) return;
    a->subsolver->should_end = watch ? dcpn_watch_cuts : NULL;
    a->subsolver->driver = watch;
}

void dcpn_algorithm_state(struct algorithm *a, struct state *state)
{
    DCPN_STATE_ARRAY(state, a->point.x, a->objective.size);
    if (!a->objective.design.A->ops->by_ranks) DCPN_STATE_ARRAY(state, a->point.u, a->objective.rows);
    DCPN_STATE(state, a->point.value);
    if (a->direction.d) DCPN_STATE_ARRAY(state, a->direction.d, a->objective.size);
    DCPN_STATE(state, a->direction.D);
    DCPN_STATE(state, a->search);
    DCPN_STATE(state, a->residual);
    DCPN_STATE(state, a->is_afresh);
    DCPN_STATE(state, a->is_by_columns);
    if (a->H) dcpn_metric_state(a->H, state);
    if (a->subsolver) dcpn_subsolver_state(a->subsolver, state);
    if (a->ops->state) a->ops->state(a, state);
}

static int takes(const char *assumption)
{
    return strcmp(assumption, "-") != 0;
}

const char *dcpn_algorithm_refusal(const struct algorithm_ops *ops, const struct loss *loss,
                                   const struct penalty *penalty)
{
    int whole_f = strcmp(ops->assumes.f1, "ncvx") == 0;
    if (dcpn_loss_has_phi2(loss) && !takes(ops->assumes.f2) && !whole_f)
        return "it needs a convex loss (f2 = 0), and this one is not; use dcpn, dca, scp or gist";
    if (dcpn_penalty_has_h2(penalty) && !takes(ops->assumes.h2))
        return "it needs a convex penalty (h2 = 0), and this one is not; use dcpn, dca, scp or gist";
    if (whole_f && takes(ops->assumes.h2) && !dcpn_penalty_has_prox(penalty))
        return dcpn_penalty_bounded(penalty)
                   ? "it needs the prox of the whole penalty, which is not known within bounds; use dcpn, dca or scp"
                   : "it needs the prox of the whole penalty, which this one does not have; use dcpn, dca or scp";
    if (ops == &dcpn_algorithm_multi_stage && penalty->own)
        return "it reweights the l1 norm, and this penalty is not separable; use dcpn, dca or scp";
    if (ops == &dcpn_algorithm_dca && dcpn_loss_has_phi2(loss) && !loss->own &&
        !(loss->rows.ops->change1 && loss->rows.ops->value1))
        return "it needs value1 and change1 of the loss, which this one does not have; use dcpn or scp";
    return NULL;
}
