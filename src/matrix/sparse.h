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
    int is_checked; /* who made the arrays vouches for them: ascending within each row, in range, finite */
};

/* Takes the arrays over, also when it fails. */
dcpn_status dcpn_matrix_take_csr(dcpn_context *context, struct compressed_owned *arrays, dcpn_matrix **matrix);

#endif
