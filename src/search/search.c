/* SPDX-License-Identifier: BSD-3-Clause */
/* A descent with a linearised h2 stays in the basin that its start leads to, and x = 0 is a poor start: all of h2 is
 * flat there, and a coefficient that an early step takes too far is free of the penalty from then on. So the end of
 * the plain descent is compared with others:
 *
 *     the l1 solution    the descent from the solution for h1 alone; f not quadratic, where a step can go too far
 *     the l1 path        for slopes c, c/2, c/4, ... of h1:  x <- argmin f + slope |x|_1, loosely, from the x before;
 *                        y <- descent on F from x, loosely; until F(y) rises from one slope to the next
 *     down in lambda     from the end at the lambda above, beginning where x = 0 is stationary (lambda_descent.c)
 *     a kick             to a lower lambda and back (lambda_descent.c)
 *     swaps              one feature out and another one in (swap_moves.c)
 *     drops              coefficients without which F is lower are set to 0, and a descent follows, again and again
 *     gradients          the descent from where steps with the global prox of h lead from 0 (gradient_start.c)
 *
 * The l1 path is tried where single coordinates have moves that lower F, or where so many features are in use for so
 * few rows that other sets of features fit as well. Where the columns are a few candidates of many, continuation in
 * lambda leads lower and costs less. */
#include "search/search.h"

#include <math.h>

#include "base/tuning.h"
#include "base/vector.h"

void dcpn_search_layout(struct search *s, const struct objective *F, struct arena *arena)
{
    s->best.x = dcpn_arena_doubles(arena, F->size);
    s->settled.x = dcpn_arena_doubles(arena, F->size);
    s->relaxed = dcpn_arena_doubles(arena, F->size);
    dcpn_swaps_layout(&s->swaps, F, arena);
    s->followed = dcpn_arena_scratch(arena, F->size);
}

/* ---- descents ---- */

/* Descends with at most this much work. */
static struct descent descend_within(struct search *s, const struct effort *asked, double work)
{
    struct effort effort = *asked;
    effort.work = fmax(work, 1.0);
    struct descent d = dcpn_descend(s->local, &effort, s->watch);
    s->budget -= d.work;
    s->work.steps += d.steps;
    s->work.inner += d.inner;
    s->work.trials += d.trials;
    s->work.work += d.work;
    return d;
}

struct descent dcpn_search_descend(struct search *s, const struct effort *effort)
{
    struct descent d = descend_within(s, effort, s->budget - s->reserve);
    s->reserve = fmax(s->reserve, SEARCH_TO_SETTLE * d.work);
    return d;
}

static double slope_of(const struct search *s)
{
    return dcpn_penalty_reference_slope(&s->local->objective.penalty);
}

static void descend_to(struct search *s, double goal)
{
    const struct effort effort = {
        .goal = goal, .little = SEARCH_LITTLE, .calm = 1, .steps = SEARCH_MOST_STEPS, .is_loose = 1};
    dcpn_search_descend(s, &effort);
}

void dcpn_search_descend_loosely(struct search *s)
{
    descend_to(s, SEARCH_LOOSE * slope_of(s));
}

/* Descends to the goal. Returns 0 if the work that was left did not suffice. */
static int descend_tightly(struct search *s)
{
    const struct effort effort = {.goal = s->goal, .steps = INT64_MAX, .is_shown = 1};
    struct descent d = descend_within(s, &effort, s->budget);
    return d.outcome != DCPN_MAX_ITERATIONS || s->watch->is_over;
}

double dcpn_search_work(const struct search *s)
{
    return (double)s->local->objective.design.touched + (double)s->local->objective.design.beside;
}

int dcpn_search_is_over(const struct search *s)
{
    return s->watch->is_over || s->budget <= s->reserve;
}

/* ---- the best point ---- */

void dcpn_search_keep_if_better(struct search *s)
{
    if (!(s->local->point.value < s->best.value)) return;
    s->best.value = s->local->point.value;
    dcpn_copy(s->local->objective.size, s->local->point.x, s->best.x);
}

void dcpn_search_return_to_best(struct search *s)
{
    dcpn_copy(s->local->objective.size, s->best.x, s->local->point.x);
    dcpn_point_evaluate(&s->local->objective, &s->local->point);
}

static void remember_settled(struct search *s)
{
    s->settled.value = s->best.value;
    dcpn_copy(s->local->objective.size, s->best.x, s->settled.x);
}

static void return_to_settled(struct search *s)
{
    s->best.value = s->settled.value;
    dcpn_copy(s->local->objective.size, s->settled.x, s->best.x);
    dcpn_search_return_to_best(s);
}

