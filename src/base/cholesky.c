/* SPDX-License-Identifier: BSD-3-Clause */
/* Cholesky by rows: every entry is a dot product of two rows, so memory is read in its order. */
#include "base/cholesky.h"

#include <math.h>

#include "base/vector.h"

int dcpn_cholesky(int64_t n, int64_t stride, double least, double *M)
{
    for (int64_t i = 0; i < n; i++) {
        double *row = M + i * stride;
        for (int64_t j = 0; j < i; j++) row[j] = (row[j] - dcpn_dot(j, row, M + j * stride)) / M[j * stride + j];
        double rest = row[i] - dcpn_dot(i, row, row);
        if (!(rest > least * row[i])) return 0;
        row[i] = sqrt(rest);
    }
    return 1;
}

void dcpn_cholesky_solve(int64_t n, int64_t stride, const double *L, double *x)
{
    for (int64_t i = 0; i < n; i++) x[i] = (x[i] - dcpn_dot(i, L + i * stride, x)) / L[i * stride + i];
    for (int64_t i = n - 1; i >= 0; i--) {
        x[i] /= L[i * stride + i];
        dcpn_axpy(i, -x[i], L + i * stride, x);
    }
}
