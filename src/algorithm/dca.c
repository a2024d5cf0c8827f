/* SPDX-License-Identifier: BSD-3-Clause */
/* Two methods that solve a whole convex problem in each iteration.
 *     dca          x_{k+1} = argmin_x f1(x) - z_f2'x + h1(x) - z_h2'x           (Pham Dinh, Le Thi)
 *     multi-stage  x_{k+1} = argmin_x f(x) + sum_j p'(|x_kj|) |x_j|, f convex    (Zhang 2010: reweighted l1)
 * The convex problem is an objective of its own, which shares x, u and the matrix with F, and is solved by the convex
 * proximal Newton method. */
#include <math.h>

#include "algorithm/newton.h"

#include "base/tuning.h"
#include "base/vector.h"

struct convex_problems {
    struct algorithm algorithm;
    struct newton inner;    /* proximal Newton on the convex problem; its point has x, u of the outer one */
    double *tilt;           /* dca: z_f2 + z_h2 */
    double *weights;        /* multi-stage: p'(|x_j|); */
    double *block_weights;  /* and p'(|x_g|) of sparse groups */
};

static int is_dca(const struct algorithm *a)
{
    return a->ops == &dcpn_algorithm_dca;
}

static void layout(struct algorithm *a, struct arena *arena)
{
    struct convex_problems *s = (struct convex_problems *)a;
    dcpn_algorithm_layout(a, arena);
    s->tilt = dcpn_arena_doubles(arena, a->objective.size);
    s->weights = dcpn_arena_doubles(arena, is_dca(a) ? 0 : a->objective.size);
    s->block_weights = dcpn_arena_doubles(arena, is_dca(a) ? 0 : a->objective.penalty.blocks.count);
    struct algorithm *inner = &s->inner.algorithm;
    *inner = *a;
    inner->ops = &dcpn_algorithm_proximal_newton;
    inner->point.gradient = dcpn_arena_doubles(arena, a->objective.size);
    inner->point.gradient1 = dcpn_arena_doubles(arena, a->objective.size); /* without the tilt, which changes */
    inner->ops->layout(inner, arena);
    a->H->objective = &inner->objective;
}

static void start(struct algorithm *a, const struct effort *effort)
{
    (void)effort;
    struct convex_problems *s = (struct convex_problems *)a;
    dcpn_algorithm_start(a);
    struct objective *convex = &s->inner.algorithm.objective;
    *convex = a->objective;
    convex->loss.first_only = is_dca(a);
    convex->penalty.first_only = 1;
    convex->tilt = is_dca(a) ? s->tilt : NULL;
    if (!is_dca(a)) convex->penalty.c = s->weights;
    if (!is_dca(a)) convex->penalty.blocks.c = s->block_weights;
    s->inner.careful = 0;
    a->H->ops->prepare(a->H);
    a->subsolver->ops->prepare(a->subsolver);
}

/* The convex problem at x_k. */
static void set_problem(struct convex_problems *s)
{
    struct algorithm *a = &s->algorithm;
    if (!is_dca(a)) {
        dcpn_penalty_slopes(&a->objective.penalty, a->point.x, NULL, s->weights, s->block_weights);
        return;
    }
    dcpn_copy(a->objective.size, a->z_h2, s->tilt);
    if (!dcpn_loss_has_phi2(&a->objective.loss)) return;
    dcpn_design_adjoint(&a->objective.design, a->objective.r2, a->v); /* z_f2, from the slopes of the last look */
    dcpn_axpy(a->objective.size, 1.0, a->v, s->tilt);
}

static int solved(const struct algorithm *inner, const struct algorithm *outer, int steps)
{
    if (inner->stationarity <= 0.5 * outer->goal) return 1;
    return outer->rules.relative_goal > 0.0 && steps > 0 &&
           fabs(inner->search.change) <= outer->rules.relative_goal * fabs(inner->point.value);
}

/* Returns the steps made; x, u of the outer point move with them. */
static int solve_problem(struct convex_problems *s)
{
    struct algorithm *a = &s->algorithm, *inner = &s->inner.algorithm;
    int steps = 0;
    inner->rules = a->rules;
    inner->objective.design.touched = 0;
    inner->search = (struct line_search){.t = 1.0}; /* the metric goes on from the last problem, and no step was cut */
    dcpn_fill(a->objective.size, 0.0, inner->direction.d);
    dcpn_point_value(&inner->objective, &inner->point);
    a->direction.iterations = 0;
    for (dcpn_algorithm_look(inner); steps < DCA_MOST_INNER && !solved(inner, a, steps); dcpn_algorithm_look(inner)) {
        int stepped = inner->ops->step(inner);
        a->direction.iterations += inner->direction.iterations;
        a->search.trials += inner->search.trials;
        if (!stepped) break;
        steps++;
        if (a->watch && dcpn_watch_cuts(a->watch)) break;
    }
    a->objective.design.touched += inner->objective.design.touched;
    return steps;
}

static int step(struct algorithm *a)
{
    struct convex_problems *s = (struct convex_problems *)a;
    double before = a->point.value;
    a->search.trials = 0;
    set_problem(s);
    if (!solve_problem(s)) return 0;
    dcpn_point_value(&a->objective, &a->point);
    a->search.t = 1.0;
    a->search.change =
        a->point.value - before; /* not above the change of the convex problem, which is an upper bound */
    return 1;
}

const struct algorithm_ops dcpn_algorithm_dca = {
    .name = "dca",
    .formula = "x_{k+1} = argmin f1(x) - z_f2'x + h1(x) - z_h2'x",
    .reference = "Pham Dinh, Le Thi 1997",
    .assumes = {"cvx", "cvx", "cvx", "cvx", "any"},
    .state_size = sizeof(struct convex_problems),
    .uses_metric = 1,
    .counts_convex_problems = 1,
    .layout = layout,
    .start = start,
    .step = step,
};

const struct algorithm_ops dcpn_algorithm_multi_stage = {
    .name = "multi-stage",
    .formula = "x_{k+1} = argmin f(x) + sum_j p'(|x_kj|) |x_j|",
    .reference = "Zhang 2010",
    .assumes = {"cvx", "-", "cvx", "cvx", "any"},
    .state_size = sizeof(struct convex_problems),
    .uses_metric = 1,
    .counts_convex_problems = 1,
    .layout = layout,
    .start = start,
    .step = step,
};
