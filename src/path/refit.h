/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits of a few columns without a penalty. */
#ifndef DCPN_SRC_REFIT_H
#define DCPN_SRC_REFIT_H

#include "objective/objective.h"

struct refit {
    dcpn_context *context;
    const struct objective *F;
    int64_t most; /* columns, besides an intercept */
    int64_t touched; /* entries, those of products of columns among them */
    double *columns; /* of a fit, one after another, an intercept's behind the others */
    double *x;       /* likewise */
    double *diagonal; /* of the Hessian where the last fit has ended */
    double *u, *du, *curvature, *step, *gradient, *H;
    struct {
        struct arena arena;
        struct gram_space space;
        int64_t *columns; /* of a fit, with an intercept's behind the others */
    } ranks; /* where sums over rows are those of all ranks */
};

dcpn_status dcpn_refit_new(dcpn_context *context, const struct objective *F, int64_t most, struct refit *r);
void dcpn_refit_free(struct refit *r);

/* f at its minimiser among the points with these columns alone in use, which is left in r->x; x has a number for each
 * column of A and says where to start. Infinite: the columns are dependent. */
double dcpn_refit(struct refit *r, const int64_t *columns, int64_t count, const double *x);

#endif
