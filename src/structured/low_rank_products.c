/* SPDX-License-Identifier: BSD-3-Clause */
/* Residuals at the entries seen, and products of the sparse matrix of them with blocks of vectors. Blocks go by rows
 * here: what an entry is multiplied by lies side by side. */
#include <math.h>

#include "base/threads.h"
#include "base/vector.h"
#include "penalty/scalar.h"
#include "structured/low_rank.h"

void dcpn_block_by_rows(int64_t n, int64_t count, const double *vectors, double *rows)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < count; k++) rows[i * count + k] = vectors[k * n + i];
}

void dcpn_block_by_vectors(int64_t n, int64_t count, const double *rows, double *vectors)
{
    for (int64_t k = 0; k < count; k++)
        for (int64_t i = 0; i < n; i++) vectors[k * n + i] = rows[i * count + k];
}

/* ---- R and E ---- */

static void look_at_rows(void *user, int64_t begin, int64_t end)
{
    struct low_rank *x = user;
    const struct seen *seen = &x->seen;
    for (int64_t i = begin; i < end; i++)
        for (int64_t e = seen->row_start[i]; e < seen->row_start[i + 1]; e++) {
            double left = seen->value[e] - dcpn_dot(x->rank, x->space.left_rows + i * x->rank,
                                                    x->space.right_rows + seen->column_of[e] * x->rank);
            x->sparse[e] = x->has_sparse ? dcpn_penalty_prox_at(&x->sparse_penalty, 0, left, 1.0) : 0.0;
            x->residual[e] = left - x->sparse[e];
        }
}

void dcpn_low_rank_look(struct low_rank *x)
{
    int64_t m = x->seen.rows, r = x->rank;
    for (int64_t i = 0; i < m; i++)
        for (int64_t k = 0; k < r; k++) x->space.left_rows[i * r + k] = x->U[k * m + i] * x->sigma[k];
    dcpn_block_by_rows(x->seen.columns, r, x->V, x->space.right_rows);
    dcpn_parallel_ranges(x->context, m, look_at_rows, x);
}

double dcpn_low_rank_loss(const struct low_rank *x)
{
    return 0.5 * dcpn_dot(x->seen.count, x->residual, x->residual);
}

double dcpn_low_rank_sparse_value(const struct low_rank *x)
{
    double sum = 0.0;
    for (int64_t e = 0; x->has_sparse && e < x->seen.count; e++)
        sum += dcpn_p_value(&x->sparse_penalty, 0, fabs(x->sparse[e]));
    return sum;
}

double dcpn_low_rank_penalty_value(const struct low_rank *x)
{
    double sum = 0.0;
    for (int64_t k = 0; k < x->rank; k++) sum += dcpn_p_value(&x->penalty, 0, x->sigma[k]);
    return sum;
}

double dcpn_low_rank_value(const struct low_rank *x)
{
    return dcpn_low_rank_loss(x) + dcpn_low_rank_sparse_value(x) + dcpn_low_rank_penalty_value(x);
}

/* ---- products ---- */

struct product {
    const struct low_rank *x;
    int64_t count;
    const double *from; /* by rows */
    double *to;
};

static void apply_rows(void *user, int64_t begin, int64_t end)
{
    const struct product *p = user;
    const struct seen *seen = &p->x->seen;
    for (int64_t i = begin; i < end; i++) {
        double *to = p->to + i * p->count;
        dcpn_fill(p->count, 0.0, to);
        for (int64_t e = seen->row_start[i]; e < seen->row_start[i + 1]; e++)
            dcpn_axpy(p->count, p->x->residual[e], p->from + seen->column_of[e] * p->count, to);
    }
}

static void adjoint_columns(void *user, int64_t begin, int64_t end)
{
    const struct product *p = user;
    const struct seen *seen = &p->x->seen;
    for (int64_t j = begin; j < end; j++) {
        double *to = p->to + j * p->count;
        dcpn_fill(p->count, 0.0, to);
        for (int64_t k = seen->column_start[j]; k < seen->column_start[j + 1]; k++)
            dcpn_axpy(p->count, p->x->residual[seen->entry_of[k]], p->from + seen->row_of[k] * p->count, to);
    }
}

void dcpn_low_rank_apply(struct low_rank *x, int64_t count, const double *M, double *out)
{
    struct product p = {x, count, x->space.right_rows, x->space.left_rows};
    dcpn_block_by_rows(x->seen.columns, count, M, x->space.right_rows);
    dcpn_parallel_ranges(x->context, x->seen.rows, apply_rows, &p);
    dcpn_block_by_vectors(x->seen.rows, count, x->space.left_rows, out);
}

void dcpn_low_rank_adjoint(struct low_rank *x, int64_t count, const double *M, double *out)
{
    struct product p = {x, count, x->space.left_rows, x->space.right_rows};
    dcpn_block_by_rows(x->seen.rows, count, M, x->space.left_rows);
    dcpn_parallel_ranges(x->context, x->seen.columns, adjoint_columns, &p);
    dcpn_block_by_vectors(x->seen.columns, count, x->space.right_rows, out);
}
