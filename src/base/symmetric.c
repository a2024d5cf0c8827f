/* SPDX-License-Identifier: BSD-3-Clause */
/* Jacobi's method: rotations in pairs of coordinates, each of which makes one entry 0, in turn until all are small. */
#include "base/symmetric.h"

#include <math.h>

#include "base/vector.h"

enum { MOST_SWEEPS = 60 };

/* Rows i and j turned by the angle with that cosine and sine. */
static void turn_rows(int64_t n, double cosine, double sine, double *a, double *b)
{
    for (int64_t k = 0; k < n; k++) {
        double first = a[k], second = b[k];
        a[k] = cosine * first - sine * second;
        b[k] = sine * first + cosine * second;
    }
}

static void turn_columns(int64_t n, double cosine, double sine, int64_t i, int64_t j, double *M)
{
    for (int64_t k = 0; k < n; k++) {
        double first = M[k * n + i], second = M[k * n + j];
        M[k * n + i] = cosine * first - sine * second;
        M[k * n + j] = sine * first + cosine * second;
    }
}

/* Makes M_ij 0; returns 0 if it is beside the diagonal already. */
static int rotate(int64_t n, int64_t i, int64_t j, double *M, double *V)
{
    double entry = M[i * n + j], gap = M[j * n + j] - M[i * n + i];
    if (fabs(entry) <= 1e-17 * (fabs(M[i * n + i]) + fabs(M[j * n + j]))) return 0;
    double ratio = gap / (2.0 * entry);
    double tangent = copysign(1.0, ratio) / (fabs(ratio) + hypot(1.0, ratio));
    double cosine = 1.0 / hypot(1.0, tangent), sine = tangent * cosine;
    turn_rows(n, cosine, sine, M + i * n, M + j * n);
    turn_columns(n, cosine, sine, i, j, M);
    turn_rows(n, cosine, sine, V + i * n, V + j * n);
    M[i * n + j] = M[j * n + i] = 0.0;
    return 1;
}

void dcpn_symmetric_factor(int64_t n, double *M, double *values, double *V)
{
    dcpn_fill(n * n, 0.0, V);
    for (int64_t i = 0; i < n; i++) V[i * n + i] = 1.0;
    for (int sweep = 0, turned = 1; sweep < MOST_SWEEPS && turned; sweep++) {
        turned = 0;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = i + 1; j < n; j++) turned += rotate(n, i, j, M, V);
    }
    for (int64_t i = 0; i < n; i++) values[i] = M[i * n + i];
}
