/* SPDX-License-Identifier: BSD-3-Clause */
/* Gradients of those columns alone that can matter.
 *
 * g_j = a_j'r, r the slopes of the rows. While r travels a way of length s, g_j changes by at most |a_j| s. So a column
 * with x_j = 0 whose last g_j is so far below the slope of the penalty that the bound |g_j| + |a_j| s is below it as well
 * is stationary, for certain, and need not be read. Along a path of lambdas that is most columns most of the time. The
 * stationarity that follows is not an estimate: the columns left out would add 0 to it. */
#ifndef DCPN_SRC_SLOPE_BOUNDS_H
#define DCPN_SRC_SLOPE_BOUNDS_H

#include "base/context.h"

struct objective;
struct point;

struct screen {
    int is_known;    /* gradients have been read at all */
    double way;      /* how far r has travelled */
    double *r;       /* at the last look */
    double *norm;    /* |a_j| */
    double *read_at; /* the way at which g_j was read last */
    double *products;
    int64_t *columns; /* to be read now */
};

dcpn_status dcpn_screen_new(dcpn_context *context, const struct objective *objective, struct screen **screen);
void dcpn_screen_free(dcpn_context *context, struct screen *screen);

/* Reads the gradients, which are those of the last look where they are not read, of all columns in use or free of
 * penalty, and of those of which `matters` says so, given a bound on |g_j|. */
typedef int dcpn_screen_test(const void *user, const struct objective *objective, int64_t j, double bound);
void dcpn_screen_read(struct objective *objective, const struct point *point, dcpn_screen_test *matters,
                      const void *user);
/* The look at a new point, where objective->r is known; is_whole: all gradients are those of the point already. */
void dcpn_screen_look(struct objective *objective, const struct point *point, int is_whole);

#endif
