/* SPDX-License-Identifier: BSD-3-Clause */
/* A problem on some of its columns: those that are not empty, so that time and memory of a fit follow the entries, not
 * the columns; or those of a list. */
#ifndef DCPN_SRC_NONEMPTY_COLUMNS_H
#define DCPN_SRC_NONEMPTY_COLUMNS_H

#include "problem/problem.h"

struct compact {
    dcpn_problem problem; /* on the columns kept */
    int64_t *column;      /* which they are; NULL: the problem is as given */
    int64_t features;     /* of the problem as given */
    dcpn_matrix *A;
    int32_t *row_indices;
    double *factors, *lower, *upper;
    double *coefficients; /* of all features */
};

/* Leaves compact->column NULL where few columns are empty, or A is no sparse matrix. */
dcpn_status dcpn_compact_problem(dcpn_context *context, const dcpn_problem *problem, struct compact *compact);
/* Some columns of a full matrix, ascending. */
dcpn_status dcpn_compact_columns(dcpn_context *context, const dcpn_problem *problem, const int64_t *columns,
                                 int64_t count, struct compact *compact);
void dcpn_compact_free(dcpn_context *context, struct compact *compact);

/* Coefficients of the columns kept, from those of all, and back. */
void dcpn_compact_gather(const struct compact *compact, const double *all, double *kept);
void dcpn_compact_scatter(const struct compact *compact, const double *kept);

#endif
