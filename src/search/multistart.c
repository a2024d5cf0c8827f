/* SPDX-License-Identifier: BSD-3-Clause */
/* The basin in which a linearised h2 leaves x depends on the start, and x = 0 is a poor one: there all of h2 is flat,
 * and what an early step takes too far is free of the penalty from then on. So the descent begins at the solution for
 * h1 alone, unless the caller has a start, or f is quadratic, so that no step goes too far; and after it, if the gate of
 * step/escape.c is open:
 *     for slopes c/2, c/4, ... of h1 (from c on if that was not the start):
 *         x <- argmin f + slope |x|_1, loosely, from the x before
 *         y <- descent on F from x, loosely; keep the y of the lowest F
 *     until F(y) rises from one slope to the next; then the descent, tightly, from the best y.
 * Of small dense data with fewer rows than features the descent from 0 is another candidate: there it costs little, and no
 * other one is lower always.
 * On few columns of many continuation in lambda leads lower and costs less: continuation.c. On small data, if each
 * candidate is to be polished (below), its end is one.
 * If wanted, the best of them, or each, is polished: again and again, what F is lower without is set to 0, and a descent
 * follows. One step is one step of a descent, or one slope, or one round of setting to 0. The point is always
 * the best so far, so that F never increases, and at the end it is stationary like that of any descent. */
#include "search/multistart.h"

#include <math.h>

#include "base/vector.h"

enum { MOST_LEVELS = 10, MOST_ROUNDS = 10, MOST_CANDIDATE_ROUNDS = 5, MOST_STEPS = 200, FEW_ROWS = 4, SMALL = 1 << 20 };
static const double RELAXED = 0.01;   /* of the slope: the stationarity of a solution on the l1 path */
static const double LOOSE = 0.1;      /* of the slope: that at which candidates are compared */
static const double LITTLE = 1e-4;    /* of F: a step of the loose descents that changes it by less is their last */
static const double WORTH = 1e-6;     /* of F: what a round of dropping has to bring for another one */
static const double WORTH_YET = 1e-3; /* the same, for a candidate */

static struct global_search *search_of(struct algorithm *a)
{
    return (struct global_search *)a;
}

/* What run.c sees of the descent. */
static void share(struct global_search *g)
{
    struct algorithm *a = &g->algorithm, *local = g->local;
    a->objective = local->objective;
    a->point = local->point;
    a->z_h2 = local->z_h2;
    a->v = local->v;
}

static void layout(struct algorithm *a, struct arena *arena)
{
    struct global_search *g = search_of(a);
    g->best = dcpn_arena_doubles(arena, a->objective.size);
    g->relaxed = dcpn_arena_doubles(arena, a->objective.size);
    g->followed = dcpn_arena_scratch(arena, a->objective.size);
    g->local->objective = a->objective;
    g->local->point = a->point;
    dcpn_algorithm_layout_parts(g->local, arena);
    share(g);
}

/* The descents of a run differ in h alone. */
static void start_local(struct global_search *g)
{
    g->local->ops->start(g->local);
    g->local->same_f = 1;
}

static void begin_descent(struct global_search *g, enum search_stage next)
{
    g->local->goal = g->algorithm.goal;
    g->local->should_end = g->algorithm.should_end;
    g->local->driver = g->algorithm.driver;
    start_local(g);
    g->next = next;
    share(g);
}

static int is_quadratic(const struct loss *loss)
{
    return loss->rows.ops == &dcpn_loss_squared && !loss->unlabelled.ops;
}

/* So few numbers that another descent takes no time to speak of. */
static int is_small(const struct objective *F)
{
    return F->rows * F->features <= SMALL;
}

/* Fewer rows than features, and no entry left out. */
static int is_wide(const struct objective *F)
{
    return F->rows < F->features && F->design.A->entries >= F->rows * F->features;
}

static enum search_stage first_stage(struct global_search *g)
{
    const struct algorithm *a = &g->algorithm;
    int is_fresh = dcpn_count_nonzeros(a->objective.features, a->point.x) == 0;
    if (g->part == DCPN_SEARCH_NONE) return DCPN_SEARCH_DONE;
    if (g->part == DCPN_SEARCH_REST) return DCPN_SEARCH_KICK;
    g->has_come_down = g->tries_0 = 0;
    g->has_start = !is_fresh;
    if (g->part == DCPN_SEARCH_FIRST) return is_fresh ? DCPN_SEARCH_DOWN : DCPN_SEARCH_DONE;
    g->from_0 = is_fresh && is_quadratic(&a->objective.loss);
    g->tries_0 = is_fresh && !g->from_0 && is_wide(&a->objective) && is_small(&a->objective);
    return is_fresh && !g->from_0 ? DCPN_SEARCH_RELAX : DCPN_SEARCH_GATE;
}

static void start(struct algorithm *a)
{
    struct global_search *g = search_of(a);
    a->residual = 0.0;
    a->direction = (struct direction){.d = g->local->direction.d};
    a->search = (struct line_search){0};
    dcpn_fill(a->objective.size, 0.0, g->relaxed);
    g->level = 0;
    g->local->same_f = a->same_f;
    g->local->objective.design.touched = a->objective.design.touched; /* not that of the run before */
    begin_descent(g, first_stage(g));
}

