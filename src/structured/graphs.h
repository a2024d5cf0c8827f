/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs as they are kept, and how one is fitted. */
#ifndef DCPN_SRC_GRAPHS_H
#define DCPN_SRC_GRAPHS_H

#include "structured/covariance.h"
#include "structured/graph_penalty.h"
#include "structured/precision.h"

/* Entries are those of the standardised variables, if they are. */
struct graph_point {
    double lambda;
    double likelihood; /* -log det K + tr(S K) */
    double ridge_value, penalty_value;
    double violation, goal;
    double ebic, cv_mean, cv_se; /* NaN: not known */
    int64_t edges, components, iterations;
    dcpn_outcome outcome;
    int64_t *first, *second; /* of the edges, by first, then by second */
    double *value, *diagonal;
};

struct dcpn_graphs {
    dcpn_context *context;
    int64_t variables, count, chosen;
    struct graph_point *points; /* room for all that were asked for */
    double *mean, *scale;
    double *stability;              /* of the edges of the chosen point; NULL: not known */
    char **names;                   /* one block; NULL: none */
    const char *penalty;            /* static */
    double theta, a, gamma, p, eps; /* as they were given */
    double rows, ridge, time_s;
    int is_standardized, is_complete;
};

/* A fit at one lambda after another. Each begins with K of the last one. */
struct graph_fit {
    dcpn_context *context;
    const struct covariance *covariance;
    const dcpn_graph_options *options;
    dcpn_settings settings;
    struct graph_penalty h;
    double *K, *K1;             /* variables x variables: the last end, and that of the l1 penalty it began at */
    int64_t *component, *order; /* of each variable; the variables of one after another */
    double started_at;
};

dcpn_status dcpn_graph_fit_new(dcpn_context *context, const struct covariance *covariance,
                               const dcpn_settings *settings, const dcpn_graph_options *options, struct graph_fit *fit);
void dcpn_graph_fit_free(struct graph_fit *fit);
/* Fits K at a lambda, from the last K. The point gets all that is known of it but the edges. */
dcpn_status dcpn_graph_fit_at(struct graph_fit *fit, double lambda, struct graph_point *point);
/* Copies the edges of fit->K and its diagonal to the point; they are freed with it. */
dcpn_status dcpn_graph_point_take(const struct graph_fit *fit, struct graph_point *point);
void dcpn_graph_point_free(dcpn_context *context, struct graph_point *point);
/* Returns the least lambda without an edge. */
double dcpn_graph_fit_lambda_max(struct graph_fit *fit);

/* graph_components.c: finds which variables are joined by a chain of |S_ij| above the slope that keeps their pair at
 * 0. Returns how many components there are; order lists their variables, one component after another. */
int64_t dcpn_graph_components(const struct covariance *covariance, const struct graph_penalty *h, int64_t *component,
                              int64_t *order);

/* graph_folds.c: the first finds held-out likelihoods, the second how often edges are there in halves of the rows. */
dcpn_status dcpn_graph_cross_validate(const dcpn_graph_source *source, const dcpn_settings *settings,
                                      const dcpn_graph_options *options, dcpn_graphs *graphs);
dcpn_status dcpn_graph_subsample(const dcpn_graph_source *source, const dcpn_settings *settings,
                                 const dcpn_graph_options *options, dcpn_graphs *graphs);
/* graph_path.c: fails with DCPN_USAGE if F has no minimiser. */
dcpn_status dcpn_graph_check_bounded(struct graph_fit *fit, const char *of);

#endif
