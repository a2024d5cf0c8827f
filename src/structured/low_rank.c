/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix of low rank: its memory, its penalties, and a place to go back to. */
#include "structured/low_rank.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "problem/shape_unit.h"
#include "settings/registry.h"
#include "structured/penalty_start.h"

static void layout(struct low_rank *x, struct arena *arena)
{
    struct seen *seen = &x->seen;
    int64_t m = seen->rows, n = seen->columns, q = x->most;
    dcpn_penalty_layout(&x->penalty, arena);
    dcpn_penalty_layout(&x->sparse_penalty, arena);
    x->U = dcpn_arena_doubles(arena, m * q);
    x->V = dcpn_arena_doubles(arena, n * q);
    x->sigma = dcpn_arena_doubles(arena, q);
    int64_t kept = x->penalty.ops->convex ? 0 : q;
    x->l1.U = dcpn_arena_doubles(arena, m * kept);
    x->l1.V = dcpn_arena_doubles(arena, n * kept);
    x->l1.sigma = dcpn_arena_doubles(arena, kept);
    x->residual = dcpn_arena_doubles(arena, seen->count);
    x->sparse = dcpn_arena_doubles(arena, seen->count);
    x->space.seen_product = dcpn_arena_doubles(arena, seen->count);
    x->space.left = dcpn_arena_doubles(arena, m * q);
    x->space.right = dcpn_arena_doubles(arena, n * q);
    x->space.left_rows = dcpn_arena_doubles(arena, m * q);
    x->space.right_rows = dcpn_arena_doubles(arena, n * q);
    for (int k = 0; k < 3; k++) x->space.small[k] = dcpn_arena_doubles(arena, q * q);
    x->space.tried_U = dcpn_arena_doubles(arena, m * q);
    x->space.tried_V = dcpn_arena_doubles(arena, n * q);
    x->space.tried_sigma = dcpn_arena_doubles(arena, q);
    x->space.probe = dcpn_arena_doubles(arena, n * LOW_RANK_PROBES);
    x->space.weight = dcpn_arena_doubles(arena, q);
    dcpn_seen_layout(seen, arena);
}

/* Shapes are in units of 1 / curvature: the share of the entries that are seen is that of f along a matrix of norm
 * 1. */
void dcpn_low_rank_at(struct low_rank *x, const dcpn_settings *s)
{
    double share = (double)x->seen.count / (double)x->seen.rows / (double)x->seen.columns;
    const dcpn_penalty_ops *ops = x->penalty.ops;
    x->penalty.shape =
        dcpn_shape_in(strcmp(s->shape_units, "raw") != 0 && ops->to_raw ? 1.0 / share : 0.0, ops, NULL, s);
    x->penalty.base_lambda = s->lambda;
    x->start_slope = dcpn_penalty_least_kept(&x->penalty, 1.0 / share);
    dcpn_penalty_prepare(&x->penalty);
}

/* Where the power method begins: any direction will do that is not orthogonal to what it looks for. */
static void draw_probes(struct low_rank *x)
{
    struct rng rng;
    dcpn_rng_seed(&rng, 1);
    for (int64_t k = 0; k < x->seen.columns * LOW_RANK_PROBES; k++) x->space.probe[k] = dcpn_rng_normal(&rng);
}

static void describe_sparse(const dcpn_settings *s, const dcpn_complete_options *options, struct low_rank *x)
{
    const dcpn_penalty_ops *ops =
        options->sparse_penalty ? dcpn_find_penalty(options->sparse_penalty) : &dcpn_penalty_l1;
    dcpn_settings own = *s;
    own.lambda = options->sparse_lambda;
    x->has_sparse = options->sparse_lambda > 0.0;
    double unit = strcmp(s->shape_units, "raw") != 0 && ops->to_raw ? 1.0 : 0.0;
    x->sparse_penalty = (struct penalty){
        .ops = ops, .shape = dcpn_shape_in(unit, ops, NULL, &own), .base_lambda = own.lambda, .features = 1, .size = 1};
}

dcpn_status dcpn_low_rank_new(dcpn_context *context, const dcpn_entries *entries, const dcpn_settings *settings,
                              const dcpn_complete_options *options, double offset, struct low_rank *x)
{
    struct arena spare = {0};
    *x = (struct low_rank){.context = context};
    DCPN_TRY(dcpn_seen_check(context, entries));
    int64_t shorter = entries->rows < entries->columns ? entries->rows : entries->columns;
    x->seen = (struct seen){.rows = entries->rows, .columns = entries->columns, .count = entries->count};
    int64_t most = options->most_rank > 0 ? options->most_rank : LOW_RANK_MOST, both, numbers;
    x->most = shorter - LOW_RANK_PROBES > most ? most + LOW_RANK_PROBES : shorter;
    x->allowed = most;
    if (__builtin_add_overflow(entries->rows, entries->columns, &both) ||
        __builtin_mul_overflow(both, x->most, &numbers) || numbers > INT64_MAX / 128)
        return dcpn_fail(context, DCPN_MEMORY, "a %lld x %lld matrix has factors beyond all memory",
                         (long long)entries->rows, (long long)entries->columns);
    x->penalty = (struct penalty){.ops = dcpn_find_penalty(settings->penalty), .features = 1, .size = 1};
    describe_sparse(settings, options, x);
    layout(x, &x->arena);
    DCPN_TRY(dcpn_arena_allocate(context, &x->arena, &spare));
    layout(x, &x->arena);
    dcpn_penalty_prepare(&x->sparse_penalty);
    dcpn_low_rank_at(x, settings);
    draw_probes(x);
    return dcpn_seen_sort(context, entries, offset, &x->seen);
}

void dcpn_low_rank_free(struct low_rank *x)
{
    if (x->context) dcpn_arena_free(x->context, &x->arena);
}

void dcpn_low_rank_keep(struct low_rank *x, int64_t *rank)
{
    *rank = x->rank;
    dcpn_copy(x->seen.rows * x->rank, x->U, x->space.tried_U);
    dcpn_copy(x->seen.columns * x->rank, x->V, x->space.tried_V);
    dcpn_copy(x->rank, x->sigma, x->space.tried_sigma);
}

void dcpn_low_rank_go_back(struct low_rank *x, int64_t rank)
{
    x->rank = rank;
    dcpn_copy(x->seen.rows * rank, x->space.tried_U, x->U);
    dcpn_copy(x->seen.columns * rank, x->space.tried_V, x->V);
    dcpn_copy(rank, x->space.tried_sigma, x->sigma);
    dcpn_low_rank_look(x);
}
