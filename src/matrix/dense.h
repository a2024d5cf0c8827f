/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DCPN_SRC_DENSE_H
#define DCPN_SRC_DENSE_H

#include "matrix/matrix.h"

/* Takes the array over, also when it fails. No gaps: the stride is the number of rows (columns). */
dcpn_status dcpn_matrix_take_dense(dcpn_context *context, int64_t rows, int64_t columns, void *values,
                                   dcpn_value_type type, dcpn_layout layout, dcpn_matrix **matrix);

#endif
