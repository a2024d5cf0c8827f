/* SPDX-License-Identifier: BSD-3-Clause */
/* Continuation in lambda, for a search on few columns, where a descent costs next to nothing.
 *
 * Down: from the least lambda at which x = 0 is stationary F is descended at each of a few, from the end at the one before;
 * and from the l1 solution there, if that has enough features for other supports to do as well, and not so many that they
 * fit anything. The lower end is the one that is followed. The last lambda is one below the wanted one, and from there the
 * way leads up to it again: what has few and large coefficients is found late on the way down.
 *
 * Before that F is descended from 0 at the wanted lambda: the long way is not the lower one always.
 *
 * A kick: down to that lambda and back, as long as F is lower afterwards. */
#include <math.h>

#include "search/multistart.h"
#include "base/vector.h"

enum { ENOUGH = 2 /* as the share of the rows */, MOST_KICKS = 5 };
static const double STEP = 0.7;     /* from one lambda to the next */
static const double TOO_MANY = 0.9; /* of the rows: features of an l1 solution */
static const double CLOSE = 0.01;   /* of the slope: the stationarity after a kick, */
static const double VERY_LITTLE =
    1e-6; /* of F: and the change in a step that ends the descent; what a kick has to bring */

static struct penalty *penalty_of(struct global_search *g)
{
    return &g->local->objective.penalty;
}

static void set_lambda(struct global_search *g, double lambda)
{
    penalty_of(g)->base_lambda = lambda;
    dcpn_penalty_prepare(penalty_of(g));
}

/* The least lambda at which 0 is stationary, as a multiple of the present one; x becomes 0, and has been looked at. */
static double go_to_0(struct global_search *g)
{
    struct algorithm *local = g->local;
    const struct penalty *h = penalty_of(g);
    double steepest = 0.0;
    dcpn_fill(local->objective.size, 0.0, local->point.x);
    local->ops->start(local);
    dcpn_algorithm_look(local);
    for (int64_t j = 0; j < h->features; j++)
        if (h->c[j] > 0.0) steepest = fmax(steepest, fabs(local->point.gradient[j]) / h->c[j]);
    return steepest;
}

/* Once it has too many features, it has them at every lambda further down, too. */
static int is_worth_a_descent(struct global_search *g)
{
    const struct objective *F = &g->local->objective;
    int64_t count = dcpn_count_nonzeros(F->features, g->relaxed);
    g->is_crowded = (double)count >= TOO_MANY * (double)F->rows;
    return ENOUGH * count > F->rows && !g->is_crowded;
}

/* The end from the l1 solution, if it is lower than the point; else local stays where it is. */
static void try_relaxed(struct global_search *g)
{
    struct algorithm *local = g->local;
    double value = local->point.value;
    if (g->is_crowded) return;
    dcpn_copy(local->objective.size, local->point.x, g->followed);
    dcpn_search_relax(g, 1.0);
    if (is_worth_a_descent(g)) {
        dcpn_search_descend_loosely(g);
        if (local->point.value < value) return;
    }
    dcpn_copy(local->objective.size, g->followed, local->point.x);
    local->point.value = value;
}

static void follow_to(struct global_search *g, double lambda)
{
    set_lambda(g, lambda);
    dcpn_search_descend_loosely(g);
    try_relaxed(g);
}

void dcpn_search_come_down(struct global_search *g)
{
    double lambda = penalty_of(g)->base_lambda, factor = go_to_0(g);
    dcpn_search_try_0(g); /* where the look is known */
    dcpn_fill(g->local->objective.size, 0.0, g->local->point.x);
    dcpn_fill(g->local->objective.size, 0.0, g->relaxed);
    g->is_crowded = 0;
    while ((factor *= STEP) > 1.0) follow_to(g, factor * lambda);
    follow_to(g, lambda);
    dcpn_search_keep_if_better(g);
    follow_to(g, STEP * lambda);
    set_lambda(g, lambda);
    dcpn_search_descend_loosely(g);
    dcpn_search_keep_if_better(g);
    g->has_come_down = 1;
}

/* Returns what F is lower by, at the end that is kept. */
static double kick(struct global_search *g, double lambda)
{
    double before = g->best_value;
    set_lambda(g, STEP * lambda);
    dcpn_search_descend_loosely(g);
    set_lambda(g, lambda);
    dcpn_search_descend(g, CLOSE * dcpn_penalty_reference_slope(penalty_of(g)), VERY_LITTLE);
    dcpn_search_keep_if_better(g);
    return before - g->best_value;
}

void dcpn_search_kick(struct global_search *g)
{
    double lambda = penalty_of(g)->base_lambda;
    for (int k = 0; k < MOST_KICKS; k++)
        if (!(kick(g, lambda) > VERY_LITTLE * fabs(g->best_value))) return;
}
