/* SPDX-License-Identifier: BSD-3-Clause */
/* M = L L', of a symmetric matrix whose lower triangle is given by rows. */
#ifndef DCPN_SRC_CHOLESKY_H
#define DCPN_SRC_CHOLESKY_H

#include <stdint.h>

/* Factors M = L L' and puts L in the place of the lower triangle. Returns 0 if M is not positive definite in floating
 * point: a pivot has fallen below `least` of its diagonal entry. */
int dcpn_cholesky(int64_t n, int64_t stride, double least, double *M);
/* x = M^-1 x */
void dcpn_cholesky_solve(int64_t n, int64_t stride, const double *L, double *x);

#endif
