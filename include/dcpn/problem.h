/* SPDX-License-Identifier: BSD-3-Clause */
/* What is minimised: F = f + h. A problem only borrows: what is given to it must outlive it and every solver made of it. */
#ifndef DCPN_PROBLEM_H
#define DCPN_PROBLEM_H

#include "data.h"
#include "extend.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dcpn_problem dcpn_problem;

/* f(x) = sum_i w_i loss(offset_i + a_i'x; y_i). y has one entry per row: any two distinct values for a classification
 * loss (the smaller one is the negative class), any finite numbers for a regression loss. With a classification loss NaN
 * marks a row without a label; so does 0 if all labels are -1, 0 or +1, and all three occur. Such a row has the loss
 * and the weight that the settings unlabelled_loss and unlabelled_weight name. */
DCPN_API dcpn_status dcpn_problem_new(dcpn_context *context, const dcpn_matrix *A, const double *y,
                                      dcpn_problem **problem);

/* Are all labels that there are -1, 0 or +1, and do all three occur? To a classification loss 0 is then no label. */
DCPN_API int dcpn_zero_is_no_label(const double *y, int64_t rows);

/* The generic use of the paper: f = f1 - f2 is the caller's own. */
DCPN_API dcpn_status dcpn_problem_new_smooth(dcpn_context *context, const dcpn_smooth *f, dcpn_problem **problem);
DCPN_API void dcpn_problem_free(dcpn_problem *problem);

/* All of what follows is optional, and means nothing to a solver that was made before. weights >= 0, not all 0, one per
 * row; offset one per row; factors >= 0, one per feature: the weight of feature j's penalty is factors[j] * lambda. */
DCPN_API dcpn_status dcpn_problem_set_weights(dcpn_problem *problem, const double *weights);
DCPN_API dcpn_status dcpn_problem_set_offset(dcpn_problem *problem, const double *offset);
DCPN_API dcpn_status dcpn_problem_set_penalty_factors(dcpn_problem *problem, const double *factors);

/* With the loss cox y has the time of each row, at which its event happened, or below 0 (-0, too), at which it was censored
 * then. start: from when on the row was under observation, before its time; strata: rows of different numbers are never
 * compared. Each may be NULL. */
DCPN_API dcpn_status dcpn_problem_set_survival(dcpn_problem *problem, const double *start, const double *strata);

/* Multiplies the weight of each row by that of its class: of_class has one for each, by ascending label, so that of two the
 * first is that of the negative class. of_class NULL balances: all classes then weigh the same, and all rows together as
 * much as before. Rows without a label keep their weight. The weights are then for dcpn_problem_set_weights. */
DCPN_API dcpn_status dcpn_class_weights(dcpn_context *context, const double *y, int64_t rows, const double *of_class,
                                        int64_t count, double *weights);

/* lower_j <= x_j <= upper_j for each feature, with lower_j <= 0 <= upper_j; infinities leave a side free, NULL leaves all
 * of them free. The bounds are part of h1; the intercept has none. */
DCPN_API dcpn_status dcpn_problem_set_bounds(dcpn_problem *problem, const double *lower, const double *upper);

/* Groups of features: group g has the features member[start[g]] .. member[start[g + 1] - 1], numbered from 0, in any
 * order, and its penalty the weight weights[g] * lambda. The standard weight, with weights NULL or NaN for a group, is
 * the root of its size where the penalty is one of the norm, else 1. A feature in no group is one by itself. What the penalty of a group is the setting grouping says;
 * count 0: there are no groups. The penalty factors of a group with a norm have to be the same. */
DCPN_API dcpn_status dcpn_problem_set_groups(dcpn_problem *problem, int64_t count, const int64_t *start,
                                             const int64_t *member, const double *weights);

/* Instead of the loss or the penalty that the settings name (see extend.h); NULL: that one again. */
DCPN_API dcpn_status dcpn_problem_set_loss(dcpn_problem *problem, const dcpn_loss_ops *loss, void *user);
DCPN_API dcpn_status dcpn_problem_set_penalty(dcpn_problem *problem, const dcpn_penalty_ops *penalty, void *user);
DCPN_API dcpn_status dcpn_problem_set_regularizer(dcpn_problem *problem, const dcpn_regularizer *h);

#ifdef __cplusplus
}
#endif
#endif
