/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of one group made orthonormal. */
#ifndef DCPN_SRC_ORTHONORMAL_BLOCK_H
#define DCPN_SRC_ORTHONORMAL_BLOCK_H

#include <stdint.h>

struct orthonormal_block {
    int64_t rows, size;
    const double *share; /* of the rows in sums of squares */
    double *columns;     /* rows x size, one after the other; the first `rank` are orthonormal afterwards */
    int64_t *order;      /* size: which of the given columns stands where; those behind `rank` depend on those before */
    int64_t rank;
    double *R; /* rank x size, by rows: the given columns, in this order, are the orthonormal ones times R */
};

/* Fills order, rank and R; scale is space for `size` numbers. */
void dcpn_orthonormalize(struct orthonormal_block *block, double *scale);
/* T = R_1^-1, by rows, R_1 being the first rank columns of R: upper triangles, both. */
void dcpn_orthonormal_inverse(const struct orthonormal_block *block, double *T);

#endif
