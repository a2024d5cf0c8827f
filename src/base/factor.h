/* SPDX-License-Identifier: BSD-3-Clause */
/* M = U'U of a symmetric positive definite matrix of a few hundred rows at most, which stays in a cache. */
#ifndef DCPN_SRC_FACTOR_H
#define DCPN_SRC_FACTOR_H

#include <stdint.h>

#include "base/level.h"

enum { DCPN_FACTOR_STEP = 8 }; /* numbers: the distance of rows is a multiple of it */

/* The distance of rows, for n of them. */
static inline int64_t dcpn_factor_stride(int64_t n)
{
    return (n + DCPN_FACTOR_STEP - 1) / DCPN_FACTOR_STEP * DCPN_FACTOR_STEP;
}

/* Factors M = U'U and puts U in the place of the upper triangle of M. M is given by rows with both triangles, and
 * finite beyond the n-th column. Returns 0 if M is not positive definite in floating point: a pivot has fallen below
 * `least` of its entry of the diagonal. */
int dcpn_factor(int64_t n, const double *diagonal, double least, double *M);
/* Does the same with the instructions of one level. All levels give the same bits. */
int dcpn_factor_at(enum level level, int64_t n, const double *diagonal, double least, double *M);
/* x = M^-1 x */
void dcpn_factor_solve(int64_t n, const double *U, double *x);

#endif
