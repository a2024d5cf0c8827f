/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DCPN_SRC_LOCAL_CONVEXITY_H
#define DCPN_SRC_LOCAL_CONVEXITY_H

#include "objective/objective.h"

/* Room for supports of up to `limit` features. */
struct convexity {
    int64_t limit;
    int64_t *support;
    double *matrix, *work, *w, *column;
};

dcpn_status dcpn_convexity_new(dcpn_context *context, int64_t rows, int64_t limit, struct convexity *made);
void dcpn_convexity_free(dcpn_context *context, struct convexity *convexity);
/* How far F is from losing its convexity on the features in use at the point or at x = before; infinite if there are
 * none, NaN if it is not known. */
double dcpn_convexity_margin(struct convexity *convexity, const struct objective *objective, const struct point *point,
                             const double *before);

#endif
