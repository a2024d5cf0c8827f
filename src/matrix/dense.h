/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DCPN_SRC_DENSE_H
#define DCPN_SRC_DENSE_H

#include "matrix/matrix.h"

/* Takes the array over, also when it fails. No gaps: the stride is the number of rows (columns). */
dcpn_status dcpn_matrix_take_dense(dcpn_context *context, int64_t rows, int64_t columns, void *values,
                                   dcpn_value_type type, dcpn_layout layout, dcpn_matrix **matrix);

/* Takes over values that have been checked: nothing is looked at. */
dcpn_status dcpn_matrix_take_checked(dcpn_context *context, int64_t rows, int64_t columns, void *values,
                                     dcpn_value_type type, dcpn_layout layout, dcpn_matrix **matrix);

/* Borrows values that the caller has checked: nothing is looked at. No gaps. */
dcpn_status dcpn_matrix_borrow_dense(dcpn_context *context, int64_t rows, int64_t columns, const void *values,
                                     dcpn_value_type type, dcpn_layout layout, dcpn_matrix **matrix);

/* A view of some rows. */
dcpn_status dcpn_dense_some_rows(const dcpn_matrix *matrix, int64_t first, int64_t count, dcpn_matrix **some);

/* The values, borrowed, are of a mapped file that does not fit into memory: they are read in the order in which they
 * lie where that can be, a column after the other say, and not twice as near to one another. The bits stay. */
dcpn_status dcpn_dense_set_far(dcpn_matrix *matrix, void *file, size_t bytes);

/* Rows of a column-major matrix that a sweep works on at once, 32, 64, 128 or a whole tile of 256, instead of what
 * suits the processor's cache. Its bits stay. */
void dcpn_dense_set_strip(dcpn_matrix *matrix, int64_t rows);

struct dense_view {
    const void *values;
    dcpn_value_type type;
    dcpn_layout layout;
    int64_t vectors, length, stride; /* columns of a column-major matrix, rows of a row-major one */
};
/* The values of a dense matrix, which keeps them; 0 if it is none. */
int dcpn_dense_view(const dcpn_matrix *matrix, struct dense_view *view);

static inline double dcpn_dense_view_entry(const struct dense_view *A, int64_t i, int64_t j)
{
    int64_t k = A->layout == DCPN_COLUMN_MAJOR ? i + j * A->stride : i * A->stride + j;
    return A->type == DCPN_FLOAT64 ? ((const double *)A->values)[k] : (double)((const float *)A->values)[k];
}

#endif
