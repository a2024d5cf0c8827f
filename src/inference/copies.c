/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of columns from a law. With the columns X, R and S of the law and k copies, copy c is
 *     X - X R^-1 S + sum_b h_cb Z_b S^1/2 + Z_k U / sqrt(k),   U'U = (k + 1) S - k S R^-1 S,
 * b = 1 ... k - 1, where h h' = I - 1 1'/k. If the entries of Z are independent normal numbers the copies have the law,
 * given X; if the columns of all Z are orthogonal to one another, to X and to a constant, and have mean square 1, the
 * products of the copies are those of the law, whatever X is. */
#include "inference/copies.h"

#include <math.h>

#include "base/interrupt.h"
#include "base/rng.h"
#include "base/threads.h"
#include "base/vector.h"

/* Rows that are worked on at once, so that they stay in a cache. */
enum { STRIP = 256 };

struct drawing {
    const struct standard_columns *X;
    const struct law *law;
    int64_t rows, count, copies;
    double *Z;  /* copies x count columns */
    double *to; /* likewise */
};

static double *column_of(const struct drawing *d, double *of, int64_t j, int64_t copy)
{
    return of + d->rows * (j + d->count * copy);
}

/* ---- Z ---- */

static void draw_normal(const struct drawing *d, uint64_t seed)
{
    struct rng rng;
    dcpn_rng_seed(&rng, seed);
    for (int64_t i = 0; i < d->rows * d->count * d->copies; i++) d->Z[i] = dcpn_rng_normal(&rng);
}

/* Takes out of a vector what it has of each of some orthogonal columns of mean square 1; twice, for rounding. */
static void make_orthogonal(int64_t rows, int64_t count, const double *columns, double *v)
{
    for (int64_t k = 0; k < 2 * count; k++) {
        const double *column = columns + rows * (k % count);
        dcpn_axpy(rows, -dcpn_dot(rows, column, v) / dcpn_dot(rows, column, column), column, v);
    }
}

/* Scales a vector to the square `square`. */
static void scale_to(int64_t rows, double square, double *v)
{
    double scale = sqrt(square) / dcpn_norm2(rows, v);
    for (int64_t i = 0; i < rows; i++) v[i] *= scale;
}

/* Makes the columns of all Z orthogonal to a constant, to X and to one another: basis begins with what X and a constant
 * span. The constant is that of the given rows, as X has no mean there. */
static dcpn_status orthogonalize(const struct drawing *d, double *basis)
{
    int64_t n = d->rows, own = d->count + 1;
    dcpn_fill(n, 0.0, basis);
    dcpn_fill(d->X->given, 1.0, basis);
    for (int64_t k = 0; k < d->count + d->count * d->copies; k++) {
        double *v = basis + n * (k + 1);
        dcpn_copy(n, k < d->count ? dcpn_standard_column(d->X, k) : d->Z + n * (k - d->count), v);
        make_orthogonal(n, k + 1, basis, v);
        scale_to(n, (double)d->X->given, v);
        if (k % 64 == 0) DCPN_TRY(dcpn_refuse_interrupted(d->X->context, "the making of copies"));
    }
    dcpn_copy(n * d->count * d->copies, basis + n * own, d->Z);
    return DCPN_OK;
}

static dcpn_status draw_orthogonal(const struct drawing *d)
{
    size_t columns = (size_t)(1 + d->count * (d->copies + 1));
    double *basis = dcpn_allocate(d->X->context, columns, (size_t)d->rows * sizeof *basis);
    dcpn_status status = basis ? orthogonalize(d, basis) : DCPN_MEMORY;
    dcpn_free(d->X->context, basis);
    return status;
}

/* ---- what is made of it ---- */

/* h_cb of an orthonormal basis of what is orthogonal to a constant, b from 1. */
static double contrast(int64_t c, int64_t b)
{
    double length = sqrt((double)(b * (b + 1)));
    return c < b ? 1.0 / length : c == b ? -(double)b / length : 0.0;
}

/* out = X - X R^-1 S + Z_k U / sqrt(k) of some rows of column j. */
static void fill_common(const struct drawing *d, int64_t first, int64_t depth, int64_t j, double *out)
{
    const struct law *law = d->law;
    double scale = 1.0 / sqrt((double)d->copies);
    dcpn_copy(depth, dcpn_standard_column(d->X, j) + first, out);
    for (int64_t k = 0; k < d->count; k++)
        dcpn_axpy(depth, -law->inverse[j * law->size + k] * law->s[j], dcpn_standard_column(d->X, k) + first, out);
    for (int64_t k = 0; k <= j; k++)
        dcpn_axpy(depth, scale * law->factor[k * law->size + j], column_of(d, d->Z, k, d->copies - 1) + first, out);
}

static void fill_strips(void *user, int64_t begin, int64_t end)
{
    const struct drawing *d = user;
    for (int64_t strip = begin; strip < end; strip++) {
        int64_t first = strip * STRIP, depth = d->rows - first < STRIP ? d->rows - first : STRIP;
        for (int64_t j = 0; j < d->count; j++) {
            fill_common(d, first, depth, j, column_of(d, d->to, j, 0) + first);
            for (int64_t c = d->copies - 1; c >= 0; c--) {
                double *out = column_of(d, d->to, j, c) + first;
                if (c) dcpn_copy(depth, column_of(d, d->to, j, 0) + first, out);
                for (int64_t b = 1; b < d->copies; b++)
                    dcpn_axpy(depth, contrast(c, b) * sqrt(d->law->s[j]), column_of(d, d->Z, j, b - 1) + first, out);
            }
        }
    }
}

dcpn_status dcpn_copies_draw(const struct standard_columns *columns, const struct law *law, int is_fixed, uint64_t seed,
                             double *to)
{
    dcpn_context *context = columns->context;
    struct drawing d = {.X = columns,
                        .law = law,
                        .rows = columns->rows,
                        .count = columns->count,
                        .copies = law->copies,
                        .to = to};
    d.Z = dcpn_allocate(context, (size_t)(d.count * d.copies) + 1, (size_t)d.rows * sizeof *d.Z);
    if (!d.Z) return DCPN_MEMORY;
    draw_normal(&d, seed);
    dcpn_status status = is_fixed ? draw_orthogonal(&d) : DCPN_OK;
    if (status == DCPN_OK) dcpn_parallel_items(context, (d.rows + STRIP - 1) / STRIP, fill_strips, &d);
    dcpn_free(context, d.Z);
    return status;
}
