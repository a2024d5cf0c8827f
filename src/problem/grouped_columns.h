/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups of a problem as blocks of the columns that a plan works on: all columns belong to one, an own one if to
 * none of those given. */
#ifndef DCPN_SRC_GROUPED_COLUMNS_H
#define DCPN_SRC_GROUPED_COLUMNS_H

#include "penalty/blocks.h"
#include "problem/problem.h"

struct grouped_columns {
    int64_t count; /* of blocks; 0: there are none */
    int64_t *start, *member;
    double *weight, *extent; /* the sizes of the groups as given */
};

/* `column` has the features that are the plan's columns, ascending; NULL: all are. Refuses what the composition does
 * not allow. */
dcpn_status dcpn_grouped_columns_new(dcpn_context *context, const dcpn_problem *given, const int64_t *column,
                                     int64_t columns, const struct composition *composition,
                                     struct grouped_columns *groups);
/* A block for each of `columns` features: its coefficients of all scores, class after class. The weights are 1. */
dcpn_status dcpn_grouped_classes_new(dcpn_context *context, int64_t columns, int64_t scores,
                                     struct grouped_columns *groups);
/* Several scores a row: `columns` coefficients each, and whether those of all scores are one block. */
struct scores_of_groups {
    int64_t columns, scores;
    int are_together;
};
/* The blocks of one score repeated for each score, or each over all of them; the weights are those of one. */
dcpn_status dcpn_grouped_scores_new(dcpn_context *context, const struct grouped_columns *of_one,
                                    const struct scores_of_groups *how, struct grouped_columns *groups);
void dcpn_grouped_columns_free(dcpn_context *context, struct grouped_columns *groups);

#endif
