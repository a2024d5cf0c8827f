/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a problem on one scale, and coefficients there and back. */
#ifndef DCPN_SRC_SCALED_COLUMNS_H
#define DCPN_SRC_SCALED_COLUMNS_H

#include "matrix/matrix.h"
#include "problem/problem.h"

struct scaled_columns {
    dcpn_matrix *A;         /* a copy with columns centred and scaled; NULL: they are as given */
    double *centre, *scale; /* of its columns */
};

/* Leaves A NULL where nothing has to be scaled or centred. is_exact: by sums that do not depend on who adds. */
dcpn_status dcpn_scaled_columns_new(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                                    int is_exact, struct scaled_columns *scaled);
void dcpn_scaled_columns_free(dcpn_context *context, struct scaled_columns *scaled);
/* Coefficients of the columns as given, x, from those of the copy; returns the intercept, likewise. */
double dcpn_scaled_columns_give(const struct scaled_columns *scaled, const dcpn_problem *problem, const double *own,
                                double intercept, double *x);
/* Does the same for one coefficient, which is not 0. */
double dcpn_scaled_columns_one(const struct scaled_columns *scaled, const dcpn_problem *problem, int64_t j, double own,
                               double *intercept);
/* Turns coefficients of the columns as given into those of the copy, in place, and returns the intercept. */
double dcpn_scaled_columns_take(const struct scaled_columns *scaled, int64_t columns, double intercept, double *x);

#endif
