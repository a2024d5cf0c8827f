/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn graph: its options, and what one call of it holds. */
#ifndef DCPN_CLI_GRAPH_OPTIONS_H
#define DCPN_CLI_GRAPH_OPTIONS_H

#include "graph_tables.h"
#include "number_list.h"
#include "reading.h"

struct graph_options {
    dcpn_settings settings;
    const char *model, *join;
    struct {
        const char *output, *edges, *graphml, *picture, *report;
    } files; /* that are written */
    struct {
        const char *lambdas, *min_ratio, *rule, *gamma;
        int64_t nlambda, folds, seed, stability;
    } choice; /* of lambda, and of edges */
    const char *weights, *factors;
    int64_t rows, threads;
    int is_covariance, penalize_diagonal, strict, quiet;
    struct reading_options reading;
};

struct graph_work {
    dcpn_dataset *data, *factor_data;
    double *weights, *square, *factors; /* square: the covariance */
    struct number_list lambdas;
    dcpn_graph_options asked;
    dcpn_graphs *graphs;
    struct edge_list edges;
};

#endif
