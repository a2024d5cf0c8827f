/* SPDX-License-Identifier: BSD-3-Clause */
/* The frame of GIST, SpaRSA and SCP. */
#include "algorithm/spectral.h"

#include <math.h>

#include "base/tuning.h"
#include "base/vector.h"

void dcpn_spectral_layout(struct algorithm *a, struct arena *arena)
{
    struct spectral *s = (struct spectral *)a;
    dcpn_algorithm_layout(a, arena);
    dcpn_gradient_step_layout(&s->trial, &a->objective, arena);
    s->x_before = dcpn_arena_doubles(arena, a->objective.size);
    s->gradient_before = dcpn_arena_doubles(arena, a->objective.size);
    s->gradient_before_that = dcpn_arena_doubles(arena, a->objective.size);
}

void dcpn_spectral_state(struct algorithm *a, struct state *state)
{
    struct spectral *s = (struct spectral *)a;
    DCPN_STATE_ARRAY(state, s->x_before, a->objective.size);
    DCPN_STATE_ARRAY(state, s->gradient_before, a->objective.size);
    DCPN_STATE_ARRAY(state, s->gradient_before_that, a->objective.size);
    DCPN_STATE(state, s->recent);
    DCPN_STATE(state, s->trial.L);
    DCPN_STATE(state, s->k);
    if (s->k < 0) s->k = 0; /* as a forged file may say */
}

void dcpn_spectral_start(struct algorithm *a, const struct effort *effort)
{
    (void)effort;
    struct spectral *s = (struct spectral *)a;
    dcpn_algorithm_start(a);
    s->k = 0;
    s->trial.L = s->first_L = 0.0;
}

/* The last L where the ratio is of no use: there was no step, or, but for the retarded one, no curvature along it. */
static double barzilai_borwein(const struct spectral *s, int retarded)
{
    const struct point *x = &s->algorithm.point;
    int64_t size = s->algorithm.objective.size;
    const double *g = retarded ? s->gradient_before : x->gradient;
    const double *g_before = retarded ? s->gradient_before_that : s->gradient_before;
    if (retarded && s->k == 1) return s->trial.L;
    double L = dcpn_spectral_scale(size, x->x, s->x_before, g, g_before);
    if (retarded) L = fabs(L);
    return L > 0.0 ? L : s->trial.L;
}

static void choose_first_L(struct spectral *s, int retarded)
{
    if (s->k == 0 && s->first_L > 0.0)
        s->trial.L = s->first_L;
    else if (s->k == 0)
        s->trial.L = dcpn_objective_first_curvature(&s->algorithm.objective, &s->algorithm.point, s->trial.du);
    else
        s->trial.L = barzilai_borwein(s, retarded);
    s->trial.L = fmin(fmax(s->trial.L, SPECTRAL_LEAST_L), SPECTRAL_MOST_L);
}

static double largest_recent(const struct spectral *s, int window)
{
    double largest = -INFINITY;
    for (int64_t i = s->k; i >= 0 && i > s->k - window; i--) largest = fmax(largest, s->recent[i % SPECTRAL_RECENT]);
    return largest;
}

static void accept(struct spectral *s)
{
    struct algorithm *a = &s->algorithm;
    dcpn_copy(a->objective.size, a->point.x, s->x_before);
    dcpn_copy(a->objective.size, s->gradient_before, s->gradient_before_that);
    dcpn_copy(a->objective.size, a->point.gradient, s->gradient_before);
    dcpn_point_move(&a->objective, &a->point, s->trial.d, s->trial.du, 1.0, s->trial.change);
    a->search = (struct line_search){.t = 1.0, .change = s->trial.change, .trials = s->trial.trials};
    s->k++;
}

int dcpn_spectral_step(struct algorithm *a, const double *v, const struct spectral_rule *rule)
{
    struct spectral *s = (struct spectral *)a;
    s->recent[s->k % SPECTRAL_RECENT] = a->point.value;
    double slack = largest_recent(s, rule->window) - a->point.value;
    choose_first_L(s, rule->retarded);
    for (s->trial.trials = 0; s->trial.trials < MOST_TRIALS; s->trial.L *= rule->growth) {
        dcpn_gradient_step(&a->objective, &a->point, v, rule->prox_of, &s->trial);
        if (s->trial.length2 == 0.0) break; /* x_k is a fixed point for this L */
        if (s->trial.change <= slack - 0.5 * rule->sigma * s->trial.L * s->trial.length2) {
            accept(s);
            return 1;
        }
    }
    a->search = (struct line_search){.trials = s->trial.trials};
    return 0;
}
