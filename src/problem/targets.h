/* SPDX-License-Identifier: BSD-3-Clause */
/* Labels and weights as the loss wants them. */
#ifndef DCPN_SRC_TARGETS_H
#define DCPN_SRC_TARGETS_H

#include "loss/survival.h"
#include "problem/ordered.h"
#include "problem/parts.h"

struct targets {
    dcpn_context *context;
    int64_t rows; /* that of --balance included; of ordered classes those of boundaries and gaps */
    double *y,
        *w; /* -1 and +1 for two classes of any two values, 0 for none; weights that sum to 1 under --scale mean */
    int64_t *runs; /* where rows with and without a label begin, in turns; NULL: all have one */
    int64_t run_count;
    double *mean_row, *offset; /* with --balance: the mean of the rows without a label; and offsets; NULL: none, or
                                * those of the problem */
    double weight;             /* of all rows together, as F counts them; what the scale mean divides by */
    double middle;             /* taken out of y; the intercept is that of x and this */
    int64_t scores; /* of a row: 1, or one for each of many classes or responses; then y and w have as many parts */
    int64_t class_count; /* 0: labels are numbers; with one score 2, the negative and the positive class */
    int are_responses;   /* `classes` are the numbers of responses, from 1 */
    struct ordered_rows ordered;
    struct survival *survival; /* of times to events; NULL: none */
    double *classes;           /* ascending; NULL: there are none, or this is a copy */
};

/* The unpenalised constants, if there are any: one for each score, or each boundary of ordered classes. */
static inline int64_t dcpn_targets_constants(const struct targets *targets)
{
    return targets->ordered.count ? targets->ordered.count : targets->scores;
}

/* A is the matrix of the problem as the solver has it. */
dcpn_status dcpn_targets_new(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                             const struct parts *parts, const dcpn_matrix *A, struct targets *targets);
/* Copies targets, so that they can be changed. */
dcpn_status dcpn_targets_copy(const struct targets *from, struct targets *copy);
void dcpn_targets_free(struct targets *targets);

int dcpn_has_label(const dcpn_problem *problem, int64_t row); /* to a loss of two classes */
/* Do the unlabelled rows, as F counts them, weigh at most `times` as much as the labelled ones? The lower F is the
 * better end while they do not weigh too much; beyond, F is often least with all of them on one side. Two limits come
 * of it. What only compares F stops at 1: the search over basins (choose_parts.c). A start that must also divide the
 * rows as the labels do may be tried up to 2 (transduction/start.c). */
int dcpn_unlabelled_weigh_at_most(double times, const dcpn_problem *problem, const dcpn_settings *settings);
/* The weighted median of what a constant has to explain: where an intercept starts if the loss is flat far out. */
dcpn_status dcpn_find_middle(dcpn_context *context, const dcpn_problem *problem, const double *labels, double *middle);
/* The sum of the row weights as given. */
double dcpn_problem_weight(const dcpn_problem *problem);
/* The sum of the row weights on all ranks, exactly, and that of the rows with one label. */
double dcpn_problem_exact_weight(const dcpn_problem *problem);
double dcpn_problem_exact_weight_of(const dcpn_problem *problem, double label);

#endif
