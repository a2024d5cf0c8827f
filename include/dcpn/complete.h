/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrix completion: a matrix of low rank from some of its entries, and what is rare and large beside it. */
#ifndef DCPN_COMPLETE_H
#define DCPN_COMPLETE_H

#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X is where
 *     F(X, E) = sum over entries seen of ((y_ij - X_ij - E_ij)^2 / 2 + p_E(|E_ij|)) + sum_k p(sigma_k(X))
 * is small, sigma_k its singular values; without sparse_lambda there is no E. p is the penalty of the settings, with
 * their lambda, shape, tolerance and limits; their other choices mean nothing here. */
typedef struct dcpn_entries {
    int64_t rows, columns, count;
    const int64_t *row, *column; /* from 0; no pair twice */
    const double *value;
} dcpn_entries;

/* Zeros stand for the defaults. */
typedef struct dcpn_complete_options {
    int center;                 /* the mean of the entries is taken off first */
    double sparse_lambda;       /* of E; 0: there is none */
    const char *sparse_penalty; /* NULL: l1 */
    const double *lambdas;      /* falling; NULL: that of the settings, or a grid */
    int64_t lambda_count;       /* of the grid, from the least lambda at which X is 0 down; 0: none */
    double min_ratio;           /* least lambda / largest one; 0: 0.05 */
    double held_out;            /* the share of the entries by which one of several lambdas is chosen; 0: 0.1 */
    uint64_t seed;              /* of these */
    int64_t most_rank;          /* a higher rank is refused, for want of memory; 0: 200 */
    int index_base; /* what files call the first row and column, 0 or 1: kept, and written; entries here are from 0 */
    int (*observer)(void *user, double lambda, int64_t iteration, double objective, double violation); /* not 0: end */
    void *user;
    int64_t reserved[8]; /* 0: room for members of later versions */
} dcpn_complete_options;

typedef struct dcpn_completion dcpn_completion;

DCPN_API dcpn_status dcpn_completion_fit(dcpn_context *context, const dcpn_entries *entries,
                                         const dcpn_settings *settings, const dcpn_complete_options *options,
                                         dcpn_completion **completion);
DCPN_API void dcpn_completion_free(dcpn_completion *completion);
/* "rows", "columns", "rank", "index_base", "lambda", "lambda_max", "objective", "loss_value", "penalty_value",
 * "sparse_value", "violation", "goal" (how far F is from stationary: of the singular vectors, of the rest of the
 * spectrum and of E), "offset" (the mean that was taken off), "sparse_count", "held_out_error" (root of the mean
 * square; NaN: not known), "iterations", "outcome", "penalty", "time_s". 0: there is no such field. */
DCPN_API int dcpn_completion_get(const dcpn_completion *completion, const char *field, dcpn_value *value);
/* X = U diag(sigma) V' + offset: rows x rank, rank and columns x rank numbers, by rows; each may be NULL. */
DCPN_API dcpn_status dcpn_completion_factors(const dcpn_completion *completion, double *U, double *sigma, double *V);
/* The entries of E that are not 0, "sparse_count" of them; each may be NULL. */
DCPN_API dcpn_status dcpn_completion_sparse(const dcpn_completion *completion, int64_t *row, int64_t *column,
                                            double *value);
/* X at some places, the offset included. DCPN_DATA beyond the matrix. */
DCPN_API dcpn_status dcpn_completion_values(const dcpn_completion *completion, int64_t count, const int64_t *row,
                                            const int64_t *column, double *value);
/* Root mean square error of entries held out at each lambda that was tried, by falling lambda: arrays with room for
 * dcpn_completion_tried numbers. */
DCPN_API int64_t dcpn_completion_tried(const dcpn_completion *completion);
DCPN_API dcpn_status dcpn_completion_trials(const dcpn_completion *completion, double *lambda, double *error,
                                            int64_t *rank);

/* JSON (docs/file-formats.md); "-" is standard output or input. */
DCPN_API dcpn_status dcpn_completion_write(const dcpn_completion *completion, const char *path);
/* Does a file begin as a completion does? 0 for what can be read but once. */
DCPN_API int dcpn_completion_begin(dcpn_context *context, const char *path);
DCPN_API dcpn_status dcpn_completion_read(dcpn_context *context, const char *path, dcpn_completion **completion);

#ifdef __cplusplus
}
#endif
#endif
