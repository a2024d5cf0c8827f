/* SPDX-License-Identifier: BSD-3-Clause */
/* Backtracking: the first t of 1, 1/2, 1/4, ... with sufficient decrease, F(x + t d) - F(x) <= alpha t D. The paper's
 * third lemma: every t <= min(1, 2 m (1 - alpha) / L) passes. A trial costs O(n), because A d is at hand.
 *
 * With a majorising metric, Proposition 2 also asks for F(x_{k+1}) <= (1 - a) F(x_k) + a F(x_k + d) for some fixed
 * a in (0, 1]. At t = 1 it holds with a = 1; a shorter step is held to a = alpha.
 *
 * Where the metric has more curvature than f, because that of a non-convex loss is negative on some rows, the step to
 * the minimum of the model is too short again and again. That shows: F falls by more than the half of D that the model
 * promises. Then longer ones are tried, unless they take a coefficient to 0 or beyond, where h has a kink. */
#include "step/step.h"

enum { HALVINGS = 60, DOUBLINGS = 60 };
/* Of D: more than this says that the model has too much curvature. On a tail like exp(-u), where one unit step after
 * the other brings a constant factor, F falls by 1 - 1/e = 0.63 of D. */
static const double PROMISED = 0.6;
static const double WORTHWHILE = 1.1; /* times the fall of a step: one of twice its length is taken if it brings more */

struct line_search dcpn_backtrack(const struct objective *objective, const struct point *point, const double *d,
                                  const double *du, double D, double alpha, int majorize)
{
    struct line_search search = {.t = 1.0};
    double full_change = 0.0;
    for (; search.trials < HALVINGS; search.t *= 0.5) {
        search.change = dcpn_objective_change(objective, point, d, du, search.t);
        if (search.trials++ == 0) full_change = search.change;
        int enough = search.change <= alpha * search.t * D;
        if (enough && (!majorize || search.change <= alpha * full_change)) return search;
    }
    search.t = search.change = 0.0;
    return search;
}

static int keeps_signs(int64_t size, const double *x, const double *d, double t)
{
    for (int64_t j = 0; j < size; j++)
        if (d[j] != 0.0 && x[j] * (x[j] + t * d[j]) <= 0.0) return 0;
    return 1;
}

void dcpn_lengthen(const struct objective *objective, const struct point *point, const double *d, const double *du,
                   double D, struct line_search *search)
{
    if (search->t != 1.0 || !(search->change < PROMISED * D) || objective->penalty.lower) return;
    for (int k = 0; k < DOUBLINGS && keeps_signs(objective->size, point->x, d, 2.0 * search->t); k++) {
        double change = dcpn_objective_change(objective, point, d, du, 2.0 * search->t);
        if (!(change < WORTHWHILE * search->change)) return;
        search->t *= 2.0;
        search->change = change;
    }
}
