/* SPDX-License-Identifier: BSD-3-Clause */
/* X' as a view of X, for products alone. */
#ifndef DCPN_SRC_TRANSPOSED_H
#define DCPN_SRC_TRANSPOSED_H

#include "matrix/matrix.h"

struct transposed {
    dcpn_matrix base;
    const dcpn_matrix *inner;
};

void dcpn_matrix_transposed(struct transposed *view, const dcpn_matrix *inner);

#endif
