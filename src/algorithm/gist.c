/* SPDX-License-Identifier: BSD-3-Clause */
/* GIST, general iterative shrinkage and thresholding (Gong, Zhang, Lu, Huang, Ye 2013):
 *     x_{k+1} = a global minimiser of f(x_k) + grad f(x_k)'(x - x_k) + L/2 |x - x_k|^2 + h(x)
 * h itself, not a linearisation, so that a coefficient can jump over the hill between 0 and the flat part of h. L
 * starts from Barzilai and Borwein's and doubles until F(x_{k+1}) <= max of the last values - sigma/2 L |x_{k+1} -
 * x_k|^2, the last 5 if non-monotone, the last if monotone.
 *
 * Which basin the iterates end in depends on these L. So the first is 1 for a mean of losses, and the others are
 * retarded, as in the toolbox of one of the paper's authors:
 *     L_k = |(x_k - x_{k-1})'(grad f(x_{k-1}) - grad f(x_{k-2}))| / |x_k - x_{k-1}|^2
 * with the change of the gradient one step before that of x: from the same start the two go the same way, as long as
 * the toolbox goes, until three times x or F has hardly moved. From there on L is Barzilai and Borwein's own, which
 * needs fewer steps to the end.
 *
 * A point can be stationary and yet not fixed: the global prox jumps from it. So the last step has to be short, L |d|
 * below the goal, before GIST is done; at the start there is none. And where h is flat and the rows nearly separable, F
 * goes on falling by much along directions in which its gradient is small; so F has to be calm, too, by Gong's own
 * rule: three changes in a row below 1e-5 of F, or of a millionth of F at the start when F falls to 0. */
#include <math.h>

#include "algorithm/spectral.h"
#include "base/reduce.h"
#include "base/tuning.h"
#include "base/vector.h"

struct gist {
    struct spectral spectral;
    double least; /* what a change of F is compared with at least */
    int calm;     /* so many changes of F in a row were small */
    int counted;  /* small changes of x and of F so far, as the toolbox counts them */
};

/* 1 for a mean of losses, and the same step for their sum. */
static double first_L(const struct objective *F)
{
    double weight = 0.0;
    if (F->loss.is_exact) return dcpn_ranks_sum_of(F->loss.context, F->rows, F->loss.rows.w);
    for (int64_t i = 0; i < F->rows && !F->loss.own; i++) weight += F->loss.rows.w[i];
    return weight;
}

static void start(struct algorithm *a, const struct effort *effort)
{
    dcpn_spectral_start(a, effort);
    ((struct spectral *)a)->first_L = first_L(&a->objective);
    a->residual = INFINITY;
    ((struct gist *)a)->least = GIST_LEAST_OF_START * fabs(a->point.value);
    ((struct gist *)a)->calm = ((struct gist *)a)->counted = 0;
}

static void state_of(struct algorithm *a, struct state *state)
{
    struct gist *g = (struct gist *)a;
    dcpn_spectral_state(a, state);
    DCPN_STATE(state, g->least);
    DCPN_STATE(state, g->calm);
    DCPN_STATE(state, g->counted);
}

static void count_small_changes(struct gist *g)
{
    const struct algorithm *a = &g->spectral.algorithm;
    double length = dcpn_norm_max(a->objective.size, g->spectral.trial.d);
    double change = fabs(a->search.change), F = fabs(a->point.value);
    g->calm = change <= GIST_SMALL * fmax(F, g->least) ? g->calm + 1 : 0;
    g->counted += change < GIST_SMALL * F;
    g->counted += length < GIST_SMALL * fmax(1.0, dcpn_norm_max(a->objective.size, a->point.x));
}

static int is_done(struct algorithm *a)
{
    return ((const struct gist *)a)->calm >= GIST_CALM_STEPS;
}

static int step(struct algorithm *a)
{
    struct gist *g = (struct gist *)a;
    const struct spectral_rule rule = {.prox_of = PROX_OF_H,
                                       .growth = 2.0,
                                       .sigma = GIST_SIGMA,
                                       .window = a->rules.nonmonotone ? SPECTRAL_RECENT : 1,
                                       .retarded = g->counted < GIST_TOOLBOX_STOPS};
    int stepped = dcpn_spectral_step(a, a->point.gradient, &rule);
    a->residual = g->spectral.trial.L * dcpn_norm_max(a->objective.size, g->spectral.trial.d);
    count_small_changes(g);
    return stepped;
}

const struct algorithm_ops dcpn_algorithm_gist = {
    .name = "gist",
    .formula = "x_{k+1} = prox_{h/L}(x_k - grad f(x_k)/L), globally",
    .reference = "Gong, Zhang, Lu, Huang, Ye 2013",
    .assumes = {"ncvx", "-", "cvx", "cvx", "L I"},
    .state_size = sizeof(struct gist),
    .may_rise = 1,
    .layout = dcpn_spectral_layout,
    .start = start,
    .step = step,
    .is_done = is_done,
    .state = state_of,
};
