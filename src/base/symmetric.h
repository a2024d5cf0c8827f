/* SPDX-License-Identifier: BSD-3-Clause */
/* All eigenvalues and eigenvectors of a small symmetric matrix. */
#ifndef DCPN_SRC_SYMMETRIC_H
#define DCPN_SRC_SYMMETRIC_H

#include <stdint.h>

/* Finds M = V' diag(values) V for a symmetric M of n rows, which is destroyed; the rows of V are the eigenvectors. It
 * is good for some hundred rows at most, since it takes about 10 n^3 operations. */
void dcpn_symmetric_factor(int64_t n, double *M, double *values, double *V);

#endif
