/* SPDX-License-Identifier: BSD-3-Clause */
/* A precision matrix: its memory, the descent, and F from it alone. */
#include "structured/precision.h"

#include <math.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "penalty/scalar.h"

static void layout(struct precision *x, struct arena *arena)
{
    int64_t square = x->size * x->size, most = x->n * (x->n + 1) / 2;
    x->S = dcpn_arena_scratch(arena, square);
    x->K = dcpn_arena_scratch(arena, square);
    x->U = dcpn_arena_scratch(arena, square);
    x->W = dcpn_arena_scratch(arena, square);
    x->DW = dcpn_arena_scratch(arena, square);
    x->trial = dcpn_arena_scratch(arena, square);
    x->column = dcpn_arena_scratch(arena, x->size);
    x->pairs.begin = dcpn_arena_integers(arena, x->n + 1);
    x->pairs.slope = dcpn_arena_scratch(arena, most);
    x->pairs.curvature = dcpn_arena_scratch(arena, most);
    x->pairs.bend = dcpn_arena_scratch(arena, most);
    x->pairs.move = dcpn_arena_scratch(arena, most);
    x->pairs.side = dcpn_arena_scratch(arena, most);
    for (int k = 0; k < 4; k++) x->pairs.space[k] = dcpn_arena_scratch(arena, most);
    dcpn_positive_layout(x->size, 1, &x->space, arena);
    x->pairs.row = dcpn_arena_integers(arena, most);
}

static void take(const struct precision *x, const double *from, int64_t variables, double *to)
{
    dcpn_fill(x->size * x->size, 0.0, to);
    for (int64_t i = 0; i < x->size; i++) to[i * x->size + i] = 1.0;
    for (int64_t i = 0; i < x->n; i++)
        for (int64_t j = 0; j < x->n; j++) to[i * x->size + j] = from[x->members[i] * variables + x->members[j]];
}

dcpn_status dcpn_precision_new(dcpn_context *context, const struct graph_penalty *h, double ridge, const double *S,
                               const double *K, int64_t n, const int64_t *members, struct precision *x)
{
    struct arena spare = {0};
    *x = (struct precision){
        .context = context, .h = h, .members = members, .n = n, .size = dcpn_positive_size(n), .ridge = ridge};
    layout(x, &x->arena);
    DCPN_TRY(dcpn_arena_allocate(context, &x->arena, &spare));
    layout(x, &x->arena);
    take(x, S, h->variables, x->S);
    take(x, K, h->variables, x->K);
    dcpn_copy(x->size * x->size, x->K, x->U);
    if (!dcpn_positive_factor(context, &x->space, 0.0, x->U))
        return dcpn_fail(context, DCPN_DATA,
                         "the precision matrix to begin with is not positive definite in floating point; are the "
                         "variables scaled sensibly?");
    return DCPN_OK;
}

void dcpn_precision_free(struct precision *x)
{
    if (x->context) dcpn_arena_free(x->context, &x->arena);
}

/* ---- the descent ---- */

/* Returns 1 if the work is to end, and sets how it ended. */
static int should_end(const struct precision *x, const struct precision_goals *goals, struct precision_end *end)
{
    const dcpn_settings *s = goals->settings;
    double lambda = x->h->penalty.base_lambda;
    int is_told =
        goals->observer && goals->observer(goals->user, lambda, end->iterations,
                                           dcpn_precision_likelihood(x) + dcpn_precision_penalty(x), end->violation);
    end->outcome = end->violation <= goals->goal                         ? DCPN_CONVERGED
                   : is_told || dcpn_is_interrupted(x->context)          ? DCPN_INTERRUPTED
                   : end->iterations >= s->max_iter                      ? DCPN_MAX_ITERATIONS
                   : dcpn_clock_s() - goals->started_at >= s->max_time_s ? DCPN_MAX_TIME
                                                                         : DCPN_NOT_RUN;
    return end->outcome != DCPN_NOT_RUN;
}

/* Makes a step. If there is none, a model without the curvature of h is tried. */
static int advance(struct precision *x, const struct precision_goals *goals, double violation, int *is_tiny)
{
    double enough = GRAPH_INNER_SHARE * fmax(violation, goals->goal);
    dcpn_precision_direct(x, enough);
    if (dcpn_precision_step(x, goals->settings->alpha, is_tiny)) return 1;
    if (x->h->penalty.ops->convex || dcpn_is_interrupted(x->context)) return 0;
    dcpn_precision_look(x, 0);
    dcpn_precision_direct(x, enough);
    return dcpn_precision_step(x, goals->settings->alpha, is_tiny);
}

dcpn_status dcpn_precision_descend(struct precision *x, const struct precision_goals *goals, struct precision_end *end)
{
    int tiny_steps = 0;
    for (end->iterations = 0;; end->iterations++) {
        int is_tiny;
        end->violation = dcpn_precision_look(x, !x->h->penalty.ops->convex);
        if (!isfinite(end->violation))
            return dcpn_fail(x->context, DCPN_DATA,
                             "the slopes of the objective are not finite; are the variables scaled sensibly?");
        if (should_end(x, goals, end)) return DCPN_OK;
        int moved = advance(x, goals, end->violation, &is_tiny);
        tiny_steps = is_tiny ? tiny_steps + 1 : 0;
        if (moved && tiny_steps < GRAPH_TINY_STEPS) continue;
        end->outcome = dcpn_is_interrupted(x->context) ? DCPN_INTERRUPTED : DCPN_STALLED;
        end->violation = dcpn_precision_look(x, 0);
        if (end->violation <= goals->goal) end->outcome = DCPN_CONVERGED;
        return DCPN_OK;
    }
}

/* ---- F ---- */

double dcpn_precision_likelihood(const struct precision *x)
{
    double trace = 0.0, squares = 0.0;
    for (int64_t i = 0; i < x->n; i++) {
        trace += dcpn_dot(x->n, x->S + i * x->size, x->K + i * x->size);
        squares += dcpn_dot(x->n, x->K + i * x->size, x->K + i * x->size);
    }
    return trace - dcpn_positive_log_det(&x->space, x->U) + 0.5 * x->ridge * squares;
}

double dcpn_precision_penalty(const struct precision *x)
{
    double sum = 0.0;
    for (int64_t j = 0; j < x->n; j++)
        for (int64_t i = 0; i <= j; i++) {
            double entry = x->K[j * x->size + i];
            if (entry == 0.0) continue;
            int64_t term = dcpn_term_of_pair(x->h, x->members[i], x->members[j]);
            sum += dcpn_pair_times(i, j) * dcpn_p_value(&x->h->penalty, term, fabs(entry));
        }
    return sum;
}
