/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DCPN_SRC_SPARSE_H
#define DCPN_SRC_SPARSE_H

#include "matrix/matrix.h"

struct compressed_owned {
    int64_t rows, columns;
    int64_t *pointers; /* rows + 1 */
    int32_t *indices;
    void *values;
    dcpn_value_type value_type;
    int is_checked; /* who made the arrays vouches for them: ascending within each row, in range, finite and not 0 */
};

/* Leaves entries that are 0 out, however they came there: a sparse matrix that was read has none. */
void dcpn_drop_zeros(struct compressed_owned *arrays);

/* Takes the arrays over, also when it fails, and drops their zeros. */
dcpn_status dcpn_matrix_take_csr(dcpn_context *context, struct compressed_owned *arrays, dcpn_matrix **matrix);

/* The arrays of both orientations. What is borrowed outlives the matrix. */
struct compressed_both {
    dcpn_compressed by_row, by_column;
    /* NULL: borrowed; otherwise the same as in by_row or by_column, and the matrix's to free */
    void *owned_column_pointers, *owned_row_values, *owned_column_values;
};
/* From arrays that the caller has checked: nothing is looked at, nothing is rebuilt. Takes over what is owned, also
 * when it fails. */
dcpn_status dcpn_matrix_from_both(dcpn_context *context, const struct compressed_both *arrays, dcpn_matrix **matrix);

/* The arrays of a sparse matrix, which keeps them; 0 if it is none. */
int dcpn_sparse_both(const dcpn_matrix *matrix, struct compressed_both *arrays);
/* The same entries with ascending indices in every row and column; borrows from matrix. NULL: they are so already. */
dcpn_status dcpn_sparse_ascending(const dcpn_matrix *matrix, dcpn_matrix **ascending);

#endif
