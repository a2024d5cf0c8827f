/* SPDX-License-Identifier: BSD-3-Clause */
/* The joint law of features and their copies, from the columns. The correlations r = x'x / n of few rows are too far
 * from 0 as a whole, and singular; those of the law are
 *     R = (1 - a) r + a I,   a = min(1, (sum_i |x_i|^4 / n^2 - |r|^2 / n) / |r - I|^2)
 * with the share a of Ledoit and Wolf (2004), which makes the mean square error least. */
#include "inference/law.h"

#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/tuning.h"
#include "base/vector.h"

static void layout(struct law *law, struct arena *arena)
{
    int64_t square = law->size * law->size;
    law->R = dcpn_arena_doubles(arena, square);
    law->inverse = dcpn_arena_scratch(arena, square);
    law->factor = dcpn_arena_scratch(arena, square);
    law->s = dcpn_arena_doubles(arena, law->size);
    dcpn_positive_layout(law->size, 1, &law->space, arena);
}

/* R += x'x / n on the upper triangle, a few rows at a time. */
static void add_products(struct law *law, const struct standard_columns *c, double *rows)
{
    double scale = 1.0 / sqrt((double)c->given);
    for (int64_t first = 0; first < c->given; first += DCPN_POSITIVE_ROWS) {
        int64_t depth = c->given - first < DCPN_POSITIVE_ROWS ? c->given - first : DCPN_POSITIVE_ROWS;
        dcpn_fill(depth * law->size, 0.0, rows);
        for (int64_t j = 0; j < c->count; j++)
            for (int64_t i = 0; i < depth; i++)
                rows[i * law->size + j] = scale * dcpn_standard_column(c, j)[first + i];
        dcpn_positive_add(law->context, &law->space, depth, rows, law->R);
    }
}

static double share_of_identity(const struct law *law, const struct standard_columns *c, double *squares)
{
    double n = (double)c->given, fourth = 0.0, square = 0.0, off = 0.0;
    dcpn_fill(c->given, 0.0, squares);
    for (int64_t j = 0; j < c->count; j++)
        for (int64_t i = 0; i < c->given; i++)
            squares[i] += dcpn_standard_column(c, j)[i] * dcpn_standard_column(c, j)[i];
    for (int64_t i = 0; i < c->given; i++) fourth += squares[i] * squares[i];
    for (int64_t i = 0; i < law->count; i++)
        for (int64_t j = 0; j < law->count; j++) {
            double r = law->R[i * law->size + j];
            square += r * r;
            if (i != j) off += r * r;
        }
    double error = fourth / n / n - square / n;
    return error < off ? error / off : 1.0;
}

static void shrink(struct law *law, double share)
{
    for (int64_t i = 0; i < law->count; i++)
        for (int64_t j = 0; j < law->count; j++)
            if (i != j) law->R[i * law->size + j] *= 1.0 - share;
}

static dcpn_status correlate(struct law *law, const struct standard_columns *c, int shrinks)
{
    int64_t numbers = DCPN_POSITIVE_ROWS * law->size > c->rows ? DCPN_POSITIVE_ROWS * law->size : c->rows;
    double *space = dcpn_allocate(law->context, (size_t)numbers, sizeof *space);
    if (!space) return DCPN_MEMORY;
    add_products(law, c, space);
    dcpn_positive_mirror(law->size, law->R);
    for (int64_t i = 0; i < law->size; i++) law->R[i * law->size + i] = 1.0;
    law->shrinkage = shrinks ? fmin(1.0, fmax(share_of_identity(law, c, space), LAW_LEAST_SHRINKAGE)) : 0.0;
    shrink(law, law->shrinkage);
    dcpn_free(law->context, space);
    return DCPN_OK;
}

/* Factors (k + 1) S - k S R^-1 S. If rounding says that it is not positive definite, s is a little too large. */
static dcpn_status factor_noise(struct law *law)
{
    double k = (double)law->copies;
    int64_t n = law->size;
    for (int trial = 0; trial < 100; trial++) {
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++)
                law->factor[i * n + j] =
                    (i == j) * (k + 1.0) * law->s[i] - k * law->s[i] * law->inverse[i * n + j] * law->s[j];
        if (dcpn_law_factor(law, law->factor)) return DCPN_OK;
        for (int64_t i = 0; i < law->count; i++) law->s[i] *= 0.99;
    }
    return dcpn_fail(law->context, DCPN_DATA, "knockoffs: the features are linearly dependent, and have no copies that "
                                              "differ from them");
}

static dcpn_status invert(struct law *law)
{
    memcpy(law->factor, law->R, (size_t)(law->size * law->size) * sizeof *law->R);
    if (!dcpn_law_factor(law, law->factor))
        return dcpn_fail(law->context, DCPN_DATA,
                         "knockoffs: some features are linear functions of others, expected independent ones; leave "
                         "some out, or let the copies be gaussian");
    dcpn_positive_inverse(law->context, &law->space, law->factor, law->inverse);
    return DCPN_OK;
}

static dcpn_status make(struct law *law, const struct standard_columns *columns, int shrinks, int is_equal)
{
    layout(law, &law->arena);
    DCPN_TRY(dcpn_arena_allocate(law->context, &law->arena, NULL));
    layout(law, &law->arena);
    for (int64_t j = law->count; j < law->size; j++) law->s[j] = 1.0;
    DCPN_TRY(correlate(law, columns, shrinks));
    DCPN_TRY(dcpn_law_make_room(law, is_equal));
    DCPN_TRY(invert(law));
    return factor_noise(law);
}

dcpn_status dcpn_law_new(const struct standard_columns *columns, int64_t copies, int shrinks, int is_equal,
                         struct law *law)
{
    *law = (struct law){.context = columns->context,
                        .count = columns->count,
                        .size = dcpn_positive_size(columns->count),
                        .copies = copies};
    return make(law, columns, shrinks, is_equal);
}

void dcpn_law_free(struct law *law)
{
    if (law->context) dcpn_arena_free(law->context, &law->arena);
    law->context = NULL;
}
