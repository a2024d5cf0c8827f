/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DCPN_SRC_PROBLEM_H
#define DCPN_SRC_PROBLEM_H

#include "dcpn/problem.h"
#include "dcpn/solver.h"

/* With the loss cox: rows are observed from `start` on, and compared within a stratum. NULL: from 0 on, in one
 * stratum. */
struct given_survival {
    const double *start, *strata;
};

/* Groups of features, in the form of dcpn_problem_set_groups. */
struct given_groups {
    int64_t count; /* 0: there are no groups */
    const int64_t *start, *member;
    const double *weight; /* NULL: the standard ones */
};

/* Several responses a row: row i has the numbers Y[i], Y[rows + i], ... */
struct given_responses {
    int64_t count;   /* 0: there is one, y */
    const double *Y; /* the first of them is y */
};

/* All classes there are, ascending, where some of many may have no row here; NULL: those that have rows. */
struct given_classes {
    const double *numbers;
    int64_t count;
};

struct given_users {
    void *loss, *penalty;
};

struct dcpn_problem {
    dcpn_context *context;
    const dcpn_matrix *A; /* NULL: f is the caller's own */
    const double *y;      /* NaN: a row without a label */
    int64_t unlabelled;   /* how many labels are NaN */
    int zero_is_no_label; /* the others are -1, 0 and +1, all three: to a loss of two classes 0 is no label either */
    const dcpn_smooth *f;
    const double *lower, *upper;              /* bounds of the coefficients; NULL: none */
    const double *weights, *offset, *factors; /* NULL: none */
    int64_t offset_columns; /* of each row: 1, or one for each score; all rows of the first column come first */
    struct given_survival survival;
    struct given_groups groups;
    struct given_responses responses;
    struct given_classes classes;
    const dcpn_loss_ops *loss;       /* NULL: the one that the settings name */
    const dcpn_penalty_ops *penalty; /* likewise */
    struct given_users users;        /* what these two are told */
    const dcpn_regularizer *h; /* NULL: a separable penalty */
};

int64_t dcpn_problem_rows(const dcpn_problem *problem);
/* The number of rows as limits on it count them: a row of weight 2 counts as two rows. It is the sum of the weights,
 * but at least the number of rows that have one, since weights below 1 repeat nothing. */
double dcpn_problem_counted_rows(const dcpn_problem *problem);
/* The number of entries of A if it had so many rows, all with as many entries as now. */
double dcpn_problem_counted_entries(const dcpn_problem *problem);
/* Has any row an offset other than 0? */
int dcpn_problem_has_offset(const dcpn_problem *problem);
int64_t dcpn_problem_features(const dcpn_problem *problem);
/* The problem as the loss of the settings, or its own, sees it: to one that is not of two classes a 0 is a number. */
dcpn_problem dcpn_problem_seen_by(const dcpn_problem *problem, const dcpn_settings *settings);

#endif
