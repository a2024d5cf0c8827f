/* SPDX-License-Identifier: BSD-3-Clause */
/* Means and deviations of columns, by sums that do not depend on who adds. The deviation is about the mean as a double,
 * in a second reading, so that it has its digits where the mean is large:
 *     s_j^2 = (sum over the stored entries of w_i (a_ij - m_j)^2 + m_j^2 (total - sum over them of w_i)) / total
 * A column is constant if its least entry is its largest; it then has the value, not a rounded mean. */
#include <math.h>

#include "base/context.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "matrix/dense.h"
#include "matrix/summed.h"

/* The stored entries of a column on this rank, in rows and values. */
static int64_t entries_of(const struct summed *A, int64_t j, int64_t *rows, double *values)
{
    struct dense_view view;
    if (A->is_sparse) return A->inner->ops->column(A->inner, j, rows, values);
    dcpn_dense_view(A->inner, &view);
    for (int64_t i = 0; i < A->base.rows; i++) {
        rows[i] = i;
        values[i] = dcpn_dense_view_entry(&view, i, j);
    }
    return A->base.rows;
}

static int64_t stored(const struct summed *A, int64_t j)
{
    return A->is_sparse ? A->counts[j] : A->all_rows;
}

/* Keys of the negative of the least entry and of the largest one, side by side. */
static void find_ranges(const struct summed *A, int64_t *rows, double *values, int64_t *keys)
{
    int64_t columns = A->inner->columns;
    for (int64_t j = 0; j < columns; j++) {
        int64_t count = entries_of(A, j, rows, values), *key = keys + 2 * j;
        key[0] = key[1] = stored(A, j) < A->all_rows ? 0 : INT64_MIN;
        for (int64_t k = 0; k < count; k++) {
            if (dcpn_order_key(-values[k]) > key[0]) key[0] = dcpn_order_key(-values[k]);
            if (dcpn_order_key(values[k]) > key[1]) key[1] = dcpn_order_key(values[k]);
        }
    }
    dcpn_ranks_max(A->base.context, keys, 2 * columns);
}

/* Two sums for each column: of squares about the mean, and of weights. */
static void add_squares(const struct summed *A, const double *w, int of_w, const double *mean, int64_t *rows,
                        double *values, int64_t *words)
{
    int64_t columns = A->inner->columns;
    for (int64_t j = 0; j < columns; j++) {
        int64_t count = entries_of(A, j, rows, values), terms = stored(A, j);
        struct grid of_squares = dcpn_grid(of_w + 2 * (A->exponents[j] + 1), terms),
                    of_weights = dcpn_grid(of_w, terms);
        words[2 * j] = words[2 * j + 1] = 0;
        for (int64_t k = 0; k < count; k++) {
            double away = values[k] - mean[j], weight = w[rows[k]];
            words[2 * j] = dcpn_add_on_grid(words[2 * j], weight * (away * away), &of_squares);
            words[2 * j + 1] = dcpn_add_on_grid(words[2 * j + 1], weight, &of_weights);
        }
    }
    dcpn_ranks_sum(A->base.context, words, 2 * columns);
}

static int bound_of(const struct summed *A, const double *w)
{
    return dcpn_exponent(dcpn_ranks_largest(A->base.context, dcpn_norm_max(A->base.rows, w)));
}

dcpn_status dcpn_summed_moments(const struct summed *A, const double *w, double total, double *mean, double *deviation)
{
    dcpn_context *context = A->base.context;
    int64_t columns = A->inner->columns, *words = A->words;
    int64_t *rows = dcpn_allocate(context, (size_t)A->base.rows, sizeof *rows);
    int64_t *keys = dcpn_allocate(context, (size_t)columns, 2 * sizeof *keys);
    double *values = dcpn_allocate(context, (size_t)A->base.rows, sizeof *values);
    dcpn_status status = rows && keys && values ? DCPN_OK : DCPN_MEMORY;
    if (status == DCPN_OK) {
        int of_w = bound_of(A, w);
        find_ranges(A, rows, values, keys);
        A->base.ops->adjoint(&A->base, w, A->numbers);
        for (int64_t j = 0; j < columns; j++) {
            int is_constant = keys[2 * j] == dcpn_order_key(-dcpn_of_order_key(keys[2 * j + 1]));
            mean[j] = is_constant ? dcpn_of_order_key(keys[2 * j + 1]) : A->numbers[j] / total;
            deviation[j] = is_constant ? 0.0 : 1.0;
        }
        add_squares(A, w, of_w, mean, rows, values, words);
        for (int64_t j = 0; j < columns; j++) {
            struct grid of_squares = dcpn_grid(of_w + 2 * (A->exponents[j] + 1), stored(A, j)),
                        of_weights = dcpn_grid(of_w, stored(A, j));
            double rest = fmax(total - dcpn_off_grid(&of_weights, words[2 * j + 1]), 0.0);
            double variance = (dcpn_off_grid(&of_squares, words[2 * j]) + mean[j] * mean[j] * rest) / total;
            int varies = variance > SCALE_NOTHING * (variance + mean[j] * mean[j]);
            deviation[j] = deviation[j] > 0.0 && varies ? sqrt(variance) : 0.0;
        }
    }
    dcpn_free(context, rows);
    dcpn_free(context, keys);
    dcpn_free(context, values);
    return status;
}
