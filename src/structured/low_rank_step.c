/* SPDX-License-Identifier: BSD-3-Clause */
/* The step: X becomes the prox of t h at Z = X + t R, U prox(sigma) V' of the singular vectors of Z. With t = 1 F
 * cannot rise; where few entries are seen f curves less, and longer steps go further. Singular vectors that the prox
 * keeps are found by the power method for a block that begins as those of X and some more, kept from the last time. */
#include <math.h>

#include "base/tuning.h"
#include "base/vector.h"
#include "structured/low_rank.h"

/* to += X-part of Z or Z': sum_k a_k sigma_k (b_k' from). */
static void add_low_rank(const struct low_rank *x, int64_t n_from, const double *from_side, int64_t n_to,
                         const double *to_side, int64_t count, const double *from, double *to)
{
    for (int64_t j = 0; j < count; j++)
        for (int64_t k = 0; k < x->rank; k++) {
            double times = x->sigma[k] * dcpn_dot(n_from, from_side + k * n_from, from + j * n_from);
            dcpn_axpy(n_to, times, to_side + k * n_to, to + j * n_to);
        }
}

static void scale(int64_t numbers, double times, double *block)
{
    for (int64_t k = 0; k < numbers; k++) block[k] *= times;
}

static void apply_Z(struct low_rank *x, double t, int64_t count, const double *M, double *out)
{
    dcpn_low_rank_apply(x, count, M, out);
    scale(x->seen.rows * count, t, out);
    add_low_rank(x, x->seen.columns, x->V, x->seen.rows, x->U, count, M, out);
}

static void adjoint_Z(struct low_rank *x, double t, int64_t count, const double *M, double *out)
{
    dcpn_low_rank_adjoint(x, count, M, out);
    scale(x->seen.columns * count, t, out);
    add_low_rank(x, x->seen.rows, x->U, x->seen.columns, x->V, count, M, out);
}

/* The block to begin with: the right vectors of X, and probes. */
static int64_t begin_block(const struct low_rank *x)
{
    int64_t n = x->seen.columns, probes = x->most - x->rank < LOW_RANK_PROBES ? x->most - x->rank : LOW_RANK_PROBES;
    dcpn_copy(n * x->rank, x->V, x->space.right);
    dcpn_copy(n * probes, x->space.probe, x->space.right + n * x->rank);
    return x->rank + probes;
}

static void shrink(struct low_rank *x, double step, int64_t count)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < count; k++) {
        double t = dcpn_penalty_prox_at(&x->penalty, 0, x->sigma[k], step);
        if (!(t > 0.0)) break; /* the prox ascends: all that follow are 0, too */
        x->sigma[kept++] = t;
    }
    x->rank = kept;
}

void dcpn_low_rank_prox_step(struct low_rank *x, double t, int64_t rounds)
{
    int64_t n = x->seen.columns, count = begin_block(x);
    dcpn_vectors_orthonormalize(n, count, x->space.right, NULL);
    for (int64_t round = 0; round < rounds; round++) {
        apply_Z(x, t, count, x->space.right, x->space.left);
        dcpn_vectors_orthonormalize(x->seen.rows, count, x->space.left, NULL);
        adjoint_Z(x, t, count, x->space.left, x->space.right);
        if (round + 1 < rounds) dcpn_vectors_orthonormalize(n, count, x->space.right, NULL);
    }
    dcpn_low_rank_take_product(x, count, x->space.left, x->space.right);
    int64_t found = x->rank;
    shrink(x, t, found);
    int64_t kept_probes = count - x->rank < LOW_RANK_PROBES ? count - x->rank : LOW_RANK_PROBES;
    for (int64_t k = 0; k < kept_probes && x->rank + k < found; k++)
        dcpn_copy(n, x->V + (x->rank + k) * n, x->space.probe + k * n);
}
