/* SPDX-License-Identifier: BSD-3-Clause */
/* Newton's step for both factors at once. With A = U sigma^1/2, B = V sigma^1/2, E as it is and w_k = p'(sigma_k),
 *     G(A, B) = sum over entries seen of (y_ij - E_ij - a_i'b_j)^2 / 2 + sum_k w_k (|A_k|^2 + |B_k|^2) / 2
 * has the slope of F there, and is F for l1. Its Hessian times (C, D), with q_ij = c_i'b_j + a_i'd_j at the entries
 * seen, is
 *     (q B - R D + C diag(w),  q'A - R'C + D diag(w)),
 * two readings of the entries; conjugate gradients need some ten of them, scaled by what the diagonal is if entries are
 * spread evenly: B'B = A'A = diag(sigma). A step is taken if F falls, else a shorter one is tried. */
#include <math.h>

#include "base/context.h"
#include "base/interrupt.h"
#include "base/threads.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "penalty/scalar.h"
#include "structured/low_rank.h"

struct newton {
    struct low_rank *x;
    int64_t r, left, numbers; /* of the left factor, and of both */
    double *at;               /* A, then B, by rows */
    double *slope, *direction, *product, *step, *scaled;
    const double *from;
    double *to;
};

/* Two vectors at once: to += s a + t b. */
static void add_two(int64_t r, double s, const double *restrict a, double t, const double *restrict b,
                    double *restrict to)
{
    for (int64_t k = 0; k < r; k++) to[k] = (to[k] + s * a[k]) + t * b[k];
}

static void multiply_rows(void *user, int64_t begin, int64_t end)
{
    const struct newton *w = user;
    const struct seen *seen = &w->x->seen;
    int64_t r = w->r;
    const double *A = w->at, *B = w->at + w->left, *C = w->from, *D = w->from + w->left;
    for (int64_t i = begin; i < end; i++) {
        double *to = w->to + i * r;
        for (int64_t k = 0; k < r; k++) to[k] = w->x->space.weight[k] * C[i * r + k];
        for (int64_t e = seen->row_start[i]; e < seen->row_start[i + 1]; e++) {
            int64_t j = seen->column_of[e];
            double q = dcpn_dot(r, C + i * r, B + j * r) + dcpn_dot(r, A + i * r, D + j * r);
            w->x->space.seen_product[e] = q;
            add_two(r, q, B + j * r, -w->x->residual[e], D + j * r, to);
        }
    }
}

static void multiply_columns(void *user, int64_t begin, int64_t end)
{
    const struct newton *w = user;
    const struct seen *seen = &w->x->seen;
    int64_t r = w->r;
    const double *A = w->at, *C = w->from, *D = w->from + w->left;
    for (int64_t j = begin; j < end; j++) {
        double *to = w->to + w->left + j * r;
        for (int64_t k = 0; k < r; k++) to[k] = w->x->space.weight[k] * D[j * r + k];
        for (int64_t l = seen->column_start[j]; l < seen->column_start[j + 1]; l++) {
            int64_t e = seen->entry_of[l], i = seen->row_of[l];
            add_two(r, w->x->space.seen_product[e], A + i * r, -w->x->residual[e], C + i * r, to);
        }
    }
}

static void multiply(struct newton *w, const double *from, double *to)
{
    w->from = from;
    w->to = to;
    dcpn_parallel_ranges(w->x->context, w->x->seen.rows, multiply_rows, w);
    dcpn_parallel_ranges(w->x->context, w->x->seen.columns, multiply_columns, w);
}

/* -grad G = (R B - A diag(w), R'A - B diag(w)). */
static void slope_rows(void *user, int64_t begin, int64_t end)
{
    const struct newton *w = user;
    const struct seen *seen = &w->x->seen;
    int64_t r = w->r;
    for (int64_t i = begin; i < end; i++) {
        double *to = w->slope + i * r;
        for (int64_t k = 0; k < r; k++) to[k] = -w->x->space.weight[k] * w->at[i * r + k];
        for (int64_t e = seen->row_start[i]; e < seen->row_start[i + 1]; e++)
            dcpn_axpy(r, w->x->residual[e], w->at + w->left + seen->column_of[e] * r, to);
    }
}

static void slope_columns(void *user, int64_t begin, int64_t end)
{
    const struct newton *w = user;
    const struct seen *seen = &w->x->seen;
    int64_t r = w->r;
    for (int64_t j = begin; j < end; j++) {
        double *to = w->slope + w->left + j * r;
        for (int64_t k = 0; k < r; k++) to[k] = -w->x->space.weight[k] * w->at[w->left + j * r + k];
        for (int64_t l = seen->column_start[j]; l < seen->column_start[j + 1]; l++)
            dcpn_axpy(r, w->x->residual[seen->entry_of[l]], w->at + seen->row_of[l] * r, to);
    }
}

