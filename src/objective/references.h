/* SPDX-License-Identifier: BSD-3-Clause */
/* Slopes of columns that are known without a reading.
 *
 * g = A'r is linear in the slopes r of the rows. Where it has been read for a few r_i, of another r = c_1 r_1 + c_2 r_2 + e
 * it is known to be c_1 g_1 + c_2 g_2 in each column, but for |a_j||e|. Down a path two points between which r lies leave
 * little of it, and nearly all columns are then far from mattering, for certain. */
#ifndef DCPN_SRC_REFERENCES_H
#define DCPN_SRC_REFERENCES_H

#include "objective/objective.h"

enum { DCPN_MOST_REFERENCES = 8 };

struct references {
    int64_t rows, size;
    int64_t count, next; /* of those kept, and the place of the one to come */
    double *r, *g;       /* one after another */
    double *norm;        /* |a_j| */
    double *e;           /* space: what is left of r */
    int knows_norm;
};

/* |g_j - c[0] g[0][j] - c[1] g[1][j]| <= radius |a_j|, rounding included. A radius of 0: they have been read. */
struct estimate {
    const double *g[2];
    double c[2], radius;
};

dcpn_status dcpn_references_new(dcpn_context *context, const struct objective *objective,
                                struct references *references);
void dcpn_references_free(dcpn_context *context, struct references *references);

/* A'r itself, by a reading of A, which is kept in the place of the oldest one. */
struct estimate dcpn_references_read(struct references *references, struct objective *objective, const double *r);
/* What the readings say of A'r; there must have been one. */
struct estimate dcpn_references_estimate(struct references *references, const double *r);

static inline double dcpn_estimate_at(const struct estimate *estimate, int64_t j)
{
    return estimate->c[0] * estimate->g[0][j] + estimate->c[1] * estimate->g[1][j];
}

#endif
