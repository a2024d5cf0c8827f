/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounds on slopes that were read a while ago.
 *
 * g_j = a_j'r, r the slopes of the rows. While r travels a way of length s, g_j changes by at most |a_j| s. So a column
 * whose last g_j is far below the slope of the penalty is known to be stationary until r has travelled far enough, and
 * need not be read. Along a path of lambdas that is most columns most of the time. */
#ifndef DCPN_SRC_SLOPE_BOUNDS_H
#define DCPN_SRC_SLOPE_BOUNDS_H

#include "objective/objective.h"

struct slope_bounds {
    int is_known; /* all slopes have been read at least once */
    double way;   /* how far r has travelled, */
    int64_t moves; /* in so many moves */
    double *r;    /* at the last look */
    double *norm; /* |a_j| */
    double *slope, *read_at; /* a_j'r when it was read last, and the way at which that was */
    int64_t *read_after;     /* so many moves: the way may be too long for a short move to show in it */
    double *space;
    int64_t *wanted; /* to be read now */
};

dcpn_status dcpn_slope_bounds_new(dcpn_context *context, const struct objective *objective,
                                  struct slope_bounds **bounds);
void dcpn_slope_bounds_free(dcpn_context *context, struct slope_bounds *bounds);

/* Computes the gradients of the columns that are in use, or whose slope may be above a share of that of the penalty.
 * They are listed in ascending order; returns how many there are. objective->r is known. */
int64_t dcpn_slope_bounds_look(struct slope_bounds *bounds, struct objective *objective, struct point *point,
                               double share, int64_t *columns);

#endif
