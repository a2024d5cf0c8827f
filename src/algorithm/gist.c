/* SPDX-License-Identifier: BSD-3-Clause */
/* GIST, general iterative shrinkage and thresholding (Gong, Zhang, Lu, Huang, Ye 2013):
 *     x_{k+1} = a global minimiser of f(x_k) + grad f(x_k)'(x - x_k) + L/2 |x - x_k|^2 + h(x)
 * h itself, not a linearisation, so that a coefficient can jump over the hill between 0 and the flat part of h. L
 * starts from Barzilai and Borwein's and doubles until F(x_{k+1}) <= max of the last values - sigma/2 L |x_{k+1} -
 * x_k|^2, the last 5 if non-monotone, the last if monotone. Which basin the iterates end in depends on the first L; it
 * is 1 for a mean of losses, as in the authors' own code, so that from the same start they go the same way.
 *
 * A point can be stationary and yet not fixed: the global prox jumps from it. So the last step has to be short, L |d|
 * below the goal, before GIST is done; at the start there is none. And where h is flat and the rows nearly separable, F
 * goes on falling by much along directions in which its gradient is small; so F has to be calm, too, by the authors'
 * own rule: three changes in a row below 1e-5 of F, or of a millionth of F at the start when F falls to 0. */
#include <math.h>

#include "algorithm/spectral.h"
#include "base/vector.h"

static const double SIGMA = 1e-5;
static const double CALM = 1e-5, LEAST_OF_START = 1e-6;
enum { CALM_STEPS = 3 };

struct gist {
    struct spectral spectral;
    double least; /* what a change of F is compared with at least */
    int calm;     /* so many changes in a row were small */
};

/* 1 for a mean of losses, and the same step for their sum. */
static double first_L(const struct objective *F)
{
    double weight = 0.0;
    for (int64_t i = 0; i < F->rows && !F->loss.own; i++) weight += F->loss.rows.w[i];
    return weight;
}

static void start(struct algorithm *a)
{
    dcpn_spectral_start(a);
    ((struct spectral *)a)->first_L = first_L(&a->objective);
    a->residual = INFINITY;
    ((struct gist *)a)->least = LEAST_OF_START * fabs(a->point.value);
    ((struct gist *)a)->calm = 0;
}

static void count_calm_step(struct gist *g)
{
    const struct algorithm *a = &g->spectral.algorithm;
    int is_small = fabs(a->search.change) <= CALM * fmax(fabs(a->point.value), g->least);
    g->calm = is_small ? g->calm + 1 : 0;
}

static int is_done(struct algorithm *a)
{
    return ((const struct gist *)a)->calm >= CALM_STEPS;
}

static int step(struct algorithm *a)
{
    const struct spectral *s = (const struct spectral *)a;
    const struct spectral_rule rule = {PROX_OF_H, 2.0, SIGMA, a->nonmonotone ? DCPN_RECENT : 1};
    int stepped = dcpn_spectral_step(a, a->point.gradient, &rule);
    a->residual = s->trial.L * dcpn_norm_max(a->objective.size, s->trial.d);
    count_calm_step((struct gist *)a);
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
};
