/* SPDX-License-Identifier: BSD-3-Clause */
/* A factor by rows, four at a time: rows below them are read and written once for all four. */
#include "base/factor.h"

#include <math.h>

#include "base/vector.h"

enum { STEP = DCPN_FACTOR_STEP, ROWS = 4 };
#define INLINE static inline __attribute__((always_inline))

/* to -= from[i] from, from column i on, and some before it, which nobody reads. Every number goes by itself: vectors of
 * any width give the same bits. */
INLINE void subtract(int64_t i, int64_t stride, const double *restrict from, double *restrict to)
{
    double times = from[i];
    for (int64_t j = i / STEP * STEP; j < stride; j++) to[j] -= times * from[j];
}

/* Does the same for four rows. */
INLINE void subtract_four(int64_t i, int64_t stride, const double *restrict from, double *restrict to)
{
    const double *restrict second = from + stride, *restrict third = second + stride, *restrict fourth = third + stride;
    double times[ROWS] = {from[i], second[i], third[i], fourth[i]};
    for (int64_t j = i / STEP * STEP; j < stride; j++)
        to[j] = (((to[j] - times[0] * from[j]) - times[1] * second[j]) - times[2] * third[j]) - times[3] * fourth[j];
}

/* Scales row i, which is as it will be but for its scale. Returns 0 if its pivot is too small. */
INLINE int scale(int64_t i, int64_t stride, double least, double *row)
{
    if (!(row[i] > least)) return 0;
    double times = 1.0 / sqrt(row[i]);
    for (int64_t j = i / STEP * STEP; j < stride; j++) row[j] *= times;
    return 1;
}

INLINE int factor(int64_t n, const double *diagonal, double least, double *M)
{
    int64_t stride = dcpn_factor_stride(n);
    for (int64_t first = 0; first < n; first += ROWS) {
        int64_t end = first + ROWS < n ? first + ROWS : n;
        for (int64_t i = first; i < end; i++) {
            for (int64_t k = first; k < i; k++) subtract(i, stride, M + k * stride, M + i * stride);
            if (!scale(i, stride, least * diagonal[i], M + i * stride)) return 0;
        }
        for (int64_t i = end; i < n; i++) subtract_four(i, stride, M + first * stride, M + i * stride);
    }
    return 1;
}

typedef int factor_function(int64_t n, const double *diagonal, double least, double *M);
#define MAKE_FACTOR(NAME, AT)                                                                                          \
    AT static int NAME(int64_t n, const double *diagonal, double least, double *M)                                     \
    {                                                                                                                  \
        return factor(n, diagonal, least, M);                                                                          \
    }
MAKE_FACTOR(factor_baseline, AT_BASELINE)
MAKE_FACTOR(factor_avx2, AT_AVX2)
MAKE_FACTOR(factor_avx512, AT_AVX512)

int dcpn_factor_at(enum level level, int64_t n, const double *diagonal, double least, double *M)
{
    static factor_function *const at[LEVEL_COUNT] = {factor_baseline, factor_avx2, factor_avx512};
    return at[level](n, diagonal, least, M);
}

int dcpn_factor(int64_t n, const double *diagonal, double least, double *M)
{
    return dcpn_factor_at(dcpn_level(), n, diagonal, least, M);
}

void dcpn_factor_solve(int64_t n, const double *U, double *x)
{
    int64_t stride = dcpn_factor_stride(n);
    for (int64_t i = 0; i < n; i++) {
        x[i] /= U[i * stride + i];
        dcpn_axpy(n - i - 1, -x[i], U + i * stride + i + 1, x + i + 1);
    }
    for (int64_t i = n - 1; i >= 0; i--)
        x[i] = (x[i] - dcpn_dot(n - i - 1, U + i * stride + i + 1, x + i + 1)) / U[i * stride + i];
}
