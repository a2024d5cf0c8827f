/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors of doubles, and the fixed tree in which sums of blocks are added. */
#include "base/vector.h"

#include <math.h>
#include <string.h>

#include "base/blocks.h"

double dcpn_tree_sum(double *partial, int64_t count)
{
    if (count == 0) return 0.0;
    for (int64_t width = 1; width < count; width *= 2)
        for (int64_t i = 0; i + width < count; i += 2 * width) partial[i] += partial[i + width];
    return partial[0];
}

/* Four running sums: the compiler may not reorder a single one. */
static double dot_block(int64_t n, const double *a, const double *b)
{
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    int64_t i = 0;
    for (; i + 4 <= n; i += 4) {
        s0 += a[i] * b[i];
        s1 += a[i + 1] * b[i + 1];
        s2 += a[i + 2] * b[i + 2];
        s3 += a[i + 3] * b[i + 3];
    }
    for (; i < n; i++) s0 += a[i] * b[i];
    return (s0 + s1) + (s2 + s3);
}

/* Pairwise over blocks, by recursion: no memory is needed, and the error grows with the logarithm of n. */
double dcpn_dot(int64_t n, const double *a, const double *b)
{
    if (n <= DCPN_BLOCK) return dot_block(n, a, b);
    int64_t half = (dcpn_block_count(n) + 1) / 2 * DCPN_BLOCK;
    return dcpn_dot(half, a, b) + dcpn_dot(n - half, a + half, b + half);
}

double dcpn_norm2(int64_t n, const double *a)
{
    return sqrt(dcpn_dot(n, a, a));
}

double dcpn_norm_max(int64_t n, const double *a)
{
    double largest = 0.0;
    for (int64_t i = 0; i < n; i++)
        if (fabs(a[i]) > largest || isnan(a[i])) largest = fabs(a[i]); /* NaN stays */
    return largest;
}

void dcpn_axpy(int64_t n, double alpha, const double *a, double *b)
{
    for (int64_t i = 0; i < n; i++) b[i] += alpha * a[i];
}

void dcpn_extrapolate(int64_t n, double beta, const double *now, const double *before, double *out)
{
    for (int64_t i = 0; i < n; i++) out[i] = now[i] + beta * (now[i] - before[i]);
}

void dcpn_copy(int64_t n, const double *from, double *to)
{
    memcpy(to, from, (size_t)n * sizeof *to);
}

void dcpn_fill(int64_t n, double value, double *a)
{
    for (int64_t i = 0; i < n; i++) a[i] = value;
}

/* Comparisons of two at a time, which the compiler does not see: they leave -1 where they hold. */
typedef double two __attribute__((vector_size(16)));
typedef int64_t two_masks __attribute__((vector_size(16)));

int64_t dcpn_count_nonzeros(int64_t n, const double *a)
{
    two_masks counts[2] = {{0}};
    two some[2];
    int64_t i = 0;
    for (; i + 4 <= n; i += 4) {
        memcpy(some, a + i, sizeof some);
        counts[0] -= some[0] != 0.0;
        counts[1] -= some[1] != 0.0;
    }
    counts[0] += counts[1];
    int64_t count = counts[0][0] + counts[0][1];
    for (; i < n; i++) count += a[i] != 0.0;
    return count;
}

int64_t dcpn_skip_zeros(int64_t n, const double *a, int64_t from)
{
    two some[4];
    int64_t i = from;
    for (; i + 8 <= n; i += 8) {
        memcpy(some, a + i, sizeof some);
        two_masks any = ((some[0] != 0.0) | (some[1] != 0.0)) | ((some[2] != 0.0) | (some[3] != 0.0));
        if (any[0] | any[1]) break;
    }
    while (i < n && a[i] == 0.0) i++;
    return i;
}

/* 0 times a number is 0, or NaN if that is not finite, and NaN stays. Eight sums side by side, which become vectors. */
#define ALL_FINITE(NAME, TYPE)                                                                                         \
    int NAME(int64_t n, const TYPE *a)                                                                                 \
    {                                                                                                                  \
        TYPE sums[8] = {0};                                                                                            \
        int64_t i = 0;                                                                                                 \
        for (; i + 8 <= n; i += 8)                                                                                     \
            for (int k = 0; k < 8; k++) sums[k] += a[i + k] * (TYPE)0.0;                                               \
        for (; i < n; i++) sums[0] += a[i] * (TYPE)0.0;                                                                \
        for (int k = 1; k < 8; k++) sums[0] += sums[k];                                                                \
        return sums[0] == (TYPE)0.0;                                                                                   \
    }
ALL_FINITE(dcpn_all_finite, double)
ALL_FINITE(dcpn_all_finite_single, float)