/* Descends to the goal from what a loose descent found, so that the point is like the end of any descent. If that
 * takes more work than is left, the search stays where it was. */
static void settle(struct search *s)
{
    int is_lower = s->best.value < s->settled.value;
    dcpn_search_return_to_best(s);
    if (!is_lower) return;
    s->best.value = s->local->point.value; /* from x alone, which says more than what moves have added up */
    int is_settled = s->best.value < s->settled.value && descend_tightly(s);
    dcpn_search_keep_if_better(s);
    if (is_settled && s->best.value < s->settled.value)
        remember_settled(s);
    else
        return_to_settled(s);
}

/* ---- l1 solutions ---- */

/* Is the matrix so small that another descent takes hardly any time? */
static int is_small(const struct objective *F)
{
    return F->counted_rows * (double)F->features <= SEARCH_SMALL;
}

void dcpn_search_relax(struct search *s, double scale)
{
    struct penalty *h = &s->local->objective.penalty;
    double slope = scale * slope_of(s);
    int is_quick = s->is_few || is_small(&s->local->objective);
    dcpn_copy(s->local->objective.size, s->relaxed, s->local->point.x);
    for (int64_t j = 0; j < h->features; j++) h->c[j] *= scale;
    for (int64_t b = 0; h->composition && b < h->blocks.count; b++) h->blocks.c[b] *= scale;
    h->first_only = 1;
    descend_to(s, (is_quick ? SEARCH_RELAXED_QUICK : SEARCH_RELAXED) * slope);
    dcpn_copy(s->local->objective.size, s->local->point.x, s->relaxed);
    h->first_only = 0;
    dcpn_penalty_prepare(h);
}

/* Sets coefficients to 0 where that lowers F, and descends. Returns how many were set to 0. */
static int64_t drop_and_descend(struct search *s)
{
    struct algorithm *local = s->local;
    int only_bent = s->stage != DCPN_SEARCH_PATH_AND_DROP;
    dcpn_moves_learn(s->moves, &local->objective);
    double before = dcpn_search_work(s);
    int64_t dropped = dcpn_moves_drop(s->moves, &local->objective, &local->point, only_bent);
    s->budget -= dcpn_search_work(s) - before;
    if (dropped == 0) return 0;
    dcpn_search_keep_if_better(s);
    dcpn_search_descend_loosely(s);
    dcpn_search_keep_if_better(s);
    return dropped;
}

/* Drops features of a candidate and descends, several times. The higher one of two candidates may be the lower one
 * after that. */
static void polish_candidate(struct search *s)
{
    double before = HUGE_VAL;
    for (int round = 0; round < SEARCH_MOST_CANDIDATE_ROUNDS && !dcpn_search_is_over(s); round++) {
        if (!(before - s->local->point.value > SEARCH_WORTH_YET * fabs(s->local->point.value))) return;
        before = s->local->point.value;
        if (drop_and_descend(s) == 0) return;
    }
}

/* Tries the l1 path, from the slope c / 2^level on. */
static void try_l1_path(struct search *s, int level, int is_polished)
{
    double last = level > 0 ? s->last_value : HUGE_VAL;
    for (; level < SEARCH_MOST_LEVELS && !dcpn_search_is_over(s); level++) {
        dcpn_search_relax(s, ldexp(1.0, -level));
        dcpn_search_descend_loosely(s);
        dcpn_search_keep_if_better(s);
        if (is_polished) polish_candidate(s);
        if (s->local->point.value > last) return;
        last = s->local->point.value;
    }
}

/* ---- when to look for other basins ---- */

static int is_quadratic(const struct loss *loss)
{
    return loss->rows.ops == &dcpn_loss_squared && !loss->unlabelled.ops;
}

/* Are so many features in use, for so few rows, that other sets of features will fit about as well? */
static int is_dubious(const struct algorithm *a)
{
    double count = (double)dcpn_count_nonzeros(a->objective.features, a->point.x);
    return SEARCH_FEW_ROWS * count > a->objective.counted_rows;
}

static int has_moves(struct search *s)
{
    s->budget -= (double)s->local->objective.design.A->entries;
    return dcpn_moves_count(s->moves, &s->local->objective, &s->local->point, s->look, s->goal) > 0;
}

static int is_promising(struct search *s)
{
    if (s->local->objective.penalty.composition && !s->local->objective.penalty.composition->has_prox) return s->from_0;
    int is_free = s->from_0 && is_quadratic(&s->local->objective.loss) && is_dubious(s->local);
    return is_free || has_moves(s);
}

/* ---- the moves: each is tried from the best point, and leaves what it finds among the candidates ---- */

static int wants_l1_solution(struct search *s)
{
    return !s->is_few && s->from_0 && !is_quadratic(&s->local->objective.loss);
}

