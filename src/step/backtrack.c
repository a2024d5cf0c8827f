/* SPDX-License-Identifier: BSD-3-Clause */
/* Backtracking: the first t of 1, 1/2, 1/4, ... with sufficient decrease, F(x + t d) - F(x) <= alpha t D. The paper's
 * third lemma: every t <= min(1, 2 m (1 - alpha) / L) passes. A trial costs O(n), because A d is at hand.
 *
 * With a majorising metric, Proposition 2 also asks for F(x_{k+1}) <= (1 - a) F(x_k) + a F(x_k + d) for some fixed
 * a in (0, 1]. At t = 1 it holds with a = 1; a shorter step is held to a = alpha.
 *
 * F may fall by more than the half of D that the model promises. Then the step to the minimum of the model is too
 * short, and longer ones are tried, unless they take a coefficient in use to 0 or beyond, where h has a kink. That of a
 * convex loss is too short where its curvature falls on the way to a far solution, or where few sweeps have not got to
 * the minimum. That of a non-convex one is, again and again, where its curvature is negative and the metric has more,
 * and so is that of a non-convex penalty; there no coefficient may leave 0 either. */
#include "base/tuning.h"
#include "step/step.h"

struct lengthening {
    double promised;   /* share of D: if F falls by more the step is too short */
    double longer;     /* times: the next step to try */
    double worthwhile; /* times the fall of the step before: it is taken if it brings more */
    int may_leave_0;
};

static struct lengthening rule_for(const struct objective *F)
{
    if (dcpn_loss_has_curvature2(&F->loss) || dcpn_penalty_has_h2(&F->penalty))
        return (struct lengthening){NONCONVEX_PROMISED, NONCONVEX_LONGER, NONCONVEX_WORTHWHILE, .may_leave_0 = 0};
    return (struct lengthening){CONVEX_PROMISED, CONVEX_LONGER, CONVEX_WORTHWHILE, .may_leave_0 = 1};
}

/* Where F is a sum over ranks, several trials go in one message: the trials that would follow, t ratio, t ratio^2,
 * ..., are made along with the one that is asked for. The result is the same. */
struct trials {
    const struct objective *objective;
    const struct point *point;
    const double *d, *du;
    double t[DCPN_MOST_TRIALS], change[DCPN_MOST_TRIALS];
    int count;
};

static double change_at(struct trials *trials, double t, double ratio, int wanted)
{
    for (int k = 0; k < trials->count; k++)
        if (trials->t[k] == t) return trials->change[k];
    trials->count = trials->objective->loss.is_exact ? wanted : 1;
    for (int k = 0; k < trials->count; k++) trials->t[k] = k ? trials->t[k - 1] * ratio : t;
    dcpn_objective_changes(trials->objective, trials->point, trials->d, trials->du, trials->count, trials->t,
                           trials->change);
    return trials->change[0];
}

struct line_search dcpn_backtrack(const struct objective *objective, const struct point *point, const double *d,
                                  const double *du, double D, double alpha, int majorize)
{
    struct line_search search = {.t = 1.0};
    struct trials trials = {objective, point, d, du, {0}, {0}, 0};
    double full_change = 0.0;
    for (; search.trials < STEP_HALVINGS; search.t *= 0.5) {
        search.change = change_at(&trials, search.t, 0.5, search.trials ? DCPN_MOST_TRIALS : 1);
        if (search.trials++ == 0) full_change = search.change;
        int enough = search.change <= alpha * search.t * D;
        if (enough && (!majorize || search.change <= alpha * full_change)) return search;
    }
    search.t = search.change = 0.0;
    return search;
}

static int keeps_signs(int64_t size, const double *x, const double *d, double t, int may_leave_0)
{
    for (int64_t j = 0; j < size; j++) {
        if (d[j] == 0.0 || (may_leave_0 && x[j] == 0.0)) continue;
        if (x[j] * (x[j] + t * d[j]) <= 0.0) return 0;
    }
    return 1;
}

void dcpn_lengthen(const struct objective *objective, const struct point *point, const double *d, const double *du,
                   double D, struct line_search *search)
{
    const struct lengthening rule = rule_for(objective);
    if (search->t != 1.0 || !(search->change < rule.promised * D) || objective->penalty.lower) return;
    struct trials trials = {objective, point, d, du, {0}, {0}, 0};
    for (int k = 0; k < STEP_MOST_LONGER; k++) {
        double t = rule.longer * search->t;
        if (!keeps_signs(objective->size, point->x, d, t, rule.may_leave_0)) return;
        double change = change_at(&trials, t, rule.longer, DCPN_MOST_TRIALS);
        if (!(change < rule.worthwhile * search->change)) return;
        search->t = t;
        search->change = change;
    }
}
