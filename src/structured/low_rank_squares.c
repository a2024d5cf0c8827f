/* SPDX-License-Identifier: BSD-3-Clause */
/* Least squares for one side of X = A B', A = U sigma^1/2, B = V sigma^1/2: each row of A by itself,
 *     min_a sum over entries seen of (y_ij - E_ij - a'b_j)^2 / 2 + a' diag(w) a / 2,     w_k = p'(sigma_k),
 * then each row of B. For l1 this is the penalty of X in the factors, lambda (|A|^2 + |B|^2) / 2; for others it touches
 * it. */
#include <math.h>

#include "base/context.h"
#include "base/factor.h"
#include "base/threads.h"
#include "base/vector.h"
#include "penalty/scalar.h"
#include "structured/low_rank.h"

struct squares {
    const struct low_rank *x;
    int64_t size;        /* vectors */
    const double *other; /* by rows, as what is found */
    double *own;
    const double *weight;
    const int64_t *start, *index, *entry; /* of the rows that are found; entry NULL: they are in order */
    int failed;
};

/* M = sum of b b' + diag(w), its upper triangle by rows; a = sum of b times what is to be explained. */
static void gather(const struct squares *s, int64_t i, double *M, double *a)
{
    int64_t r = s->size, stride = dcpn_factor_stride(r);
    dcpn_fill(r * stride, 0.0, M);
    dcpn_fill(r, 0.0, a);
    for (int64_t k = s->start[i]; k < s->start[i + 1]; k++) {
        int64_t e = s->entry ? s->entry[k] : k;
        const double *b = s->other + s->index[k] * r;
        dcpn_axpy(r, s->x->seen.value[e] - s->x->sparse[e], b, a);
        for (int64_t row = 0; row < r; row++) dcpn_axpy(r - row, b[row], b + row, M + row * stride + row);
    }
    for (int64_t k = 0; k < r; k++) M[k * stride + k] += s->weight[k];
}

static void solve_rows(void *user, int64_t begin, int64_t end)
{
    struct squares *s = user;
    int64_t r = s->size, stride = dcpn_factor_stride(r);
    double *M = dcpn_allocate(s->x->context, (size_t)(r * stride + 2 * r), sizeof *M);
    if (!M) {
        s->failed = 1;
        return;
    }
    double *diagonal = M + r * stride, *a = diagonal + r;
    for (int64_t i = begin; i < end; i++) {
        gather(s, i, M, a);
        for (int64_t k = 0; k < r; k++) {
            diagonal[k] = M[k * stride + k];
            for (int64_t l = 0; l < k; l++) M[k * stride + l] = M[l * stride + k];
        }
        if (!dcpn_factor(r, diagonal, 1e-14, M)) continue; /* the row stays as it is */
        dcpn_factor_solve(r, M, a);
        dcpn_copy(r, a, s->own + i * r);
    }
    dcpn_free(s->x->context, M);
}

static void take_sides(const struct low_rank *x, double *weight)
{
    int64_t r = x->rank;
    dcpn_block_by_rows(x->seen.rows, r, x->U, x->space.left_rows);
    dcpn_block_by_rows(x->seen.columns, r, x->V, x->space.right_rows);
    for (int64_t k = 0; k < r; k++) {
        double root = sqrt(x->sigma[k]);
        weight[k] = dcpn_p_slope(&x->penalty, 0, x->sigma[k], DCPN_RIGHT);
        for (int64_t i = 0; i < x->seen.rows; i++) x->space.left_rows[i * r + k] *= root;
        for (int64_t j = 0; j < x->seen.columns; j++) x->space.right_rows[j * r + k] *= root;
    }
}

dcpn_status dcpn_low_rank_squares(struct low_rank *x)
{
    const struct seen *seen = &x->seen;
    double *weight = x->space.weight;
    if (x->rank == 0) return DCPN_OK;
    take_sides(x, weight);
    struct squares left = {
        x, x->rank, x->space.right_rows, x->space.left_rows, weight, seen->row_start, seen->column_of, NULL, 0};
    struct squares right = {
        x, x->rank, x->space.left_rows, x->space.right_rows, weight, seen->column_start, seen->row_of, seen->entry_of,
        0};
    dcpn_parallel_ranges(x->context, seen->rows, solve_rows, &left);
    dcpn_parallel_ranges(x->context, seen->columns, solve_rows, &right);
    if (left.failed || right.failed) return DCPN_MEMORY;
    dcpn_block_by_vectors(seen->rows, x->rank, x->space.left_rows, x->space.left);
    dcpn_block_by_vectors(seen->columns, x->rank, x->space.right_rows, x->space.right);
    dcpn_low_rank_take_product(x, x->rank, x->space.left, x->space.right);
    return DCPN_OK;
}
