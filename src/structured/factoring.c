/* SPDX-License-Identifier: BSD-3-Clause */
/* Factors under construction: their memory, rows of X, and F from the factors alone. */
#include "structured/factoring.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/vector.h"
#include "penalty/scalar.h"
#include "problem/shape_unit.h"
#include "settings/registry.h"

static void layout(struct factoring *f, struct arena *arena)
{
    int64_t K = f->atoms;
    dcpn_penalty_layout(&f->penalty, arena);
    dcpn_penalty_layout(&f->of_atoms, arena);
    f->C = dcpn_arena_doubles(arena, f->space.rows * K);
    f->D = dcpn_arena_doubles(arena, K * f->length);
    f->G = dcpn_arena_doubles(arena, K * K);
    f->Q = dcpn_arena_doubles(arena, f->space.rows * K);
    f->A = dcpn_arena_doubles(arena, K * K);
    f->B = dcpn_arena_doubles(arena, K * f->length);
    f->ridge = dcpn_arena_doubles(arena, K);
    f->norms2 = dcpn_arena_doubles(arena, f->count);
    f->space.kept = dcpn_arena_doubles(arena, K);
    f->space.numbers = dcpn_arena_doubles(arena, f->count);
    f->space.left = dcpn_arena_doubles(arena, f->count);
    f->space.atom = dcpn_arena_doubles(arena, f->length);
    f->space.weight = dcpn_arena_doubles(arena, f->length);
    f->space.rest = dcpn_arena_doubles(arena, f->seen ? f->seen->count : 0);
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

/* An entry of an atom has a penalty of its own, with the shape of that of codes. */
static void describe_atom_penalty(const dcpn_settings *s, const dcpn_factor_options *options, struct factoring *f)
{
    const dcpn_penalty_ops *ops = options->atom_penalty ? dcpn_find_penalty(options->atom_penalty) : f->penalty.ops;
    dcpn_settings own = *s;
    own.lambda = options->atom_lambda;
    double unit = strcmp(s->shape_units, "raw") == 0 || !ops->to_raw ? 0.0 : 1.0;
    f->of_atoms = (struct penalty){
        .ops = ops, .shape = dcpn_shape_in(unit, ops, NULL, &own), .base_lambda = own.lambda, .features = 1, .size = 1};
}

dcpn_status dcpn_factoring_new(dcpn_context *context, const struct factor_source *source, const dcpn_settings *settings,
                               const dcpn_factor_options *options, struct factoring *f)
{
    struct arena spare = {0};
    *f = (struct factoring){.context = context,
                            .X = source->X,
                            .seen = source->has_gaps ? &source->seen : NULL,
                            .count = source->X->rows,
                            .length = source->X->columns,
                            .atoms = options->atoms,
                            .nonnegative_atoms = options->nonnegative_atoms};
    f->space.rows = options->batch > 0 && options->batch < f->count ? options->batch : f->count;
    DCPN_TRY(check_sizes(context, f));
    DCPN_TRY(describe_penalty(context, settings, options, f));
    describe_atom_penalty(settings, options, f);
    layout(f, &f->arena);
    DCPN_TRY(dcpn_arena_allocate(context, &f->arena, &spare));
    layout(f, &f->arena);
    dcpn_penalty_prepare(&f->penalty);
    dcpn_penalty_prepare(&f->of_atoms);
    dcpn_fill(f->atoms, settings->ridge, f->ridge);
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
    dcpn_fill(f->count, 0.0, f->space.numbers);
    f->space.numbers[i] = 1.0;
    f->X->ops->adjoint(f->X, f->space.numbers, row);
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
    if (f->seen) return dcpn_seen_left(f, i);
    for (int64_t k = 0; k < K; k++)
        if (c[k] != 0.0) left += c[k] * (2.0 * q[k] - dcpn_dot(K, c, f->G + k * K) - f->ridge[k] * c[k]);
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
    for (int64_t k = 0; k < f->count * f->atoms; k++)
        if (f->C[k] != 0.0) sum += 0.5 * f->ridge[k % f->atoms] * f->C[k] * f->C[k];
    return sum;
}

double dcpn_factoring_atom_penalty(const struct factoring *f)
{
    double sum = 0.0;
    for (int64_t k = 0; f->of_atoms.base_lambda > 0.0 && k < f->atoms * f->length; k++)
        if (f->D[k] != 0.0) sum += dcpn_p_value(&f->of_atoms, 0, fabs(f->D[k]));
    return sum;
}
