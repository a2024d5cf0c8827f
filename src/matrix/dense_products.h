/* SPDX-License-Identifier: BSD-3-Clause */
/* A dense matrix as its products see it. */
#ifndef DCPN_MATRIX_DENSE_PRODUCTS_H
#define DCPN_MATRIX_DENSE_PRODUCTS_H

#include "matrix/dense.h"

struct dense {
    dcpn_matrix base;
    const void *values;
    void *owned; /* NULL: borrowed */
    dcpn_layout layout;
    int64_t vectors, length, stride; /* columns of a column-major matrix, rows of a row-major one */
    size_t value_size;
    const struct dense_tiles *tiles;
    int64_t strip; /* rows that a sweep works on at once: a tile or, column by column, a part of it */
    struct far_file *far, *owned_far; /* that the values are in, if it does not fit into memory; NULL: they do */
};

/* The products with matrices of doubles or floats. */
const struct matrix_ops *dcpn_dense_ops(dcpn_value_type type);
/* The rows that a sweep works on at once. */
int64_t dcpn_dense_strip(const struct dense *A);

#endif
