/* SPDX-License-Identifier: BSD-3-Clause */
/* Slopes of columns that are known well enough without a reading of A.
 *
 * Of each column a copy is kept in which an entry is a byte: a_j is unit_j q_j but for |a_ij - unit_j q_ij| <= unit_j /
 * 2. The slopes r of the rows are taken as unit p likewise, p of 16 bits. Then q_j'p, whole numbers, is exact, an
 * eighth of the bytes of a_j is read, and
 *     |a_j'r - unit_j unit q_j'p| <= |a_j - unit_j q_j| |r| + |unit_j q_j| |r - unit p|,
 * about a hundredth of |a_j| |r|. Nearly all columns are then known to be far from mattering, for certain.
 *
 * What is kept of a column besides is of single precision: there is enough of it for the first cache to care. */
#ifndef DCPN_SRC_BYTE_COPY_H
#define DCPN_SRC_BYTE_COPY_H

#include <float.h>
#include <stdint.h>

#include "base/level.h"
#include "matrix/matrix.h"

/* The bound on how far a slope is from what is known of it: of_unit unit_j + of_norm |a_j|. */
struct reach {
    double of_unit, of_norm;
};

/* The rounding of single precision, which this bound is larger by, in parts of |a_j| times the sum of |c_k r_k|:
 * slopes, their factors and products, and the sum of these are rounded. */
#define DCPN_BYTE_COPY_ROUNDING (4.0 * (double)FLT_EPSILON)

struct byte_copy {
    int64_t rows, count; /* of columns */
    int64_t room;        /* the same, and some that are 0, which all arrays of numbers of columns have room for */
    int64_t stride;      /* bytes of a column, 0 beyond its rows */
    int8_t *values;
    float *unit, *norm; /* no less than |a_j|, and that but for rounding where squares can be added */
    int16_t *p;
    int64_t *numbers; /* space: rows, */
    double *space;    /* and two columns */
    const struct byte_copy_kernels *kernels;
};

/* Copies all columns of A, with the instructions of a level, which are a matter of time alone. */
dcpn_status dcpn_byte_copy_new(dcpn_context *context, const dcpn_matrix *A, enum level level, struct byte_copy **copy);
/* Makes room for so many columns, which can then be taken again and again: those of A, or some of another copy's. */
dcpn_status dcpn_byte_copy_room(dcpn_context *context, int64_t rows, int64_t count, struct byte_copy **copy);
void dcpn_byte_copy_take(struct byte_copy *copy, const dcpn_matrix *A);
void dcpn_byte_copy_choose(struct byte_copy *copy, const struct byte_copy *all, const int64_t *columns);
/* Takes a few columns of A, and nothing else. Several threads can do so at once if columns can be taken as they lie in
 * A. */
void dcpn_byte_copy_take_some(struct byte_copy *copy, const dcpn_matrix *A, int64_t first, int64_t count);
int dcpn_byte_copy_takes_in_place(const dcpn_matrix *A);
/* Copies some of the columns of another copy, which may be gone after that. */
dcpn_status dcpn_byte_copy_part(dcpn_context *context, const struct byte_copy *all, const int64_t *columns,
                                int64_t count, struct byte_copy **copy);
void dcpn_byte_copy_free(dcpn_context *context, struct byte_copy *copy);

/* Computes about a_j'r for all columns, and how far from it that may be, rounding included. Returns how much it has
 * read, in entries of A. */
int64_t dcpn_byte_copy_read(struct byte_copy *copy, const double *r, float *slopes, struct reach *reach);

/* Lists the columns with a g_j within reach of c[0] g[0][j] + c[1] g[1][j] for which |g_j| may be above a limit, with
 * the bounds on |g_j|. Returns how many there are. */
struct sought {
    const float *g[2]; /* room numbers each */
    double c[2];
    struct reach reach;
    double limit;
};
int64_t dcpn_byte_copy_list(const struct byte_copy *copy, const struct sought *sought, int64_t *columns,
                            double *bounds);

#endif
