/* SPDX-License-Identifier: BSD-3-Clause */
/* What is minimised: F = f + h. A problem borrows everything that it is given: the caller keeps it alive and
 * unchanged until the problem and all solvers made from it are freed. */
#ifndef DCPN_PROBLEM_H
#define DCPN_PROBLEM_H

#include "data.h"
#include "extend.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dcpn_problem dcpn_problem;

/* f(x) = sum_i w_i loss(offset_i + a_i'x; y_i). y has one entry per row: any two distinct values for a classification
 * loss (the smaller one is the negative class), any finite numbers for a regression loss. With a classification loss
 * NaN marks a row without a label; so does 0 if all labels are -1, 0 or +1, and all three occur. Such a row has the
 * loss and the weight that the settings unlabelled_loss and unlabelled_weight name. */
DCPN_API dcpn_status dcpn_problem_new(dcpn_context *context, const dcpn_matrix *A, const double *y,
                                      dcpn_problem **problem);

/* Is every label -1, 0 or +1, and does each of the three occur? A classification loss then takes 0 for a missing
 * label. */
DCPN_API int dcpn_zero_is_no_label(const double *y, int64_t rows);

/* The generic use of the paper: f = f1 - f2 is the caller's own. */
DCPN_API dcpn_status dcpn_problem_new_smooth(dcpn_context *context, const dcpn_smooth *f, dcpn_problem **problem);
DCPN_API void dcpn_problem_free(dcpn_problem *problem);

/* Everything below is optional, and does not reach a solver that has been made already. weights: one per row, at
 * least 0 and not all 0. offset: one per row, added to its score. factors: one per feature, at least 0; the penalty
 * of feature j has the weight factors[j] * lambda. */
DCPN_API dcpn_status dcpn_problem_set_weights(dcpn_problem *problem, const double *weights);
DCPN_API dcpn_status dcpn_problem_set_offset(dcpn_problem *problem, const double *offset);
/* One offset for each class or response: those of the first one, of all rows, come first, then those of the second. An
 * offset that all classes share would change nothing, and is refused; several responses may share one. */
DCPN_API dcpn_status dcpn_problem_set_offsets(dcpn_problem *problem, int64_t count, const double *offsets);
DCPN_API dcpn_status dcpn_problem_set_penalty_factors(dcpn_problem *problem, const double *factors);

/* With the loss cox, y holds times: y_i > 0 says that the event of row i happened at y_i, and y_i < 0 (or -0) that
 * the row was censored at -y_i. start: the time from which on the row was observed, earlier than that of y. strata:
 * rows with different numbers are never compared. Each may be NULL. */
DCPN_API dcpn_status dcpn_problem_set_survival(dcpn_problem *problem, const double *start, const double *strata);

/* Several responses a row, with the same features: Y has the first response of all rows, then the second, and so on,
 * and takes the place of y. The model has a score, and coefficients, for each; f is the sum of the losses of all. The
 * setting class_grouping says whether a feature enters for one response or for all. It needs a loss of numbers. count
 * 0 or 1 goes back to y alone. */
DCPN_API dcpn_status dcpn_problem_set_responses(dcpn_problem *problem, int64_t count, const double *Y);

/* Multiplies the weight of each row by the weight of its class. of_class has one number for each class, by ascending
 * label, so that with two classes the first is that of the negative one. of_class NULL balances the classes: all of
 * them then have the same total weight, and the total of all rows is what it was. Rows without a label keep their
 * weight. Hand the result to dcpn_problem_set_weights. */
DCPN_API dcpn_status dcpn_class_weights(dcpn_context *context, const double *y, int64_t rows, const double *of_class,
                                        int64_t count, double *weights);

/* Bounds lower_j <= x_j <= upper_j for each feature, where lower_j <= 0 <= upper_j. An infinity leaves one side
 * free, NULL leaves that side of all features free. The bounds are part of h1; the intercept has none. */
DCPN_API dcpn_status dcpn_problem_set_bounds(dcpn_problem *problem, const double *lower, const double *upper);

/* Groups of features. Group g has the features member[start[g]] .. member[start[g + 1] - 1], numbered from 0, in any
 * order, and its penalty has the weight weights[g] * lambda. Where weights is NULL, or weights[g] is NaN, the weight
 * is the square root of the size of the group if its penalty is one of the norm, else 1. A feature in no group is a
 * group by itself. The setting `grouping` says which penalty a group has. count 0 means that there are no groups.
 * Features that share a norm must have the same penalty factor. */
DCPN_API dcpn_status dcpn_problem_set_groups(dcpn_problem *problem, int64_t count, const int64_t *start,
                                             const int64_t *member, const double *weights);

/* Your own loss or penalty (see extend.h) in place of the one that the settings name; NULL goes back to that one. */
DCPN_API dcpn_status dcpn_problem_set_loss(dcpn_problem *problem, const dcpn_loss_ops *loss, void *user);
DCPN_API dcpn_status dcpn_problem_set_penalty(dcpn_problem *problem, const dcpn_penalty_ops *penalty, void *user);
DCPN_API dcpn_status dcpn_problem_set_regularizer(dcpn_problem *problem, const dcpn_regularizer *h);

#ifdef __cplusplus
}
#endif
#endif
