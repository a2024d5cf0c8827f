/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of a file that does not fit into memory: long pieces of a few of them are read at a time, and asked for
 * before. The bits of what is computed are those of columns in memory. */
#ifndef DCPN_SRC_DENSE_FAR_H
#define DCPN_SRC_DENSE_FAR_H

#include "base/pages.h"
#include "matrix/dense_products.h"

/* Some columns: from the first on, or those of a list. */
struct some_columns {
    int64_t first, count;
    const int64_t *list; /* NULL: side by side */
};

/* Do columns come from the disk? Far rows, which lie in the order in which they are read, are no matter. */
static inline int dcpn_by_far_columns(const struct dense *A)
{
    return A->far && A->layout == DCPN_COLUMN_MAJOR;
}

/* u = A x on the rows begin .. end, where u is 0. */
void dcpn_far_apply(const struct dense *A, int64_t begin, int64_t end, const double *x, double *u);
/* Sees to it that some columns come from a row on: side by side they come in order; of a list as much is asked for as
 * stays in memory until it is used. Returns the row at which to ask again: the last one of columns that are near. */
int64_t dcpn_far_ask(const struct dense *A, int64_t begin, const struct some_columns *some);
static inline void dcpn_far_ask_for_column(const struct dense *A, int64_t j)
{
    if (A->far) dcpn_far_ask(A, 0, &(struct some_columns){0, 1, &j});
}

#endif
