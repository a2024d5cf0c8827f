/* SPDX-License-Identifier: BSD-3-Clause */
/* Newton's step over an orthant, where h1 is linear: G_OO step = residual, O the coordinates that are not 0. */
#ifndef DCPN_SRC_ORTHANT_H
#define DCPN_SRC_ORTHANT_H

#include "base/arena.h"

struct orthant {
    int64_t *list, count;    /* O, ascending */
    double *residual, *step; /* by coordinates; step is 0 outside of O */
    double *along, *image;   /* a direction, 0 outside of O, and G times it */
    double *factor;
};

void dcpn_orthant_layout(struct orthant *orthant, int64_t most, struct arena *arena);
/* Solves for the step with a Cholesky factor; returns 0 if G_OO is not positive definite. G is size x size. */
int dcpn_orthant_factor(struct orthant *orthant, int64_t size, const double *G);
/* Solves by conjugate gradients until the largest residual is at most enough. Wherever they end, the model has
 * fallen. Returns how many products with G were made, at most `most`. */
int64_t dcpn_orthant_iterate(struct orthant *orthant, int64_t size, const double *G, double enough, int64_t most);

#endif
