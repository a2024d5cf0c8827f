/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DCPN_SRC_COPY_ROWS_H
#define DCPN_SRC_COPY_ROWS_H

#include "matrix/matrix.h"

/* copy_ij = (a_kj - centre_j) / scale_j, k = rows_i. */
struct row_selection {
    const int64_t *rows; /* each below A->rows, no row twice; NULL: the first `count` */
    int64_t count;
    const double *centre; /* NULL: 0, as it is for columns of which not every entry is stored */
    const double *scale;  /* NULL: 1 */
    int is_kept_as_is;    /* sparse or dense: on ranks all are to be alike, and the rows of one may happen to be full */
};

/* Is every entry stored? */
int dcpn_matrix_is_full(const dcpn_matrix *A);
/* Values are copied as doubles. The copy belongs to `context`, which need not be that of A. */
dcpn_status dcpn_matrix_copy_rows(dcpn_context *context, const dcpn_matrix *A, const struct row_selection *selection,
                                  dcpn_matrix **copy);
/* Some columns of a full matrix, as doubles, one after another. */
void dcpn_matrix_gather_columns(const dcpn_matrix *A, const int64_t *columns, int64_t count, double *values);

#endif
