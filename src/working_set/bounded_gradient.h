/* SPDX-License-Identifier: BSD-3-Clause */
/* A glance at all columns, and a look at those that can matter: gradients by way of a coarse copy of A.
 *
 * A column with x_j = 0 whose bound on |g_j| is below the slope of the penalty is stationary, for certain, and is not
 * read; its gradient is left as the copy has it, which is below that slope, too. All others are read and listed, so that
 * the stationarity of a point is the same number as if all were. */
#ifndef DCPN_SRC_BOUNDED_GRADIENT_H
#define DCPN_SRC_BOUNDED_GRADIENT_H

#include "working_set/byte_copy.h"

struct objective;
struct point;

struct glance {
    struct byte_copy *coarse; /* of the features */
    const dcpn_matrix *A;  /* of which the copy is taken as the first reading goes by; NULL: the caller takes it */
    int is_stale;          /* that is yet to be done */
    struct sought sought;  /* what is known of the gradients at the last point that was looked at */
    int64_t *found;        /* space: columns, */
    float *slopes;
    double *bounds;
    int64_t *columns; /* that were read there, ascending */
    int64_t count;    /* -1: all of them */
    int64_t *before;  /* space: those of the look before */
    double *r;        /* of the last point, if knows_r: what is looked at again is not read again */
    int knows_r;
};

/* At the columns of a copy, which is taken over, also when it fails; with room for one more, an intercept. */
dcpn_status dcpn_glance_new(dcpn_context *context, struct byte_copy *coarse, struct glance **glance);
void dcpn_glance_free(dcpn_context *context, struct glance *glance);

/* Can the copy be taken while A is read for something else? Then this does it; else, and at any time, it is renewed by a
 * reading of its own. */
int dcpn_glance_goes_along(struct glance *glance, struct column_work *work);
void dcpn_glance_renew(struct glance *glance);

/* The gradients at a new point, where objective->r is known. */
void dcpn_glance_look(struct objective *objective, const struct point *point);
/* There, reads besides what is not in use and may have a slope above a share of that of the penalty. */
void dcpn_glance_read(struct objective *objective, const struct point *point, double share);

#endif
