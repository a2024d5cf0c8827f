/* SPDX-License-Identifier: BSD-3-Clause */
/* The squared loss of many rows as that of a few: with an orthogonal Q,
 *     |W^(1/2) (A x + b - y)| = |Q W^(1/2) (A x + b - y)|
 * and Q can be chosen so that all rows but a few more than there are columns are 0. The products of the columns with
 * one another, with y and with a constant say what is left, so that A is read twice, whatever is fitted afterwards. */
#ifndef DCPN_SRC_ROTATED_ROWS_H
#define DCPN_SRC_ROTATED_ROWS_H

#include "problem/parts.h"

struct rotated_rows {
    dcpn_problem problem; /* with these rows, which all weigh the same, as much as those given do together */
    dcpn_matrix *A;       /* NULL: the rows are as given */
    double *values;       /* of A, by columns */
    double *y, *weights;
};

/* Leaves A NULL where F would not be the same to nearly the last digit, or where so many fits would not pay for it. */
dcpn_status dcpn_rotated_rows_new(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                                  const struct parts *parts, int64_t fits, struct rotated_rows *rotated);
void dcpn_rotated_rows_free(dcpn_context *context, struct rotated_rows *rotated);

#endif
