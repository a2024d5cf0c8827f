/* SPDX-License-Identifier: BSD-3-Clause */
/* A = Q R with Q'diag(share)Q = I, by Gram and Schmidt with pivots: of the columns that are left the one comes next of
 * which most is left, for its own size. Each is taken orthogonal to those before it twice, since what a first time
 * leaves of a column that nearly depends on them is not orthogonal to them (Giraud, Langou, Rozloznik, van den Eshof
 * 2005). */
#include "problem/orthonormal_block.h"

#include <math.h>

#include "base/tuning.h"
#include "base/vector.h"

static double *column_of(const struct orthonormal_block *b, int64_t p)
{
    return b->columns + p * b->rows;
}

static double dot(const struct orthonormal_block *b, const double *x, const double *y)
{
    double sum = 0.0;
    for (int64_t i = 0; i < b->rows; i++) sum += b->share[i] * x[i] * y[i];
    return sum;
}

static double norm(const struct orthonormal_block *b, const double *x)
{
    return sqrt(dot(b, x, x));
}

static void swap_numbers(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

static void swap_columns(struct orthonormal_block *b, int64_t p, int64_t q, double *scale)
{
    int64_t kept = b->order[p];
    if (p == q) return;
    for (int64_t i = 0; i < b->rows; i++) swap_numbers(column_of(b, p) + i, column_of(b, q) + i);
    for (int64_t i = 0; i < b->rank; i++) swap_numbers(&b->R[i * b->size + p], &b->R[i * b->size + q]);
    swap_numbers(&scale[p], &scale[q]);
    b->order[p] = b->order[q];
    b->order[q] = kept;
}

/* The column of which the largest share is left; -1: nothing is left of any. */
static int64_t next_pivot(const struct orthonormal_block *b, const double *scale)
{
    double largest = ORTHONORMAL_NOTHING;
    int64_t best = -1;
    for (int64_t p = b->rank; p < b->size; p++) {
        double left = scale[p] > 0.0 ? norm(b, column_of(b, p)) / scale[p] : 0.0;
        if (!(left > largest * (best < 0 ? 1.0 : 1.0 + ORTHONORMAL_TIE))) continue;
        largest = left;
        best = p;
    }
    return best;
}

/* Subtracts from column p its part along the orthonormal column i. */
static void project(struct orthonormal_block *b, int64_t i, int64_t p)
{
    double part = dot(b, column_of(b, i), column_of(b, p));
    dcpn_axpy(b->rows, -part, column_of(b, i), column_of(b, p));
    b->R[i * b->size + p] += part;
}

static void take(struct orthonormal_block *b)
{
    int64_t p = b->rank;
    double *column = column_of(b, p), *row = b->R + p * b->size;
    for (int64_t i = 0; i < p; i++) project(b, i, p);
    double length = norm(b, column);
    for (int64_t i = 0; i < b->rows; i++) column[i] /= length;
    dcpn_fill(b->size, 0.0, row);
    row[p] = length;
    b->rank++;
    for (int64_t q = p + 1; q < b->size; q++) project(b, p, q);
}

void dcpn_orthonormalize(struct orthonormal_block *b, double *scale)
{
    b->rank = 0;
    for (int64_t p = 0; p < b->size; p++) {
        b->order[p] = p;
        scale[p] = norm(b, column_of(b, p));
    }
    while (b->rank < b->size && b->rank < b->rows) {
        int64_t pivot = next_pivot(b, scale);
        if (pivot < 0) break;
        swap_columns(b, b->rank, pivot, scale);
        take(b);
    }
}

/* Computes the inverse column after column, each from its last element up. */
void dcpn_orthonormal_inverse(const struct orthonormal_block *b, double *T)
{
    int64_t rank = b->rank;
    dcpn_fill(rank * rank, 0.0, T);
    for (int64_t k = 0; k < rank; k++)
        for (int64_t i = k; i >= 0; i--) {
            double sum = i == k ? 1.0 : 0.0;
            for (int64_t m = i + 1; m <= k; m++) sum -= b->R[i * b->size + m] * T[m * rank + k];
            T[i * rank + k] = sum / b->R[i * b->size + i];
        }
}
