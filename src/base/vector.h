/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors of doubles. Sums run over fixed blocks, hence the same bits wherever they are computed. */
#ifndef DCPN_SRC_VECTOR_H
#define DCPN_SRC_VECTOR_H

#include <stdint.h>

double dcpn_dot(int64_t n, const double *a, const double *b);
double dcpn_norm2(int64_t n, const double *a); /* Euclidean */
double dcpn_norm_max(int64_t n, const double *a);
void dcpn_axpy(int64_t n, double alpha, const double *a, double *b); /* b += alpha a */
/* out = now + beta (now - before) */
void dcpn_extrapolate(int64_t n, double beta, const double *now, const double *before, double *out);
void dcpn_copy(int64_t n, const double *from, double *to);
void dcpn_fill(int64_t n, double value, double *a);
int64_t dcpn_count_nonzeros(int64_t n, const double *a);
int dcpn_all_finite(int64_t n, const double *a);
int dcpn_all_finite_single(int64_t n, const float *a);
int64_t dcpn_skip_zeros(int64_t n, const double *a, int64_t from);

/* Returns the first index at or after `from` whose number is not 0; n or more if there is none. */
static inline int64_t dcpn_next_nonzero(int64_t n, const double *a, int64_t from)
{
    return from >= n || a[from] != 0.0 ? from : dcpn_skip_zeros(n, a, from);
}

#endif
