/* SPDX-License-Identifier: BSD-3-Clause */
/* Which columns are in the active set S. */
#include <math.h>

#include "base/select.h"
#include "base/tuning.h"
#include "working_set/active_set.h"

/* Is column j in S whatever its violation is? It is if it is in use or free of penalty; with blocks, all columns of a
 * block in use are. */
static int is_settled(const struct active_set *s, int64_t j)
{
    const struct algorithm *a = &s->algorithm;
    if (a->objective.penalty.composition) return s->in_use[j] != 0.0 && !dcpn_set_is_empty(&a->objective, j);
    return a->point.x[j] != 0.0 || (a->objective.penalty.c[j] == 0.0 && !dcpn_set_is_empty(&a->objective, j));
}

static double least_violation(const struct algorithm *a)
{
    return SET_ENTERING * fmin(a->goal, SET_MANY * dcpn_penalty_reference_slope(&a->objective.penalty));
}

/* Is S better all columns, from now on? */
static int wants_all(const struct active_set *s, int64_t settled, int64_t entering)
{
    const struct algorithm *a = &s->algorithm;
    int64_t size = a->objective.size;
    if (!dcpn_set_learns(s) || s->capacity < size || dcpn_set_is_sparse(a->objective.design.A)) return 0;
    return s->wants_all || SET_SETTLED_TO_TAKE_ALL * settled > size ||
           SET_CONCERNED_TO_TAKE_ALL * (settled + entering) > size;
}

/* Measures the violations of blocks, which enter S as a whole, except for their empty columns. */
static void measure_blocks(struct active_set *s)
{
    struct algorithm *a = &s->algorithm;
    dcpn_penalty_violations(&a->objective.penalty, a->point.x, a->point.gradient, s->violation);
    dcpn_penalty_mark_in_use(&a->objective.penalty, a->point.x, s->in_use);
    for (int64_t j = 0; s->capacity < a->objective.size && j < a->objective.features; j++)
        if (dcpn_set_is_empty(&a->objective, j)) s->violation[j] = 0.0;
}

static double violation_of(const struct active_set *s, int64_t j)
{
    const struct algorithm *a = &s->algorithm;
    const struct penalty *h = &a->objective.penalty;
    double x = a->point.x[j], g = a->point.gradient[j];
    if (h->composition) return s->violation[j];
    return x == 0.0 ? dcpn_penalty_violation_at_0(h, j, g) : dcpn_penalty_violation(h, j, x, g);
}

/* Are more columns in use, or about to be, than S has room for? On ranks S has then those that violate stationarity
 * most, in use or not, and all others stay where they are: u and F are those of all columns, so that a step on S is
 * one on F, and each column has its turn. What is in use with others, as coefficients of overlapping groups and of
 * groups within groups are, cannot be left out. */
static int takes_turns(const struct active_set *s, int64_t settled, int64_t candidates)
{
    const struct objective *F = &s->algorithm.objective;
    const struct composition *blocks = F->penalty.composition;
    int is_alone = !blocks || (!blocks->separable_h1 && blocks->overlap != DCPN_OVERLAP_NESTED);
    return F->design.A->ops->by_ranks && is_alone && 2 * settled > s->room.most &&
           settled + candidates > s->room.most;
}

/* The violation that columns of this turn have at least, or, so that blocks stay whole, have more than. */
static double violation_of_turn(struct active_set *s)
{
    const struct objective *F = &s->algorithm.objective;
    int64_t count = 0, most = s->room.most - (F->size - F->features);
    for (int64_t j = 0; j < F->features; j++)
        if (s->violation[j] > 0.0 && !dcpn_set_is_empty(F, j)) s->candidates[count++] = s->violation[j];
    return count > most ? dcpn_kth_largest(s->candidates, count, most) : 0.0;
}

/* Fills S for this turn. What is left out is what the end of a step is compared with. */
static int64_t choose_turn(struct active_set *s, double least)
{
    const struct objective *F = &s->algorithm.objective;
    int64_t count = 0, left = s->room.most - (F->size - F->features);
    s->outside = 0.0;
    for (int64_t j = 0; j < F->size; j++) {
        double violation = s->violation[j];
        int is_steep = F->penalty.composition ? violation > least : violation >= least && violation > 0.0;
        int enters = j >= F->features || (is_steep && left > 0 && !dcpn_set_is_empty(F, j));
        if (enters) s->S[count++] = j;
        if (enters) left -= j < F->features;
        if (!enters && violation > s->outside) s->outside = violation;
    }
    s->room.is_beyond = count == F->size - F->features;
    return count;
}

/* The violation from which on a column enters S; infinite if none does. */
static double entering_violation(struct active_set *s, int64_t *settled)
{
    struct algorithm *a = &s->algorithm;
    int64_t count = 0, all = dcpn_look_count(s->look, a->objective.size);
    double least = least_violation(a);
    *settled = 0;
    s->outside = 0.0;
    if (a->objective.penalty.composition) measure_blocks(s);
    for (int64_t i = 0; i < all; i++) {
        int64_t j = dcpn_look_column(s->look, i);
        s->violation[j] = violation_of(s, j);
        if (is_settled(s, j)) {
            (*settled)++;
            continue;
        }
        if (s->violation[j] > least) s->candidates[count++] = s->violation[j];
        if (s->violation[j] > s->outside) s->outside = s->violation[j];
    }
    s->wants_all = wants_all(s, *settled, count);
    s->room.in_turns = takes_turns(s, *settled, count);
    if (s->room.in_turns) return violation_of_turn(s);
    int64_t total = 2 * *settled > s->room.now ? 2 * *settled : s->room.now;
    if (total > s->room.most) total = *settled > s->room.most ? *settled : s->room.most;
    int64_t entering = total - *settled;
    if (entering == 0) return HUGE_VAL;
    if (count == 0) return HUGE_VAL;
    return entering >= count ? 0.0 : dcpn_kth_largest(s->candidates, count, entering);
}

void dcpn_active_set_choose(struct active_set *s)
{
    struct algorithm *a = &s->algorithm;
    int64_t settled, count = 0, all = dcpn_look_count(s->look, a->objective.size);
    double entering = entering_violation(s, &settled), least = fmax(entering, least_violation(a));
    if (s->room.in_turns) {
        s->A_S.base.columns = choose_turn(s, entering);
        return;
    }
    int64_t left =
        s->room.most - settled; /* for columns that enter; of those as steep as one another not all may find room */
    for (int64_t i = 0; i < all; i++) {
        int64_t j = dcpn_look_column(s->look, i);
        int enters = s->violation[j] >= least && s->violation[j] > 0.0 && !is_settled(s, j) && left > 0;
        if (s->wants_all || enters || is_settled(s, j)) s->S[count++] = j;
        left -= enters;
    }
    s->room.is_beyond =
        a->objective.design.A->ops->by_ranks &&
        (left < 0 || (left == 0 && a->objective.penalty.composition && s->room.most < a->objective.size));
    s->A_S.base.columns = count;
    if (s->room.now < a->objective.size) s->room.now *= 2;
}
