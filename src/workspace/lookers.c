/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives a workspace its lookers, which save time and change no result. */
#include "base/tuning.h"
#include "matrix/copy_rows.h"
#include "workspace/levels.h"

/* May looks leave out gradients? They may if nothing but the active set sees them, which asks for none but those of
 * f. */
static int can_leave_out(const struct workspace *w)
{
    const struct objective *F = &w->algorithm->objective;
    const struct metric *H = w->method->H;
    if (w->plan->parts.is_exact) return 0; /* what they know of rows is this rank's */
    if (!w->active_set || !H || H->ops->remembers_f || F->loss.own || F->f1_apart) return 0;
    return dcpn_penalty_separable(&F->penalty) && !w->plan->parts.balance;
}

int dcpn_is_wide(const struct workspace *w)
{
    const struct objective *F = &w->algorithm->objective;
    if (!can_leave_out(w) || w->plan->nonempty.column || !dcpn_matrix_is_full(w->plan->problem->A)) return 0;
    if (w->plan->targets.scores > 1 || w->plan->targets.ordered.count) return 0;
    return F->features >= WIDE_LEAST_FEATURES && (double)(F->features / WIDE_FEATURES_A_ROW) >= F->counted_rows;
}

static dcpn_status give_look(struct workspace *w)
{
    if (!w->look) DCPN_TRY(dcpn_look_new(w->plan->context, w->algorithm->objective.size, &w->look));
    w->active_set->look = w->look;
    return DCPN_OK;
}

/* A search looks so often that any copy pays. */
static int is_copy_worth_it(const struct workspace *w)
{
    const struct objective *F = &w->algorithm->objective;
    return w->plan->parts.search != DCPN_SEARCH_OFF || F->features * F->rows >= BYTES_FOR_ONE_DESCENT;
}

dcpn_status dcpn_give_byte_copy(struct workspace *all)
{
    const dcpn_matrix *A = dcpn_plan_matrix(all->plan);
    if (!all->plan->settings.screening || !dcpn_is_wide(all) || !is_copy_worth_it(all)) return DCPN_OK;
    DCPN_TRY(give_look(all));
    if (all->look->past) return DCPN_OK;
    return dcpn_past_slopes_new(all->plan->context, A, A->rows, A->columns, &all->look->past);
}

dcpn_status dcpn_share_byte_copy(struct workspace *few, const struct workspace *all)
{
    if (!all->look || !all->look->past) return DCPN_OK;
    DCPN_TRY(give_look(few));
    if (!few->look->past)
        DCPN_TRY(dcpn_past_slopes_new(few->plan->context, NULL, all->look->past->rows, few->chosen.count,
                                      &few->look->past));
    dcpn_past_slopes_choose(few->look->past, all->look->past, few->chosen.columns);
    return DCPN_OK;
}

dcpn_status dcpn_give_slope_bounds(struct workspace *w)
{
    if (!w->plan->settings.screening || !can_leave_out(w) || (w->look && w->look->past)) return DCPN_OK;
    DCPN_TRY(give_look(w));
    return dcpn_slope_bounds_new(w->plan->context, &w->algorithm->objective, &w->look->bounds);
}
