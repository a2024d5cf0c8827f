/* SPDX-License-Identifier: BSD-3-Clause */
/* Model selection on a grid: which lambda, which shape of the penalty, which weight of the rows without a label. */
#ifndef DCPN_SELECTION_H
#define DCPN_SELECTION_H

#include "cv.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A member that is 0 stands for its default; the default grid is that of the paper's transductive experiments. */
typedef struct dcpn_grid_options {
    const double *lambdas; /* NULL: 0.2, 2 */
    int64_t lambda_count;
    /* of theta, a or gamma, whichever the penalty has; NULL: 0.2, 2 for theta, else the setting */
    const double *values;
    int64_t value_count;
    const double *weights; /* of rows without a label; NULL: 0.001, 0.005, 0.01, 1 */
    int64_t weight_count;
    int64_t folds; /* 0: 5, or as many as there are labelled rows of the smaller class */
    uint64_t seed;
    const char *measure; /* NULL: "error" for classes, "deviance" for numbers */
    dcpn_path_observer *observer;
    void *user;
} dcpn_grid_options;

typedef struct dcpn_grid_candidate {
    double lambda, value, weight; /* value NaN: there is none, or it is that of the settings given */
    double mean, se;              /* of the measure, over the folds */
} dcpn_grid_candidate;

typedef struct dcpn_grid_selection {
    dcpn_context *context;
    dcpn_settings settings; /* those given, with what was chosen; texts borrowed from those given */
    const char *varying;    /* what the values are of; NULL: the penalty has no such parameter */
    int has_weights;        /* there are rows without a label */
    const char *measure;
    int64_t folds;
    int64_t count, chosen; /* candidates; the position of the chosen one, -1: none */
    dcpn_grid_candidate *candidates;
    double time_s;
    int is_complete; /* 0: ended early, and the candidates are those of the weights that were done */
} dcpn_grid_selection;

/* Cross-validates every combination, each with the same folds of the rows with a label; rows without one are in every
 * fit, and rows held out are in none. The best mean is chosen; among equals the one with the larger AUC, then the
 * larger weight, value and lambda. If there are rows without a label and the grid is the default, the settings as given
 * are the first candidate, and are chosen unless another one is better by two standard errors of the difference. */
DCPN_API dcpn_status dcpn_select_on_grid(dcpn_context *context, const dcpn_problem *problem,
                                         const dcpn_settings *settings, const dcpn_grid_options *options,
                                         dcpn_grid_selection **selection);
DCPN_API void dcpn_grid_selection_free(dcpn_grid_selection *selection);

#ifdef __cplusplus
}
#endif
#endif