static void try_l1_solution(struct search *s)
{
    dcpn_search_relax(s, 1.0);
    descend_tightly(s);
    s->last_value = s->local->point.value;
    dcpn_search_keep_if_better(s);
}

static int wants_come_down(struct search *s)
{
    return s->is_few && (s->from_0 || has_moves(s));
}

static int wants_kick(struct search *s)
{
    return s->is_few;
}

static int wants_l1_path(struct search *s)
{
    return !s->is_few && is_promising(s);
}

/* Tries the l1 path. The slope c is left out if the l1 solution was tried before. */
static void try_plain_l1_path(struct search *s)
{
    try_l1_path(s, wants_l1_solution(s), 0);
}

static int wants_deep_continuation(struct search *s)
{
    return !s->is_few && !s->is_kept_to && is_small(&s->local->objective);
}

static int wants_deep_l1_path(struct search *s)
{
    return !s->is_few && !s->is_kept_to;
}

static void try_polished_l1_path(struct search *s)
{
    try_l1_path(s, 0, 1);
}

static int wants_gradients(struct search *s)
{
    return s->gradient && s->from_0 && !s->is_few && has_moves(s);
}

static int always(struct search *s)
{
    (void)s;
    return 1;
}

static void try_drops(struct search *s)
{
    for (int round = 0; round < SEARCH_MOST_ROUNDS && !dcpn_search_is_over(s); round++) {
        double before = s->best.value;
        if (drop_and_descend(s) == 0) return;
        settle(s);
        if (!(before - s->best.value > SEARCH_WORTH * fabs(before))) return;
    }
}

static int wants_swaps(struct search *s)
{
    return dcpn_swaps_exist(&s->local->objective);
}

static void try_swaps(struct search *s)
{
    for (int round = 0; round < SWAP_MOST_ROUNDS && !dcpn_search_is_over(s); round++) {
        double before = s->best.value;
        double left = s->budget - s->reserve, spare = s->reserve;
        int64_t made = dcpn_swaps_make(&s->swaps, s->moves, &s->local->objective, &s->local->point, &left);
        s->budget = left + spare;
        if (made == 0) return;
        dcpn_search_keep_if_better(s);
        dcpn_search_descend_loosely(s);
        dcpn_search_keep_if_better(s);
        if (!(before - s->best.value > SEARCH_WORTH_YET * fabs(before))) return;
    }
}

static const struct move {
    enum search_kind stage;
    int (*is_wanted)(struct search *);
    void (*make)(struct search *);
} moves[] = {
    {DCPN_SEARCH_PATH, wants_l1_solution, try_l1_solution},
    {DCPN_SEARCH_PATH, wants_come_down, dcpn_search_come_down},
    {DCPN_SEARCH_PATH, wants_kick, dcpn_search_kick},
    {DCPN_SEARCH_PATH, wants_l1_path, try_plain_l1_path},
    {DCPN_SEARCH_PATH, wants_swaps, try_swaps},
    {DCPN_SEARCH_PATH_THEN_DROP, always, try_drops},
    {DCPN_SEARCH_PATH_AND_DROP, wants_deep_continuation, dcpn_search_come_down},
    {DCPN_SEARCH_PATH_AND_DROP, wants_deep_continuation, dcpn_search_kick},
    {DCPN_SEARCH_PATH_AND_DROP, wants_deep_l1_path, try_polished_l1_path},
    {DCPN_SEARCH_PATH_AND_DROP, wants_gradients, dcpn_search_from_gradients},
    {DCPN_SEARCH_PATH_AND_DROP, always, try_drops},
    {DCPN_SEARCH_PATH_AND_DROP, wants_swaps, try_swaps},
};

/* Tries a move, if this stage has it and it makes sense. A move that is cut short counts as untried, since it might
 * have led on. */
static void try_move(struct search *s, const struct move *move)
{
    if (move->stage != s->stage || s->watch->is_over || !move->is_wanted(s)) return;
    if (!dcpn_search_is_over(s)) move->make(s);
    s->work.untried += dcpn_search_is_over(s) && !s->watch->is_over;
    settle(s);
}

void dcpn_search_run(struct search *s)
{
    s->best.value = HUGE_VAL;
    dcpn_search_keep_if_better(s);
    remember_settled(s);
    if (s->stage == DCPN_SEARCH_PATH || s->is_few) /* a later stage knows the last l1 solution of the one before */
        dcpn_fill(s->local->objective.size, 0.0, s->relaxed);
    for (size_t k = 0; k < sizeof moves / sizeof *moves; k++) try_move(s, &moves[k]);
    dcpn_search_return_to_best(s);
}
