/* SPDX-License-Identifier: BSD-3-Clause */
/* Descents on nested sets of columns, and the search on the smallest of them. */
#include "workspace/levels.h"

#include <math.h>

#include "base/tuning.h"
#include "base/vector.h"
#include "working_set/candidates.h"

dcpn_status dcpn_levels_new(const struct plan *plan, struct levels *levels)
{
    *levels = (struct levels){0};
    DCPN_TRY(dcpn_workspace_new(plan, &levels->all));
    DCPN_TRY(dcpn_give_byte_copy(levels->all));
    const struct objective *F = &levels->all->algorithm->objective;
    levels->count = dcpn_is_wide(levels->all) ? dcpn_candidate_count(F->counted_rows, F->features) : 0;
    if (levels->count == 0) return DCPN_OK;
    levels->columns = dcpn_allocate(plan->context, (size_t)levels->count, sizeof *levels->columns);
    levels->steepness = dcpn_allocate(plan->context, (size_t)F->features, sizeof *levels->steepness);
    levels->at_start = dcpn_allocate(plan->context, (size_t)F->features, sizeof *levels->at_start);
    levels->space = dcpn_allocate(plan->context, 2 * (size_t)F->features, sizeof *levels->space);
    if (!levels->columns || !levels->steepness || !levels->at_start || !levels->space) return DCPN_MEMORY;
    return dcpn_workspace_new_few(plan, &levels->few);
}

void dcpn_levels_free(struct levels *levels)
{
    if (!levels->all) return;
    dcpn_context *context = levels->all->plan->context;
    dcpn_free(context, levels->columns);
    dcpn_free(context, levels->steepness);
    dcpn_free(context, levels->at_start);
    dcpn_free(context, levels->space);
    dcpn_workspace_free(levels->few);
    dcpn_workspace_free(levels->all);
}

void dcpn_levels_begin(struct levels *l)
{
    if (l->few && l->few->algorithm) l->few->algorithm->objective.design.touched = 0;
    l->all->algorithm->objective.design.touched = 0;
    if (l->all->method->H) l->all->method->H->safeguards = 0;
    l->has_start = 0;
}

int64_t dcpn_levels_touched(const struct levels *l)
{
    int64_t few = l->few && l->few->algorithm ? l->few->algorithm->objective.design.touched : 0;
    return l->all->algorithm->objective.design.touched + few;
}

/* The candidates at the point of all columns. A search begins where the first list was chosen, too: its own has both
 * the columns that are steep there and those that are steep now. */
static dcpn_status choose_candidates(struct levels *l, int for_search)
{
    struct algorithm *all = l->all->algorithm;
    int64_t features = all->objective.features;
    dcpn_look_at_steepest(l->all->look, &all->objective, &all->point, l->count, l->space);
    dcpn_candidates_measure(&all->objective, &all->point, l->all->look, l->steepness);
    if (!l->has_start) dcpn_copy(features, l->steepness, l->at_start);
    l->has_start = 1;
    dcpn_candidates_choose(features, l->steepness, for_search ? l->at_start : NULL, l->count, l->space, l->columns);
    DCPN_TRY(dcpn_workspace_choose(l->few, l->columns, l->count));
    DCPN_TRY(dcpn_share_byte_copy(l->few, l->all));
    const struct penalty *h = &all->objective.penalty;
    dcpn_workspace_set_penalty(l->few, h->base_lambda, &h->shape);
    dcpn_workspace_take_from(l->few, l->all);
    return DCPN_OK;
}

static void add_work(struct descent *sum, const struct descent *part)
{
    sum->outcome = part->outcome;
    sum->steps += part->steps;
    sum->inner += part->inner;
    sum->trials += part->trials;
    sum->sweeps = part->sweeps;
    sum->work += part->work;
    sum->untried += part->untried;
}

/* Makes the end on the candidates the point of all columns if it is lower. Returns 0 if it is not. */
static int take_end(struct levels *l)
{
    struct algorithm *all = l->all->algorithm;
    if (!(l->few->algorithm->point.value < all->point.value)) return 0;
    dcpn_workspace_give_to(l->few, l->all);
    dcpn_point_evaluate(&all->objective, &all->point);
    return 1;
}

