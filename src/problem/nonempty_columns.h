/* SPDX-License-Identifier: BSD-3-Clause */
/* A sparse problem on the columns that are not empty, so that time and memory of a fit follow the entries, not the
 * columns. */
#ifndef DCPN_SRC_NONEMPTY_COLUMNS_H
#define DCPN_SRC_NONEMPTY_COLUMNS_H

#include "problem/problem.h"

struct nonempty_columns {
    dcpn_problem problem; /* on the columns kept */
    int64_t *column;      /* which they are; NULL: the problem is as given */
    int64_t features;     /* of the problem as given */
    dcpn_matrix *A;
    int32_t *row_indices;
    double *factors, *lower, *upper;
};

/* Leaves column NULL where few columns are empty, or A is no sparse matrix. */
dcpn_status dcpn_nonempty_columns_keep(dcpn_context *context, const dcpn_problem *problem,
                                       struct nonempty_columns *kept);
void dcpn_nonempty_columns_free(dcpn_context *context, struct nonempty_columns *kept);

#endif
