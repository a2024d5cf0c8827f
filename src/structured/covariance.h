/* SPDX-License-Identifier: BSD-3-Clause */
/* The covariance matrix that a graph is made from, or the correlations. */
#ifndef DCPN_SRC_COVARIANCE_H
#define DCPN_SRC_COVARIANCE_H

#include "dcpn/graph.h"

struct covariance {
    int64_t variables;
    double *S;     /* variables x variables */
    double *mean;  /* of the rows; 0 of a matrix that was given */
    double *scale; /* x_i / scale_i is what S belongs to: deviations, or 1 */
    double rows;   /* the sum of their weights; 0: not known */
    double mean_variance;
};

/* Makes the covariance, or the correlations, of a source. weights take the place of those of the source, which count
 * if weights is NULL. */
dcpn_status dcpn_covariance_new(dcpn_context *context, const dcpn_graph_source *source, const double *weights,
                                int standardize, struct covariance *covariance);
void dcpn_covariance_free(dcpn_context *context, struct covariance *covariance);
/* Is S singular in floating point? */
dcpn_status dcpn_covariance_is_singular(dcpn_context *context, const struct covariance *covariance, int *is_singular);

#endif
