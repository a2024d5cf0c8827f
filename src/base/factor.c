/* SPDX-License-Identifier: BSD-3-Clause */
/* A factor by rows, four at a time: rows below them are read and written once for all four. */
#include "base/factor.h"

#include <math.h>
#include <string.h>

#include "base/level.h"
#include "base/vector.h"

enum { STEP = DCPN_FACTOR_STEP, ROWS = 4 };
#define INLINE static inline __attribute__((always_inline))
typedef double eight __attribute__((vector_size(8 * STEP))); /* the same operations in the same order at every level */

/* to[0..8) -= times from[0..8) */
INLINE void subtract_eight(double times, const double *from, eight *to)
{
    eight taken;
    memcpy(&taken, from, sizeof taken);
    *to -= times * taken;
}

/* to -= from[i] from, from column i on, and some before it, which nobody reads. */
INLINE void subtract(int64_t i, int64_t stride, const double *from, double *to)
{
    for (int64_t j = i / STEP * STEP; j < stride; j += STEP) {
        eight left;
        memcpy(&left, to + j, sizeof left);
        subtract_eight(from[i], from + j, &left);
        memcpy(to + j, &left, sizeof left);
    }
}

/* The same of four rows. */
INLINE void subtract_four(int64_t i, int64_t stride, const double *from, double *to)
{
    for (int64_t j = i / STEP * STEP; j < stride; j += STEP) {
        eight left;
        memcpy(&left, to + j, sizeof left);
        for (int k = 0; k < ROWS; k++) subtract_eight(from[k * stride + i], from + k * stride + j, &left);
        memcpy(to + j, &left, sizeof left);
    }
}

/* Row i is as it will be but for its scale. 0: its pivot is too small. */
INLINE int scale(int64_t i, int64_t stride, double least, double *row)
{
    if (!(row[i] > least)) return 0;
    double times = 1.0 / sqrt(row[i]);
    for (int64_t j = i / STEP * STEP; j < stride; j += STEP) {
        eight scaled;
        memcpy(&scaled, row + j, sizeof scaled);
        scaled *= times;
        memcpy(row + j, &scaled, sizeof scaled);
    }
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

int dcpn_factor(int64_t n, const double *diagonal, double least, double *M)
{
    static factor_function *const at[LEVEL_COUNT] = {factor_baseline, factor_avx2, factor_avx512};
    return at[dcpn_level()](n, diagonal, least, M);
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