static void begin(struct newton *w)
{
    struct low_rank *x = w->x;
    int64_t m = x->seen.rows, n = x->seen.columns, r = w->r;
    dcpn_block_by_rows(m, r, x->U, w->at);
    dcpn_block_by_rows(n, r, x->V, w->at + w->left);
    for (int64_t k = 0; k < r; k++) x->space.weight[k] = dcpn_p_slope(&x->penalty, 0, x->sigma[k], DCPN_RIGHT);
    for (int64_t i = 0; i < m + n; i++)
        for (int64_t k = 0; k < r; k++) w->at[i * r + k] *= sqrt(x->sigma[k]);
    dcpn_parallel_ranges(x->context, m, slope_rows, w);
    dcpn_parallel_ranges(x->context, n, slope_columns, w);
}

static void scale(const struct newton *w, const double *from, double *to)
{
    const struct low_rank *x = w->x;
    const struct seen *seen = &x->seen;
    int64_t m = seen->rows, n = seen->columns, r = w->r;
    for (int64_t i = 0; i < m + n; i++) {
        double share = i < m ? (double)(seen->row_start[i + 1] - seen->row_start[i]) / (double)n
                             : (double)(seen->column_start[i - m + 1] - seen->column_start[i - m]) / (double)m;
        for (int64_t k = 0; k < r; k++)
            to[i * r + k] = from[i * r + k] / (share * x->sigma[k] + x->space.weight[k] + 1e-300);
    }
}

/* The step, from 0, by conjugate gradients; slope becomes what is left of it. */
static void solve(struct newton *w)
{
    int64_t numbers = w->numbers;
    dcpn_fill(numbers, 0.0, w->step);
    scale(w, w->slope, w->direction);
    double size = dcpn_dot(numbers, w->slope, w->direction), first = size;
    for (int64_t made = 0; made < LOW_RANK_PRODUCTS && size > LOW_RANK_INNER * first; made++) {
        if (dcpn_is_interrupted(w->x->context)) return;
        multiply(w, w->direction, w->product);
        double curvature = dcpn_dot(numbers, w->direction, w->product);
        if (!(curvature > 0.0)) {
            if (made == 0) dcpn_copy(numbers, w->direction, w->step);
            return;
        }
        dcpn_axpy(numbers, size / curvature, w->direction, w->step);
        dcpn_axpy(numbers, -size / curvature, w->product, w->slope);
        scale(w, w->slope, w->scaled);
        double next = dcpn_dot(numbers, w->slope, w->scaled), share = next / size;
        for (int64_t k = 0; k < numbers; k++) w->direction[k] = w->scaled[k] + share * w->direction[k];
        size = next;
    }
}

/* X from A + t step. */
static void go(struct newton *w, double t)
{
    struct low_rank *x = w->x;
    int64_t m = x->seen.rows, n = x->seen.columns, r = w->r;
    for (int64_t k = 0; k < r; k++) {
        for (int64_t i = 0; i < m; i++) x->space.left[k * m + i] = w->at[i * r + k] + t * w->step[i * r + k];
        for (int64_t j = 0; j < n; j++)
            x->space.right[k * n + j] = w->at[w->left + j * r + k] + t * w->step[w->left + j * r + k];
    }
    dcpn_low_rank_take_product(x, r, x->space.left, x->space.right);
    dcpn_low_rank_look(x);
}

static dcpn_status allocate(struct newton *w)
{
    w->at = dcpn_allocate(w->x->context, 6 * (size_t)w->numbers, sizeof *w->at);
    if (!w->at) return DCPN_MEMORY;
    double **parts[] = {&w->slope, &w->direction, &w->product, &w->step, &w->scaled};
    for (int k = 0; k < 5; k++) *parts[k] = w->at + (k + 1) * w->numbers;
    return DCPN_OK;
}

dcpn_status dcpn_low_rank_newton(struct low_rank *x, double *F)
{
    int64_t r = x->rank, rank;
    struct newton w = {.x = x, .r = r, .left = x->seen.rows * r, .numbers = (x->seen.rows + x->seen.columns) * r};
    if (r == 0) return DCPN_OK;
    DCPN_TRY(allocate(&w));
    dcpn_low_rank_keep(x, &rank);
    begin(&w);
    solve(&w);
    double t = 1.0;
    for (int halved = 0; halved < LOW_RANK_HALVES; halved++, t *= 0.5) {
        go(&w, t);
        double tried = dcpn_low_rank_value(x);
        if (tried <= *F) {
            *F = tried;
            break;
        }
        dcpn_low_rank_go_back(x, rank);
    }
    dcpn_free(x->context, w.at);
    return DCPN_OK;
}