static int should_end(const struct algorithm *a)
{
    return a->should_end && a->should_end(a->driver);
}

static void count_work(struct algorithm *a, const struct algorithm *local)
{
    a->direction.iterations += local->direction.iterations;
    a->search.trials += local->search.trials;
}

void dcpn_search_descend(struct global_search *g, double goal, double change)
{
    struct algorithm *a = &g->algorithm, *local = g->local;
    local->goal = goal;
    start_local(g);
    dcpn_algorithm_look(local);
    for (int steps = 0; local->stationarity > goal && steps < MOST_STEPS && !should_end(a); steps++) {
        int stepped = local->ops->step(local);
        count_work(a, local);
        if (!stepped || fabs(local->search.change) <= change * fabs(local->point.value)) return;
        dcpn_algorithm_look(local);
    }
}

void dcpn_search_keep_if_better(struct global_search *g)
{
    if (!(g->local->point.value < g->best_value)) return;
    g->best_value = g->local->point.value;
    dcpn_copy(g->local->objective.size, g->local->point.x, g->best);
}

/* Back to the best point; `next` follows its descent. */
static int return_to_best(struct global_search *g, enum search_stage next)
{
    struct algorithm *a = &g->algorithm;
    double before = a->point.value;
    dcpn_copy(g->local->objective.size, g->best, g->local->point.x);
    begin_descent(g, next);
    a->search.change = a->point.value - before;
    return 1;
}

void dcpn_search_relax(struct global_search *g, double scale)
{
    struct penalty *h = &g->local->objective.penalty;
    double slope = scale * dcpn_penalty_reference_slope(h);
    dcpn_copy(g->local->objective.size, g->relaxed, g->local->point.x);
    for (int64_t j = 0; j < h->features; j++) h->c[j] *= scale;
    h->first_only = 1;
    dcpn_search_descend(g, RELAXED * slope, LITTLE);
    dcpn_copy(g->local->objective.size, g->local->point.x, g->relaxed);
    h->first_only = 0;
    dcpn_penalty_prepare(h);
}

/* The first descent begins at the solution for h1 alone. */
static int begin_relaxed(struct global_search *g)
{
    struct algorithm *a = &g->algorithm;
    double before = a->point.value;
    dcpn_search_relax(g, 1.0);
    g->level = 1;
    begin_descent(g, DCPN_SEARCH_GATE);
    a->search.change = a->point.value - before;
    return 1;
}

void dcpn_search_descend_loosely(struct global_search *g)
{
    dcpn_search_descend(g, LOOSE * dcpn_penalty_reference_slope(&g->local->objective.penalty), LITTLE);
}

/* Returns how many coefficients were set to 0 before the descent. */
static int64_t drop_and_descend(struct global_search *g)
{
    int64_t dropped = dcpn_moves_drop(g->escape, &g->local->objective, &g->local->point, !g->drops_throughout);
    if (dropped == 0) return 0;
    dcpn_search_keep_if_better(g);
    dcpn_search_descend_loosely(g);
    dcpn_search_keep_if_better(g);
    return dropped;
}

/* Of two candidates the higher one may well be the lower one without what it can do without. */
static void polish_candidate(struct global_search *g)
{
    double before = HUGE_VAL;
    for (int round = 0; round < MOST_CANDIDATE_ROUNDS && !should_end(&g->algorithm); round++) {
        if (!(before - g->local->point.value > WORTH_YET * fabs(g->local->point.value))) return;
        before = g->local->point.value;
        if (drop_and_descend(g) == 0) return;
    }
}

static enum search_stage last_stage(struct global_search *g)
{
    g->level = 0;
    return g->drops_at_last ? DCPN_SEARCH_DROP : DCPN_SEARCH_DONE;
}

/* One slope of the path. */
static int try_slope(struct global_search *g)
{
    dcpn_search_relax(g, ldexp(1.0, -g->level));
    dcpn_search_descend_loosely(g);
    dcpn_search_keep_if_better(g);
    if (g->drops_throughout) polish_candidate(g);
    double value = g->local->point.value;
    int over = (g->level > 0 && value > g->last_value) || ++g->level == MOST_LEVELS || should_end(&g->algorithm);
    g->last_value = value;
    if (!over) return return_to_best(g, DCPN_SEARCH_PATH);
    return return_to_best(g, last_stage(g));
}

/* From a stationary point; another round follows if this one was worth it. */
static int drop(struct global_search *g)
{
    double before = g->best_value = g->local->point.value;
    dcpn_copy(g->local->objective.size, g->local->point.x, g->best);
    if (drop_and_descend(g) == 0) return return_to_best(g, DCPN_SEARCH_DONE);
    int again = before - g->best_value > WORTH * fabs(before) && ++g->level < MOST_ROUNDS;
    return return_to_best(g, again ? DCPN_SEARCH_DROP : DCPN_SEARCH_DONE);
}

