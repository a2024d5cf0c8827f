/* SPDX-License-Identifier: BSD-3-Clause */
/* The penalty of the entries of a symmetric matrix, sum_{i != j} p(|K_ij|; factor_ij lambda): one for all of them, or
 * one each. */
#ifndef DCPN_SRC_GRAPH_PENALTY_H
#define DCPN_SRC_GRAPH_PENALTY_H

#include "dcpn/graph.h"
#include "penalty/penalty.h"

struct graph_penalty {
    struct penalty penalty; /* of two terms, of an entry beside the diagonal and of one on it; or of each entry */
    int64_t variables;
    int is_uniform;
    double *factors;
    double start_slope; /* of the l1 penalty that a descent with a penalty that is not convex starts from */
    struct arena arena;
};

/* Makes the penalty for `variables` variables whose variances have the mean `scale`; shapes are in units of that. */
dcpn_status dcpn_graph_penalty_new(dcpn_context *context, int64_t variables, double scale,
                                   const dcpn_settings *settings, const dcpn_graph_options *options,
                                   struct graph_penalty *h);
void dcpn_graph_penalty_free(dcpn_context *context, struct graph_penalty *h);
/* Sets the penalty to the lambda and the shape of the settings. */
void dcpn_graph_penalty_at(struct graph_penalty *h, double scale, const dcpn_settings *settings);
/* The first puts l1 in the place of the penalty and returns the penalty's own functions; the second puts these back. */
const dcpn_penalty_ops *dcpn_graph_penalty_begin_l1(struct graph_penalty *h);
void dcpn_graph_penalty_end_l1(struct graph_penalty *h, const dcpn_penalty_ops *chosen, double lambda);
/* Is p bounded? */
int dcpn_graph_penalty_is_bounded(const struct graph_penalty *h);

/* Returns the number of the term of entry (i, j). */
static inline int64_t dcpn_term_of_pair(const struct graph_penalty *h, int64_t i, int64_t j)
{
    return h->is_uniform ? i == j : i * h->variables + j;
}

#endif
