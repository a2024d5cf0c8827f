/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns outside a list: what they say of points that were found on the columns of the list alone. */
#ifndef DCPN_SRC_OUTSIDE_H
#define DCPN_SRC_OUTSIDE_H

#include "dcpn/path.h"
#include "solver.h"

enum { DCPN_AT_ONCE = 8 }; /* points: as many as one reading of A has slopes for */

struct outside {
    dcpn_solver *whole;       /* on all columns */
    unsigned char *is_listed; /* one per feature */
    unsigned char *is_near;   /* has been of interest at some point: its slope was not far below that of the penalty */
    double *R, *G;            /* slopes of the rows and of the columns, those of the points side by side */
};

dcpn_status dcpn_outside_new(dcpn_solver *whole, struct outside *outside);
void dcpn_outside_free(struct outside *outside);

/* The slopes of the rows where a solver is: the point `lane`. */
void dcpn_outside_take(struct outside *outside, dcpn_solver *solver, int64_t lane);
/* Reads the slopes of all columns at these points, and adds to each certificate what those outside the list have to say:
 * their violation and their moves. is_good: no violation is above the goal. */
void dcpn_outside_read(struct outside *outside, dcpn_path_point *const *points, int64_t count, int *is_good);
/* The slope of column j at a point. */
double dcpn_outside_slope(const struct outside *outside, int64_t j, int64_t lane);

#endif
