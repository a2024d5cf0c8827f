/* SPDX-License-Identifier: BSD-3-Clause */
/* Backtracking: the first t of 1, 1/2, 1/4, ... with sufficient decrease, F(x + t d) - F(x) <= alpha t D. The paper's
 * third lemma: every t <= min(1, 2 m (1 - alpha) / L) passes. A trial costs O(n), because A d is at hand.
 *
 * With a majorising metric, Proposition 2 also asks for F(x_{k+1}) <= (1 - a) F(x_k) + a F(x_k + d) for some fixed
 * a in (0, 1]. At t = 1 it holds with a = 1; a shorter step is held to a = alpha. */
#include "step/step.h"

enum { HALVINGS = 60 };

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
