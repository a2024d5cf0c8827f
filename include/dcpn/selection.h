/* SPDX-License-Identifier: BSD-3-Clause */
/* Model selection on a grid: which lambda, which shape of the penalty, which weight of the rows without a label. */
#ifndef DCPN_SELECTION_H
#define DCPN_SELECTION_H

#include "handles.h"

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
    int64_t reserved[8]; /* 0: room for members of later versions */
} dcpn_grid_options;

/* The candidates, and the settings with what was chosen. */
typedef struct dcpn_grid_selection dcpn_grid_selection;

/* Cross-validates every combination, each with the same folds of the rows with a label; rows without one are in every
 * fit, and rows held out are in none. The best mean is chosen; among equals the one with the larger AUC, then the
 * larger weight, value and lambda. If there are rows without a label and the grid is the default, the settings as given
 * are the first candidate, and are chosen unless another one is better by two standard errors of the difference. */
DCPN_API dcpn_status dcpn_select_on_grid(dcpn_context *context, const dcpn_problem *problem,
                                         const dcpn_settings *settings, const dcpn_grid_options *options,
                                         dcpn_grid_selection **selection);
/* The settings given, with what was chosen; their texts are those given. */
DCPN_API const dcpn_settings *dcpn_grid_selection_settings(const dcpn_grid_selection *selection);
/* "count" of candidates and the position of the "chosen" one (-1: none), "folds", "measure", "varying" (what the values
 * are of), "has_weights" (there are rows without a label), "is_complete" (0: ended early, and the candidates are those
 * of the weights that were done), "time_s". 0: there is no such field. */
DCPN_API int dcpn_grid_selection_get(const dcpn_grid_selection *selection, const char *field, dcpn_value *value);
/* "lambda", "value" (NaN: there is none, or it is that of the settings given) and "weight" of a candidate, "mean" and
 * "se" of the measure over the folds. 0: there is no such candidate or field. */
DCPN_API int dcpn_grid_selection_get_of(const dcpn_grid_selection *selection, int64_t candidate, const char *field,
                                        dcpn_value *value);
DCPN_API void dcpn_grid_selection_free(dcpn_grid_selection *selection);

#ifdef __cplusplus
}
#endif

#ifdef DCPN_LAYOUTS /* within the project */
#include "layout/selection.h"
#endif
#endif
