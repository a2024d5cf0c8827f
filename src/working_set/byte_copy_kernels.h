/* SPDX-License-Identifier: BSD-3-Clause */
/* The work on many columns of a copy at once, for every level of instructions, with the same bits. */
#ifndef DCPN_SRC_BYTE_COPY_KERNELS_H
#define DCPN_SRC_BYTE_COPY_KERNELS_H

#include "working_set/byte_copy.h"

enum {
    BYTE_COPY_MOST = 127, /* of a byte */
    BYTE_COPY_BLOCK = 16, /* rows, and bytes: what the length of a copied column is a multiple of */
    BYTE_COPY_GROUP = 8,  /* bytes that are written at once: no column is shorter */
    BYTE_COPY_TOGETHER = 4, /* columns that are copied at once */
    BYTE_COPY_MANY = 32,  /* columns of which most often none is sought: what their room is a multiple of */
};

struct byte_copy_kernels {
    /* The bytes of count <= BYTE_COPY_TOGETHER columns of n numbers, 0 beyond these, their units and their lengths. */
    void (*copy)(int count, int64_t n, const double *v, int64_t apart, int8_t *bytes, int64_t bytes_apart, float *unit,
                 float *norm);
    /* unit_j of_r q_j'p of all columns. */
    void (*read)(const struct byte_copy *copy, double of_r, float *slopes);
    int64_t (*list)(const struct sought *sought, const struct byte_copy *copy, int64_t *columns, double *bounds);
};

const struct byte_copy_kernels *dcpn_byte_copy_kernels(enum level level);

#endif
