/* SPDX-License-Identifier: BSD-3-Clause */
/* Continuation in lambda, for a search on few columns, where a descent costs next to nothing.
 *
 * Down: at each of a few lambdas, beginning at the least one at which x = 0 is stationary, F is descended from the
 * end at the lambda before. It is descended from the l1 solution, too, if that has enough features for other sets of
 * them to fit as well, but not so many that they fit anything. The search follows the lower end. The last lambda is
 * below the wanted one, and a descent leads up again from there, since points with few and large coefficients are
 * found late on the way down.
 *
 * A kick: down to that lambda and back, as long as F is lower afterwards. */
#include <math.h>

#include "base/tuning.h"
#include "base/vector.h"
#include "search/search.h"

static struct penalty *penalty_of(struct search *s)
{
    return &s->local->objective.penalty;
}

static void set_lambda(struct search *s, double lambda)
{
    penalty_of(s)->base_lambda = lambda;
    dcpn_penalty_prepare(penalty_of(s));
}

/* Sets x to 0 and looks at all columns there. Returns the least lambda at which 0 is stationary, as a multiple of
 * the present one. */
static double go_to_0(struct search *s)
{
    struct algorithm *local = s->local;
    const struct penalty *h = penalty_of(s);
    double steepest = 0.0;
    dcpn_fill(local->objective.size, 0.0, local->point.x);
    dcpn_point_evaluate(&local->objective, &local->point);
    dcpn_look_at_all(s->look, &local->objective, &local->point);
    if (h->composition) return h->composition->steepness(h, local->point.gradient);
    for (int64_t j = 0; j < h->features; j++)
        if (h->c[j] > 0.0) steepest = fmax(steepest, fabs(local->point.gradient[j]) / h->c[j]);
    return steepest;
}

/* Is the l1 solution worth a descent? It is if it has enough features, but not too many; once it has too many, it
 * has too many at every smaller lambda as well. */
static int is_worth_a_descent(struct search *s)
{
    const struct objective *F = &s->local->objective;
    double count = (double)dcpn_count_nonzeros(F->features, s->relaxed);
    s->is_crowded = count >= DESCENT_TOO_MANY * F->counted_rows;
    return DESCENT_ENOUGH * count > F->counted_rows && !s->is_crowded;
}

/* Moves local to the end of a descent from the l1 solution, if F is lower there; else local stays where it is. */
static void try_relaxed(struct search *s)
{
    struct algorithm *local = s->local;
    double value = local->point.value;
    if (s->is_crowded) return;
    dcpn_copy(local->objective.size, local->point.x, s->followed);
    dcpn_search_relax(s, 1.0);
    if (is_worth_a_descent(s)) {
        dcpn_search_descend_loosely(s);
        if (local->point.value < value) return;
    }
    dcpn_copy(local->objective.size, s->followed, local->point.x);
    local->point.value = value;
}

static void follow_to(struct search *s, double lambda)
{
    set_lambda(s, lambda);
    dcpn_search_descend_loosely(s);
    try_relaxed(s);
}

void dcpn_search_come_down(struct search *s)
{
    double lambda = penalty_of(s)->base_lambda, factor = fmin(go_to_0(s), DESCENT_FARTHEST);
    dcpn_fill(s->local->objective.size, 0.0, s->relaxed);
    s->is_crowded = 0;
    while ((factor *= DESCENT_STEP) > 1.0 && !dcpn_search_is_over(s)) follow_to(s, factor * lambda);
    follow_to(s, lambda);
    dcpn_search_keep_if_better(s);
    follow_to(s, DESCENT_STEP * lambda);
    set_lambda(s, lambda);
    dcpn_search_descend_loosely(s);
    dcpn_search_keep_if_better(s);
}

/* Makes one kick. Returns by how much it has lowered F at the best point. */
static double kick(struct search *s, double lambda)
{
    const struct effort close = {.goal = DESCENT_CLOSE * dcpn_penalty_reference_slope(penalty_of(s)),
                                 .little = DESCENT_VERY_LITTLE,
                                 .calm = 1,
                                 .steps = DESCENT_MOST_STEPS,
                                 .is_loose = 1};
    double before = s->best.value;
    set_lambda(s, DESCENT_STEP * lambda);
    dcpn_search_descend_loosely(s);
    set_lambda(s, lambda);
    dcpn_search_descend(s, &close);
    dcpn_search_keep_if_better(s);
    return before - s->best.value;
}

void dcpn_search_kick(struct search *s)
{
    double lambda = penalty_of(s)->base_lambda;
    for (int k = 0; k < DESCENT_MOST_KICKS && !dcpn_search_is_over(s); k++)
        if (!(kick(s, lambda) > DESCENT_VERY_LITTLE * fabs(s->best.value))) return;
}
