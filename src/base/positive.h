/* SPDX-License-Identifier: BSD-3-Clause */
/* M = U'U and M^-1 of a large symmetric positive definite matrix, in panels that stay in a cache, on several
 * threads. */
#ifndef DCPN_SRC_POSITIVE_H
#define DCPN_SRC_POSITIVE_H

#include "base/arena.h"
#include "base/level.h"

enum { DCPN_POSITIVE_TILE = 8, DCPN_POSITIVE_ROWS = 64 };

/* Matrices have this many rows and columns for n of them; those beyond n are the identity's. */
static inline int64_t dcpn_positive_size(int64_t n)
{
    return (n + DCPN_POSITIVE_TILE - 1) / DCPN_POSITIVE_TILE * DCPN_POSITIVE_TILE;
}

struct positive_space {
    int64_t size;         /* a multiple of the tile */
    double *left, *right; /* panels, tile by tile */
    double *diagonal;     /* of the matrix that is factored */
    double *rows;         /* size x size, for the inverse; NULL: none is wanted */
    enum level level;     /* of instructions; all give the same bits */
};
void dcpn_positive_layout(int64_t size, int wants_inverse, struct positive_space *space, struct arena *arena);

/* Factors M = U'U and puts U in the place of the upper triangle of M, given by rows; the entries left of the diagonal
 * are not read. Returns 0 if M is not positive definite in floating point: a pivot has fallen below `least` of its
 * entry of the diagonal. */
int dcpn_positive_factor(dcpn_context *context, const struct positive_space *space, double least, double *M);
/* log det M */
double dcpn_positive_log_det(const struct positive_space *space, const double *U);
/* Adds R'R to the upper triangle of M, where R has `depth` rows of `size` numbers; depth is at most
 * DCPN_POSITIVE_ROWS. */
void dcpn_positive_add(dcpn_context *context, const struct positive_space *space, int64_t depth, const double *rows,
                       double *M);
/* Copies the upper triangle of M to the lower one. */
void dcpn_positive_mirror(int64_t size, double *M);
/* Computes both triangles of M^-1 = (U'U)^-1. */
void dcpn_positive_inverse(dcpn_context *context, const struct positive_space *space, const double *U, double *inverse);

#endif
