/* SPDX-License-Identifier: BSD-3-Clause */
/* Anderson acceleration: the weights solve (R'R) z = 1, a = z / sum(z), where R holds the differences of the points. */
#include "subproblem/anderson.h"

#include <math.h>

#include "base/tuning.h"
#include "base/vector.h"

void dcpn_anderson_layout(struct anderson *anderson, int64_t size, struct arena *arena)
{
    for (int k = 0; k <= ANDERSON_DEPTH; k++) anderson->point[k] = dcpn_arena_scratch(arena, size);
    anderson->guess = dcpn_arena_scratch(arena, size);
    anderson->count = 0;
}

static void fill_products(const struct anderson *anderson, int64_t size, double M[ANDERSON_DEPTH][ANDERSON_DEPTH])
{
    double trace = 0.0;
    for (int a = 0; a < ANDERSON_DEPTH; a++)
        for (int b = 0; b <= a; b++) {
            const double *a0 = anderson->point[a], *a1 = anderson->point[a + 1];
            const double *b0 = anderson->point[b], *b1 = anderson->point[b + 1];
            double sum = 0.0;
            for (int64_t i = 0; i < size; i++) sum += (a1[i] - a0[i]) * (b1[i] - b0[i]);
            M[a][b] = M[b][a] = sum;
            if (a == b) trace += sum;
        }
    for (int a = 0; a < ANDERSON_DEPTH; a++) M[a][a] += ANDERSON_SHIFT * trace;
}

/* Gauss without pivoting: M is positive definite, or the answer is 0. */
static int solve_ones(double M[ANDERSON_DEPTH][ANDERSON_DEPTH], double z[ANDERSON_DEPTH])
{
    for (int k = 0; k < ANDERSON_DEPTH; k++) z[k] = 1.0;
    for (int k = 0; k < ANDERSON_DEPTH; k++) {
        if (!(M[k][k] > 0.0)) return 0;
        for (int i = k + 1; i < ANDERSON_DEPTH; i++) {
            double factor = M[i][k] / M[k][k];
            for (int j = k; j < ANDERSON_DEPTH; j++) M[i][j] -= factor * M[k][j];
            z[i] -= factor * z[k];
        }
    }
    for (int k = ANDERSON_DEPTH - 1; k >= 0; k--) {
        for (int j = k + 1; j < ANDERSON_DEPTH; j++) z[k] -= M[k][j] * z[j];
        z[k] /= M[k][k];
    }
    return 1;
}

static int fill_guess(struct anderson *anderson, int64_t size)
{
    double M[ANDERSON_DEPTH][ANDERSON_DEPTH], z[ANDERSON_DEPTH], sum = 0.0;
    fill_products(anderson, size, M);
    if (!solve_ones(M, z)) return 0;
    for (int k = 0; k < ANDERSON_DEPTH; k++) sum += z[k];
    if (!(fabs(sum) > 0.0) || !isfinite(sum)) return 0;
    dcpn_fill(size, 0.0, anderson->guess);
    for (int k = 0; k < ANDERSON_DEPTH; k++) dcpn_axpy(size, z[k] / sum, anderson->point[k + 1], anderson->guess);
    return dcpn_all_finite(size, anderson->guess);
}

int dcpn_anderson_take(struct anderson *anderson, int64_t size, const double *y)
{
    dcpn_copy(size, y, anderson->point[anderson->count++]);
    if (anderson->count <= ANDERSON_DEPTH) return 0;
    anderson->count = 0;
    return fill_guess(anderson, size);
}
