/* SPDX-License-Identifier: BSD-3-Clause */
/* Proximal gradient and its accelerated form FISTA (Beck and Teboulle 2009), for convex problems:
 *     x_{k+1} = prox_{h/L}(y_k - grad f(y_k)/L)
 * with y_k = x_k, or y_k = x_k + beta_k (x_k - x_{k-1}). L doubles until the quadratic model at y_k bounds
 * f(x_{k+1}). FISTA drops its momentum when F has risen (O'Donoghue and Candes 2015). u = A y follows from the last two
 * A x, but its gradient is one more product than plain proximal gradient needs. */
#include <math.h>

#include "algorithm/algorithm.h"
#include "base/tuning.h"
#include "base/vector.h"

struct accelerated {
    struct algorithm algorithm;
    struct gradient_step trial;
    struct point y;
    double *x_before, *u_before;
    double momentum;
};

static void layout(struct algorithm *a, struct arena *arena)
{
    struct accelerated *s = (struct accelerated *)a;
    dcpn_algorithm_layout(a, arena);
    dcpn_gradient_step_layout(&s->trial, &a->objective, arena);
    if (a->ops != &dcpn_algorithm_fista) return;
    dcpn_point_layout(&a->objective, &s->y, arena);
    s->x_before = dcpn_arena_doubles(arena, a->objective.size);
    s->u_before = dcpn_arena_doubles(arena, a->objective.rows);
}

static void state_of(struct algorithm *a, struct state *state)
{
    struct accelerated *s = (struct accelerated *)a;
    DCPN_STATE(state, s->trial.L);
    DCPN_STATE(state, s->momentum);
    if (a->ops != &dcpn_algorithm_fista) return;
    DCPN_STATE_ARRAY(state, s->x_before, a->objective.size);
    DCPN_STATE_ARRAY(state, s->u_before, a->objective.rows);
}

static void start(struct algorithm *a, const struct effort *effort)
{
    (void)effort;
    struct accelerated *s = (struct accelerated *)a;
    dcpn_algorithm_start(a);
    s->trial.L = 0.0;
    s->momentum = 1.0;
    if (a->ops != &dcpn_algorithm_fista) return;
    dcpn_copy(a->objective.size, a->point.x, s->x_before);
    dcpn_copy(a->objective.rows, a->point.u, s->u_before);
}

/* f(y + d) - f(y) <= grad f(y)'d + L/2 |d|^2, the part of h taken off both sides */
static int model_bounds(const struct objective *F, const struct point *y, const struct gradient_step *trial)
{
    double smooth = trial->change - dcpn_penalty_change(&F->penalty, y->x, trial->d, 1.0);
    double linear = dcpn_dot(F->size, y->gradient, trial->d);
    return smooth <= linear + 0.5 * trial->L * trial->length2;
}

/* The step from y, with the first L that fits. 0: y is a fixed point, or nothing fits. */
static int find_step(struct accelerated *s, const struct point *y)
{
    struct algorithm *a = &s->algorithm;
    if (s->trial.L == 0.0)
        s->trial.L = dcpn_objective_first_curvature(&a->objective, y, s->trial.du) / PROX_GRADIENT_RELAXATION;
    s->trial.L *= PROX_GRADIENT_RELAXATION;
    for (s->trial.trials = 0; s->trial.trials < MOST_TRIALS; s->trial.L *= PROX_GRADIENT_GROWTH) {
        dcpn_gradient_step(&a->objective, y, y->gradient, PROX_OF_H1, &s->trial);
        if (s->trial.length2 == 0.0) return 0;
        if (model_bounds(&a->objective, y, &s->trial)) return 1;
    }
    return 0;
}

static int plain_step(struct algorithm *a)
{
    struct accelerated *s = (struct accelerated *)a;
    int found = find_step(s, &a->point) && s->trial.change <= 0.0;
    a->search = (struct line_search){.t = found, .change = found ? s->trial.change : 0.0, .trials = s->trial.trials};
    if (found) dcpn_point_move(&a->objective, &a->point, s->trial.d, s->trial.du, 1.0, s->trial.change);
    return found;
}

/* y = x + beta (x - x_before), with its u, value and gradient */
static void move_ahead(struct accelerated *s, double beta)
{
    struct algorithm *a = &s->algorithm;
    dcpn_extrapolate(a->objective.size, beta, a->point.x, s->x_before, s->y.x);
    dcpn_extrapolate(a->objective.rows, beta, a->point.u, s->u_before, s->y.u);
    dcpn_point_value(&a->objective, &s->y);
    dcpn_point_gradients(&a->objective, &s->y);
}

/* x_{k+1} = y + d becomes x, and x becomes x_before. */
static void accept_from_y(struct accelerated *s)
{
    struct algorithm *a = &s->algorithm;
    double change = s->y.value - a->point.value + s->trial.change;
    dcpn_copy(a->objective.size, a->point.x, s->x_before);
    dcpn_copy(a->objective.rows, a->point.u, s->u_before);
    dcpn_copy(a->objective.size, s->y.x, a->point.x);
    dcpn_copy(a->objective.rows, s->y.u, a->point.u);
    dcpn_point_move(&a->objective, &a->point, s->trial.d, s->trial.du, 1.0, change);
    a->search = (struct line_search){.t = 1.0, .change = change, .trials = s->trial.trials};
}

static int accelerated_step(struct algorithm *a)
{
    struct accelerated *s = (struct accelerated *)a;
    double next = 0.5 * (1.0 + sqrt(1.0 + 4.0 * s->momentum * s->momentum)), beta = (s->momentum - 1.0) / next;
    s->momentum = next;
    if (beta > 0.0) {
        move_ahead(s, beta);
        if (find_step(s, &s->y) && s->y.value + s->trial.change <= a->point.value) {
            accept_from_y(s);
            return 1;
        }
        s->momentum = 1.0;
    }
    dcpn_copy(a->objective.size, a->point.x, s->x_before);
    dcpn_copy(a->objective.rows, a->point.u, s->u_before);
    return plain_step(a);
}

const struct algorithm_ops dcpn_algorithm_proximal_gradient = {
    .name = "proximal-gradient",
    .formula = "x_{k+1} = prox_{h/L}(x_k - grad f(x_k)/L)",
    .reference = "Combettes, Pesquet 2011",
    .assumes = {"cvx", "-", "cvx", "-", "L I"},
    .state_size = sizeof(struct accelerated),
    .layout = layout,
    .start = start,
    .step = plain_step,
    .state = state_of,
};

const struct algorithm_ops dcpn_algorithm_fista = {
    .name = "fista",
    .formula = "x_{k+1} = prox_{h/L}(y_k - grad f(y_k)/L), y_k = x_k + beta_k (x_k - x_{k-1})",
    .reference = "Beck, Teboulle 2009",
    .assumes = {"cvx", "-", "cvx", "-", "L I"},
    .state_size = sizeof(struct accelerated),
    .layout = layout,
    .start = start,
    .step = accelerated_step,
    .state = state_of,
};
