/* SPDX-License-Identifier: BSD-3-Clause */
/* Factors under construction: their memory, rows of X, and F from the factors alone. */
#include "structured/factoring.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/vector.h"
#include "problem/shape_unit.h"
#include "settings/registry.h"

static void layout(struct factoring *f, struct arena *arena)
{
    int64_t K = f->atoms;
    dcpn_penalty_layout(&f->penalty, arena);
    f->C = dcpn_arena_doubles(arena, f->count * K);
    f->D = dcpn_arena_doubles(arena, K * f->length);
    f->G = dcpn_arena_doubles(arena, K * K);
    f->kept = dcpn_arena_doubles(arena, K);
    f->Q = dcpn_arena_doubles(arena, f->count * K);
    f->A = dcpn_arena_doubles(arena, K * K);
    f->B = dcpn_arena_doubles(arena, K * f->length);
    f->numbers = dcpn_arena_doubles(arena, f->count);
    f->atom = dcpn_arena_doubles(arena, f->length);
    f->norms2 = dcpn_arena_doubles(arena, f->count);
    f->left = dcpn_arena_doubles(arena, f->count);
}

/* Refuses sizes that memory can never hold: no product of them may overflow. */
static dcpn_status check_sizes(dcpn_context *context, const struct factoring *f)
{
    int64_t longest = f->count > f->length ? f->count : f->length, numbers;
    if (longest < f->atoms) longest = f->atoms;
    if (__builtin_mul_overflow(longest, f->atoms, &numbers) || numbers > INT64_MAX / 64)
        return dcpn_fail(context, DCPN_USAGE, "atoms: found %lld, more than memory can ever hold", (long long)f->atoms);
    return DCPN_OK;
}

static dcpn_status describe_penalty(dcpn_context *context, const dcpn_settings *s, const dcpn_factor_options *options,
                                    struct factoring *f)
{
    const dcpn_penalty_ops *ops = dcpn_find_penalty(s->penalty);
    if (!ops->prox)
        return dcpn_fail(context, DCPN_USAGE,
                         "--penalty %s: its prox is not known, which codes need; the others have one", ops->name);
    double unit = strcmp(s->shape_units, "raw") == 0 || !ops->to_raw ? 0.0 : 1.0; /* atoms have length 1 */
    f->penalty = (struct penalty){.ops = ops,
                                  .shape = dcpn_shape_in(unit, ops, NULL, s),
                                  .base_lambda = s->lambda,
                                  .features = f->atoms,
                                  .size = f->atoms};
    if (!options->nonnegative_codes) return DCPN_OK;
    f->zeros = dcpn_allocate(context, (size_t)f->atoms, sizeof *f->zeros);
    if (!f->zeros) return DCPN_MEMORY;
    dcpn_fill(f->atoms, 0.0, f->zeros);
    f->penalty.given.lower = f->zeros;
    return DCPN_OK;
}

dcpn_status dcpn_factoring_new(dcpn_context *context, const dcpn_matrix *X, const dcpn_settings *settings,
                               const dcpn_factor_options *options, struct factoring *f)
{
    struct arena spare = {0};
    *f = (struct factoring){.context = context,
                            .X = X,
                            .count = X->rows,
                            .length = X->columns,
                            .atoms = options->atoms,
                            .nonnegative_atoms = options->nonnegative_atoms};
    DCPN_TRY(check_sizes(context, f));
    DCPN_TRY(describe_penalty(context, settings, options, f));
    layout(f, &f->arena);
    DCPN_TRY(dcpn_arena_allocate(context, &f->arena, &spare));
    layout(f, &f->arena);
    dcpn_penalty_prepare(&f->penalty);
    return DCPN_OK;
}

void dcpn_factoring_free(struct factoring *f)
{
    dcpn_arena_free(f->context, &f->arena);
    dcpn_free(f->context, f->zeros);
    f->zeros = NULL;
}

/* Computes row i of X as X'r, where r is the unit vector of that row. */
void dcpn_factoring_row(struct factoring *f, int64_t i, double *row)
{
    dcpn_fill(f->count, 0.0, f->numbers);
    f->numbers[i] = 1.0;
    f->X->ops->adjoint(f->X, f->numbers, row);
}

void dcpn_factoring_make_atom(const struct factoring *f, double *d)
{
    for (int64_t j = 0; f->nonnegative_atoms && j < f->length; j++) d[j] = fmax(d[j], 0.0);
    double norm = dcpn_norm2(f->length, d);
    for (int64_t j = 0; norm > 0.0 && j < f->length; j++) d[j] /= norm;
}

double dcpn_factoring_left(const struct factoring *f, int64_t i)
{
    int64_t K = f->atoms;
    const double *c = f->C + i * K, *q = f->Q + i * K;
    double left = f->norms2[i];
    for (int64_t k = 0; k < K; k++)
        if (c[k] != 0.0) left += c[k] * (2.0 * q[k] - dcpn_dot(K, c, f->G + k * K));
    return fmax(left, 0.0);
}

double dcpn_factoring_loss(const struct factoring *f)
{
    double sum = 0.0;
    for (int64_t i = 0; i < f->count; i++) sum += dcpn_factoring_left(f, i);
    return 0.5 * sum;
}

double dcpn_factoring_penalty(const struct factoring *f)
{
    double sum = 0.0;
    for (int64_t i = 0; i < f->count; i++) sum += dcpn_penalty_value(&f->penalty, f->C + i * f->atoms);
    return sum;
}
