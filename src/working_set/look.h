/* SPDX-License-Identifier: BSD-3-Clause */
/* The look at all columns: which of them matter at a point, and what their gradients are.
 *
 * A column with x_j = 0 whose slope is known to be at most that of the penalty is stationary, for certain, and need not
 * be read. What knows slopes without reading columns is a looker: bounds on slopes that were read before
 * (slope_bounds.h), or a copy of A in bytes and the slopes it gave at past points (past_slopes.h). A looker spares
 * readings and decides nothing: every gradient that is handed on was read, and every column that is not listed is
 * certified not to matter. So the results are the same bytes with any of them and with none. */
#ifndef DCPN_SRC_LOOK_H
#define DCPN_SRC_LOOK_H

#include "working_set/past_slopes.h"
#include "working_set/slope_bounds.h"

struct look {
    struct slope_bounds *bounds; /* NULL: none */
    struct past_slopes *past;    /* NULL: none */
    int64_t *columns;            /* whose gradients are known at the last point, ascending; all others do not matter */
    int64_t count;               /* of them; -1: all are known */
    int64_t *found;              /* space: columns, */
    double *space;               /* and numbers of theirs */
};

/* Makes a look without a looker. A looker that it is given later belongs to it. */
dcpn_status dcpn_look_new(dcpn_context *context, int64_t size, struct look **look);
void dcpn_look_free(dcpn_context *context, struct look *look);

/* Computes the gradients at a point of the columns in use and of those whose slope may be above a share of the
 * penalty's. A share below 1 lists more columns. look NULL: computes those of all columns. */
void dcpn_look_at(struct look *look, struct objective *objective, struct point *point, double share);
/* Looks with a share so small that the `count` features steepest for their penalty are among those listed. space has a
 * number for each feature. */
void dcpn_look_at_steepest(struct look *look, struct objective *objective, struct point *point, int64_t count,
                           double *space);
/* Computes the gradients of all columns. */
void dcpn_look_at_all(struct look *look, struct objective *objective, struct point *point);

/* A share that leaves out only what is stationary with certainty, rounding included. */
static const double DCPN_LOOK_STATIONARY = 1.0 - 1e-8;

/* The number of columns that were listed, and the i-th of them. */
static inline int64_t dcpn_look_count(const struct look *look, int64_t size)
{
    return look && look->count >= 0 ? look->count : size;
}

static inline int64_t dcpn_look_column(const struct look *look, int64_t i)
{
    return look && look->count >= 0 ? look->columns[i] : i;
}

#endif