/* Is there a list of candidates that has room for all features in use? Batches have a workspace for few columns even
 * where there is no such list. */
static int has_room(const struct levels *l)
{
    const struct algorithm *all = l->all->algorithm;
    return l->few && l->count > 0 && dcpn_count_nonzeros(all->objective.features, all->point.x) <= l->count;
}

static dcpn_status solve_on_candidates(struct levels *l, const struct effort *effort, struct watch *watch,
                                       struct descent *d)
{
    struct algorithm *all = l->all->algorithm;
    dcpn_point_evaluate(&all->objective, &all->point);
    dcpn_algorithm_look(all);
    for (int list = 0; list < MOST_LISTS && all->stationarity > effort->goal && !watch->is_over; list++) {
        if (!has_room(l)) return DCPN_OK;
        DCPN_TRY(choose_candidates(l, 0));
        struct descent part = dcpn_descend(l->few->algorithm, effort, watch);
        add_work(d, &part);
        if (!take_end(l)) return DCPN_OK;
        dcpn_algorithm_look(all);
    }
    return DCPN_OK;
}

dcpn_status dcpn_solve(struct levels *l, const struct effort *effort, struct watch *watch, struct descent *d)
{
    if (l->few) DCPN_TRY(solve_on_candidates(l, effort, watch, d));
    struct descent last = dcpn_descend(l->all->algorithm, effort, watch);
    add_work(d, &last);
    return DCPN_OK;
}

/* ---- the search ---- */

/* The drops after the l1 path have a budget of their own, and the deepest stage so many times the work of all before
 * it. */
static double budget_of(const struct plan *plan, const struct search_stage *stage)
{
    double before = stage->kind == DCPN_SEARCH_PATH_AND_DROP ? stage->so_far : stage->local;
    return plan->settings.search_budget * fmax(before, SEARCH_LEAST_WORK);
}

static struct search *search_on(struct workspace *w, const struct search_stage *stage, const struct effort *effort)
{
    double budget = budget_of(w->plan, stage);
    struct search *s = &w->search;
    s->local = w->algorithm;
    s->moves = &w->moves;
    s->look = w->look;
    s->stage = stage->kind;
    s->is_few = w->chosen.columns != NULL;
    s->from_0 = stage->start.from_0;
    s->is_kept_to = stage->start.is_kept_to;
    s->goal = effort->goal;
    s->budget = budget;
    s->reserve = SEARCH_RESERVE * budget;
    s->work = (struct descent){0};
    return s;
}

/* The search goes over the candidates if there are any; from its end a descent leads to a point that is stationary on
 * all columns. */
dcpn_status dcpn_search_stage(struct levels *l, const struct search_stage *stage, const struct effort *effort,
                              struct watch *watch, struct descent *d)
{
    struct workspace *w = has_room(l) ? l->few : l->all;
    if (w == l->few) DCPN_TRY(choose_candidates(l, 1));
    if (w == l->few) dcpn_point_evaluate(&w->algorithm->objective, &w->algorithm->point);
    struct search *s = search_on(w, stage, effort);
    s->watch = watch;
    dcpn_search_run(s);
    add_work(d, &s->work);
    if (w == l->few) take_end(l);
    int is_cut = watch->is_over;
    DCPN_TRY(dcpn_solve(l, effort, watch, d));
    if (is_cut) d->outcome = watch->reason; /* however good the point is, the search was not done */
    return DCPN_OK;
}

dcpn_status dcpn_solve_and_search(struct levels *l, const struct start *start, const struct effort *effort,
                                  struct watch *watch, struct descent *d)
{
    DCPN_TRY(dcpn_solve(l, effort, watch, d));
    const struct plan *plan = l->all->plan;
    struct search_stage stage = {.kind = DCPN_SEARCH_PATH, .start = *start, .local = d->work};
    if (watch->is_over && plan->parts.search != DCPN_SEARCH_OFF) d->outcome = watch->reason;
    for (; stage.kind <= plan->parts.search && !watch->is_over; stage.kind++) {
        stage.so_far = d->work;
        DCPN_TRY(dcpn_search_stage(l, &stage, effort, watch, d));
    }
    return DCPN_OK;
}
