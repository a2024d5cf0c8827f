/* SPDX-License-Identifier: BSD-3-Clause */
/* The structs behind the handles of neighbours.h, which only the project itself sees: they may grow in any version. */
#ifndef DCPN_LAYOUT_NEIGHBOURS_H
#define DCPN_LAYOUT_NEIGHBOURS_H

#include "../neighbours.h"

/* The fit of one variable to all others. */
typedef struct dcpn_neighbour_fit {
    const char *loss; /* logistic: the greater one of its values against the other; or squared */
    double lambda, ebic;
    double intercept;
    double low, high, mean; /* of the variable, in the rows of the fit */
    dcpn_result fit; /* with its objective and certificate */
    int64_t first;   /* its coefficients are index[first ...], value[first ...], fit.nonzeros of them */
} dcpn_neighbour_fit;

typedef struct dcpn_neighbour_edge {
    int64_t first, second;      /* first < second */
    double of_first, of_second; /* the coefficient of the other one in the fit of either; 0: it is not there */
    /* The root of their product, with their sign: of two Gaussian variables the partial correlation, of two that are 0
     * or 1 the logarithm of their odds ratio given the others. Their mean where one is 0, or their signs differ. */
    double weight;
} dcpn_neighbour_edge;

struct dcpn_neighbours {
    dcpn_context *context;
    int64_t variables;
    char **names; /* NULL: none */
    const char *penalty; /* static */
    dcpn_neighbour_rule rule;
    dcpn_neighbour_fit *fits; /* one for each variable */
    int64_t *index;           /* of variables, ascending within a fit */
    double *value;            /* on the scale of the data */
    int64_t edge_count;
    dcpn_neighbour_edge *edges; /* by first, then by second */
    double time_s;
};

#endif
