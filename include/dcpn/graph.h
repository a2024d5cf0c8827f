/* SPDX-License-Identifier: BSD-3-Clause */
/* Gaussian graphical models: which variables depend on one another when all others are known. */
#ifndef DCPN_GRAPH_H
#define DCPN_GRAPH_H

#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The precision matrix K, the inverse of the covariance matrix, is where
 *     F(K) = -log det K + tr(S K) + ridge/2 |K|^2 + sum_{i != j} p(|K_ij|)   is small,   K positive definite,
 * S the covariance of the data, with --standardize their correlation. K_ij = 0 says that i and j are independent given
 * the others: each other pair is an edge of the graph. p is the penalty of the settings, with their lambda, shape,
 * ridge, tolerance and limits; their other choices mean nothing here. */

/* What a graph is made from: rows of variables, or a covariance matrix. Borrowed for the call. */
typedef struct dcpn_graph_source {
    const dcpn_matrix *X;     /* rows of variables; NULL: covariance */
    const double *weights;    /* of the rows; NULL: 1 */
    const double *covariance; /* variables x variables */
    int64_t variables;        /* of a covariance */
    double rows;              /* that it was made from; 0: not known, and there are no criteria */
    int64_t reserved[8]; /* 0: room for members of later versions */
} dcpn_graph_source;

/* How a lambda of several is chosen. */
typedef enum dcpn_graph_rule {
    DCPN_GRAPH_EBIC, /* the least -2 log likelihood + edges (log rows + 4 gamma log variables) */
    DCPN_GRAPH_CV    /* the least -log det K + tr(S K) of rows that were held out; needs rows */
} dcpn_graph_rule;

/* Zeros stand for the defaults. */
typedef struct dcpn_graph_options {
    const double *factors; /* of lambda, variables x variables, symmetric, at least 0; NULL: 1 */
    int penalize_diagonal; /* p(K_ii) as well */
    const double *lambdas; /* descending; NULL: that of the settings, or a grid */
    int64_t lambda_count;  /* of the grid, even in the logarithm, from the least lambda without an edge down; 0: none */
    double min_ratio;      /* least lambda / largest one; 0: 0.05 */
    dcpn_graph_rule rule;
    double gamma;       /* of EBIC, 0 to 1; negative: 0, like BIC; 0: 0.5 */
    int64_t folds;      /* of cross-validation; 0: 10 */
    uint64_t seed;      /* of folds and subsamples */
    int64_t subsamples; /* halves of the rows, on which the chosen lambda is fitted again; 0: none */
    int (*observer)(void *user, double lambda, int64_t iteration, double objective, double violation); /* not 0: end */
    void *user;
    int64_t reserved[8]; /* 0: room for members of later versions */
} dcpn_graph_options;

/* Graphs at one lambda or several, in the order of falling lambda. */
typedef struct dcpn_graphs dcpn_graphs;

DCPN_API dcpn_status dcpn_graphs_fit(dcpn_context *context, const dcpn_graph_source *source,
                                     const dcpn_settings *settings, const dcpn_graph_options *options,
                                     dcpn_graphs **graphs);
DCPN_API void dcpn_graphs_free(dcpn_graphs *graphs);

DCPN_API int64_t dcpn_graphs_count(const dcpn_graphs *graphs);
DCPN_API int64_t dcpn_graphs_variables(const dcpn_graphs *graphs);
/* The point that the rule chose; the only one. */
DCPN_API int64_t dcpn_graphs_chosen(const dcpn_graphs *graphs);
/* "penalty", "rows", "ridge", "standardized", "is_complete", "time_s"; 0: there is no such field. */
DCPN_API int dcpn_graphs_get(const dcpn_graphs *graphs, const char *field, dcpn_value *value);
/* The fields of a point: "lambda", "objective", "likelihood" (-log det K + tr(S K) + ridge/2 |K|^2), "penalty_value",
 * "violation" and "goal" (the largest distance of an entry from stationary, and what it had to fall to), "edges",
 * "components", "iterations", "outcome", "ebic", "cv_mean", "cv_se". 0: there is no such point or field. */
DCPN_API int dcpn_graphs_get_of_point(const dcpn_graphs *graphs, int64_t point, const char *field, dcpn_value *value);
/* Edge e joins first[e] < second[e], from 0, and value[e] is K there, in the units of the data; each array has room for
 * "edges" numbers, or is NULL. */
DCPN_API dcpn_status dcpn_graphs_edges(const dcpn_graphs *graphs, int64_t point, int64_t *first, int64_t *second,
                                       double *value);
/* K_ii, in the units of the data: one number for each variable. The partial correlation is -K_ij / sqrt(K_ii K_jj). */
DCPN_API dcpn_status dcpn_graphs_diagonal(const dcpn_graphs *graphs, int64_t point, double *diagonal);
/* How often an edge of the chosen point was there in subsamples, in the order of its edges; DCPN_USAGE without
 * subsamples. */
DCPN_API dcpn_status dcpn_graphs_stability(const dcpn_graphs *graphs, double *frequency);
/* The means of the variables; 0 of a covariance. */
DCPN_API dcpn_status dcpn_graphs_mean(const dcpn_graphs *graphs, double *mean);
/* Names of the variables, which are copied, for files and pictures; and what they are, NULL: they have none. */
DCPN_API dcpn_status dcpn_graphs_set_names(dcpn_graphs *graphs, const char *const *names);
DCPN_API const char *const *dcpn_graphs_names(const dcpn_graphs *graphs);

/* Each NaN among rows x variables numbers, row by row, becomes its conditional expectation given the others of its
 * row. */
DCPN_API dcpn_status dcpn_graphs_fill(const dcpn_graphs *graphs, int64_t point, int64_t rows, double *values);

/* JSON (docs/file-formats.md); "-" is standard output or input. */
DCPN_API dcpn_status dcpn_graphs_write(const dcpn_graphs *graphs, const char *path);
/* Does a file begin as graphs do? 0 for what can be read but once. */
DCPN_API int dcpn_graphs_begin(dcpn_context *context, const char *path);
DCPN_API dcpn_status dcpn_graphs_read(dcpn_context *context, const char *path, dcpn_graphs **graphs);

#ifdef __cplusplus
}
#endif
#endif