static int pass_step(struct global_search *g)
{
    struct algorithm *a = &g->algorithm, *local = g->local;
    local->stationarity = a->stationarity;
    int stepped = local->ops->step(local);
    count_work(a, local);
    a->direction.D = local->direction.D;
    a->search = local->search;
    a->point.value = local->point.value;
    a->is_afresh = local->is_afresh;
    return stepped;
}

void dcpn_search_try_0(struct global_search *g)
{
    double slope = dcpn_penalty_reference_slope(&g->local->objective.penalty);
    dcpn_fill(g->local->objective.size, 0.0, g->local->point.x);
    dcpn_search_descend(g, RELAXED * slope, WORTH);
    dcpn_search_keep_if_better(g);
}

/* So many for so few rows that other supports will do about as well. */
static int is_dubious(const struct algorithm *a)
{
    return FEW_ROWS * dcpn_count_nonzeros(a->objective.features, a->point.x) > a->objective.rows;
}

static void take_as_best(struct global_search *g)
{
    g->best_value = g->local->point.value;
    dcpn_copy(g->local->objective.size, g->local->point.x, g->best);
}

static int has_moves(struct global_search *g)
{
    return dcpn_moves_count(g->escape, &g->algorithm.objective, &g->algorithm.point, g->algorithm.goal) > 0;
}

static int try_0(struct global_search *g)
{
    take_as_best(g);
    dcpn_search_try_0(g);
    g->tries_0 = 0;
    return return_to_best(g, DCPN_SEARCH_GATE);
}

/* On few columns, before the first descent; on small data after it. */
static int come_down(struct global_search *g)
{
    take_as_best(g);
    dcpn_search_come_down(g);
    return return_to_best(g, g->part == DCPN_SEARCH_ALL ? DCPN_SEARCH_KICK : DCPN_SEARCH_DONE);
}

/* And from a stationary point, which a start of the caller may have led to. */
static int kick(struct global_search *g)
{
    take_as_best(g);
    if (!g->has_come_down && has_moves(g)) dcpn_search_come_down(g);
    dcpn_copy(g->local->objective.size, g->best, g->local->point.x);
    dcpn_search_kick(g);
    g->level = 0; /* from the slope c on: its end, though compared already, is yet to be polished */
    return return_to_best(g, g->part == DCPN_SEARCH_ALL ? DCPN_SEARCH_PATH : last_stage(g));
}

/* The first descent is over: is there anything to look for? */
static enum search_stage stage_behind_gate(struct global_search *g)
{
    take_as_best(g);
    g->last_value = g->best_value;
    int always = g->drops_throughout && !(g->has_start && g->keeps_to_start);
    if (!always && !(g->from_0 && is_dubious(&g->algorithm)) && !has_moves(g)) return last_stage(g);
    return g->drops_throughout && is_small(&g->algorithm.objective) ? DCPN_SEARCH_DOWN : DCPN_SEARCH_PATH;
}

static int has_drop(struct global_search *g)
{
    return dcpn_moves_has_drop(g->escape, &g->algorithm.objective, &g->algorithm.point, !g->drops_throughout);
}

static int is_done(struct algorithm *a)
{
    struct global_search *g = search_of(a);
    if (g->next == DCPN_SEARCH_RELAX) g->next = DCPN_SEARCH_GATE; /* the start is stationary for h1 */
    if (g->next == DCPN_SEARCH_DOWN && g->part == DCPN_SEARCH_FIRST) g->next = DCPN_SEARCH_DONE;
    if (g->next == DCPN_SEARCH_GATE && g->tries_0) g->next = DCPN_SEARCH_ZERO;
    if (g->next == DCPN_SEARCH_GATE) g->next = stage_behind_gate(g);
    if (g->next == DCPN_SEARCH_DROP && !has_drop(g)) g->next = DCPN_SEARCH_DONE;
    return g->next == DCPN_SEARCH_DONE;
}

static int step(struct algorithm *a)
{
    struct global_search *g = search_of(a);
    a->direction.iterations = a->search.trials = 0;
    a->search.change = 0.0;
    g->local->objective.design.touched = a->objective.design.touched;
    int stepped;
    if (g->next == DCPN_SEARCH_RELAX)
        stepped = begin_relaxed(g);
    else if (g->next == DCPN_SEARCH_DOWN)
        stepped = come_down(g);
    else if (g->next == DCPN_SEARCH_ZERO)
        stepped = try_0(g);
    else if (g->next == DCPN_SEARCH_PATH)
        stepped = try_slope(g);
    else if (g->next == DCPN_SEARCH_KICK && (g->part == DCPN_SEARCH_REST || a->stationarity <= a->goal))
        stepped = kick(g);
    else if (g->next == DCPN_SEARCH_DROP && a->stationarity <= a->goal)
        stepped = drop(g);
    else
        stepped = pass_step(g);
    a->objective.design.touched = g->local->objective.design.touched;
    return stepped;
}

const struct algorithm_ops dcpn_global_search_ops = {
    .name = "global-search",
    .formula = "a descent from the l1 path, the lowest of its ends, and what F is lower without",
    .state_size = sizeof(struct global_search),
    .layout = layout,
    .start = start,
    .step = step,
    .is_done = is_done,
};
