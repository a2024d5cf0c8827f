/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DCPN_SRC_EIGENVALUE_H
#define DCPN_SRC_EIGENVALUE_H

#include <stdint.h>

/* The least eigenvalue of a symmetric matrix of n rows, by rows, of which the lower triangle is read; destroys it. work
 * has room for 2 n numbers. */
double dcpn_least_eigenvalue(int64_t n, double *matrix, double *work);
/* The least eigenvalue of a symmetric tridiagonal matrix: off[i] stands between the diagonal entries i - 1 and i, and
 * off[0] is 0. */
double dcpn_least_tridiagonal_eigenvalue(int64_t n, const double *diagonal, const double *off);

#endif
