/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix of low rank: its memory, and the entries by rows and by columns. */
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
    x->residual = dcpn_arena_doubles(arena, seen->count);
    x->sparse = dcpn_arena_doubles(arena, seen->count);
    x->space.seen_product = dcpn_arena_doubles(arena, seen->count);
    seen->value = dcpn_arena_doubles(arena, seen->count);
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
    seen->row_start = dcpn_arena_integers(arena, m + 1);
    seen->column_of = dcpn_arena_integers(arena, seen->count);
    seen->column_start = dcpn_arena_integers(arena, n + 1);
    seen->row_of = dcpn_arena_integers(arena, seen->count);
    seen->entry_of = dcpn_arena_integers(arena, seen->count);
}

static dcpn_status check_entries(dcpn_context *context, const dcpn_entries *entries)
{
    if (entries->rows < 1 || entries->columns < 1 || entries->count < 1)
        return dcpn_fail(context, DCPN_DATA,
                         "found %lld entries of a %lld x %lld matrix, expected at least one of each",
                         (long long)entries->count, (long long)entries->rows, (long long)entries->columns);
    for (int64_t e = 0; e < entries->count; e++) {
        if (entries->row[e] < 0 || entries->row[e] >= entries->rows || entries->column[e] < 0 ||
            entries->column[e] >= entries->columns)
            return dcpn_fail(context, DCPN_DATA,
                             "entry %lld: found row %lld and column %lld, expected a place in a %lld x %lld matrix",
                             (long long)e + 1, dcpn_counted_from_1(entries->row[e]),
                             dcpn_counted_from_1(entries->column[e]), (long long)entries->rows,
                             (long long)entries->columns);
        if (!isfinite(entries->value[e]))
            return dcpn_fail(context, DCPN_DATA, "entry %lld: found %g, expected a finite number", (long long)e + 1,
                             entries->value[e]);
    }
    return DCPN_OK;
}

static void count_starts(int64_t size, int64_t count, const int64_t *index, int64_t *start)
{
    for (int64_t i = 0; i <= size; i++) start[i] = 0;
    for (int64_t e = 0; e < count; e++) start[index[e] + 1]++;
    for (int64_t i = 0; i < size; i++) start[i + 1] += start[i];
}

/* Entries by rows, within a row by columns: sorted by columns first, then by rows, each time by counting. column_start
 * is moved along and put back. */
static dcpn_status sort_entries(dcpn_context *context, const dcpn_entries *entries, double offset, struct seen *seen)
{
    int64_t *by_column = seen->entry_of;
    count_starts(seen->columns, seen->count, entries->column, seen->column_start);
    for (int64_t e = 0; e < seen->count; e++) by_column[seen->column_start[entries->column[e]]++] = e;
    count_starts(seen->rows, seen->count, entries->row, seen->row_start);
    for (int64_t k = 0; k < seen->count; k++) {
        int64_t e = by_column[k], place = seen->row_start[entries->row[e]]++;
        seen->column_of[place] = entries->column[e];
        seen->value[place] = entries->value[e] - offset;
    }
    count_starts(seen->rows, seen->count, entries->row, seen->row_start);
    count_starts(seen->columns, seen->count, entries->column, seen->column_start);
    for (int64_t i = 0; i < seen->rows; i++)
        for (int64_t e = seen->row_start[i]; e < seen->row_start[i + 1]; e++) {
            if (e > seen->row_start[i] && seen->column_of[e] == seen->column_of[e - 1])
                return dcpn_fail(context, DCPN_DATA, "row %lld, column %lld: found two entries, expected one",
                                 (long long)i + 1, (long long)seen->column_of[e] + 1);
            int64_t k = seen->column_start[seen->column_of[e]]++;
            seen->row_of[k] = i;
            seen->entry_of[k] = e;
        }
    count_starts(seen->columns, seen->count, entries->column, seen->column_start);
    return DCPN_OK;
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
    DCPN_TRY(check_entries(context, entries));
    int64_t shorter = entries->rows < entries->columns ? entries->rows : entries->columns;
    x->seen = (struct seen){.rows = entries->rows, .columns = entries->columns, .count = entries->count};
    int64_t most = options->most_rank > 0 ? options->most_rank : LOW_RANK_MOST, both, numbers;
    x->most = shorter - LOW_RANK_PROBES > most ? most + LOW_RANK_PROBES : shorter;
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
    return sort_entries(context, entries, offset, &x->seen);
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
