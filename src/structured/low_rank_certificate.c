/* SPDX-License-Identifier: BSD-3-Clause */
/* The certificate. With X = U diag(sigma) V' and grad f = -R, X is stationary if
 *     R V = U diag(p'(sigma)),   R'U = V diag(p'(sigma)),   |(I - UU') R (I - VV')| <= c = p'(0+),
 * and each E is where its part of F is least, which it is by how it was found. The violation is the largest length of a
 * column of the first two differences, and what the norm of the third is above c. That norm is found by the power
 * method for a block, from vectors kept from the last time, until it hardly changes: it comes from below. */
#include <math.h>

#include "base/tuning.h"
#include "base/vector.h"
#include "penalty/scalar.h"
#include "structured/low_rank.h"

/* The largest |product_k - p'(sigma_k) vector_k|. */
static double worst_column(const struct low_rank *x, int64_t n, const double *vectors, double *product)
{
    double worst = 0.0;
    for (int64_t k = 0; k < x->rank; k++) {
        double slope = dcpn_p_slope(&x->penalty, 0, x->sigma[k], DCPN_RIGHT);
        dcpn_axpy(n, -slope, vectors + k * n, product + k * n);
        worst = fmax(worst, dcpn_norm2(n, product + k * n));
    }
    return worst;
}

static void remove_span(int64_t n, int64_t rank, const double *basis, int64_t count, double *vectors)
{
    for (int64_t j = 0; j < count; j++)
        for (int64_t k = 0; k < rank; k++)
            dcpn_axpy(n, -dcpn_dot(n, basis + k * n, vectors + j * n), basis + k * n, vectors + j * n);
}

double dcpn_low_rank_norm_of_rest(struct low_rank *x, int64_t rounds)
{
    int64_t m = x->seen.rows, n = x->seen.columns, room = x->most - x->rank;
    int64_t count = room < LOW_RANK_LOOKERS ? room : LOW_RANK_LOOKERS;
    double norm = 0.0;
    if (count < 1) return 0.0;
    for (int64_t round = 0; round < rounds; round++) {
        double before = norm;
        remove_span(n, x->rank, x->V, count, x->space.probe);
        dcpn_vectors_orthonormalize(n, count, x->space.probe, NULL);
        remove_span(n, x->rank, x->V, count, x->space.probe);
        dcpn_low_rank_apply(x, count, x->space.probe, x->space.left);
        remove_span(m, x->rank, x->U, count, x->space.left);
        norm = 0.0;
        for (int64_t k = 0; k < count; k++) norm = fmax(norm, dcpn_norm2(m, x->space.left + k * m));
        dcpn_low_rank_adjoint(x, count, x->space.left, x->space.probe);
        if (fabs(norm - before) <= LOW_RANK_NORM * norm) break;
    }
    return norm;
}

double dcpn_low_rank_violation(struct low_rank *x, int64_t rounds)
{
    double worst = 0.0;
    dcpn_low_rank_apply(x, x->rank, x->V, x->space.left);
    worst = worst_column(x, x->seen.rows, x->U, x->space.left);
    dcpn_low_rank_adjoint(x, x->rank, x->U, x->space.right);
    worst = fmax(worst, worst_column(x, x->seen.columns, x->V, x->space.right));
    return fmax(worst, dcpn_low_rank_norm_of_rest(x, rounds) - x->penalty.c[0]);
}
