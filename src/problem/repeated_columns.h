/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups that share features, by latent copies: x = sum_g v^g, v^g being 0 outside of group g, and the penalty that of
 * the v^g, of which no two groups share one. A feature has a column for each group it is in; they are a view. */
#ifndef DCPN_SRC_REPEATED_COLUMNS_H
#define DCPN_SRC_REPEATED_COLUMNS_H

#include "matrix/matrix.h"
#include "problem/problem.h"

struct repeated_columns {
    dcpn_problem problem;   /* on the copies, its groups sharing none */
    struct column_subset A; /* of which it is */
    int64_t count, *column; /* the feature that each copy is of, ascending; NULL: nothing is repeated */
    int64_t *member;
    double *factors;
};

dcpn_status dcpn_repeated_columns_new(dcpn_context *context, const dcpn_problem *given,
                                      struct repeated_columns *repeated);
/* The columns of this matrix, which those of the problem have been scaled to. */
void dcpn_repeated_columns_use(struct repeated_columns *repeated, const dcpn_matrix *A);
void dcpn_repeated_columns_free(dcpn_context *context, struct repeated_columns *repeated);

/* x_j = the sum of its copies, x being another array; and in place, copies that share x_j out evenly. */
void dcpn_repeated_columns_add_up(const struct repeated_columns *repeated, const double *copies, int64_t features,
                                  double *x);
void dcpn_repeated_columns_share_out(const struct repeated_columns *repeated, double *x);

#endif
