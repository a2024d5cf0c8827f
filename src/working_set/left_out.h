/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns outside a list: what they say of points that were found on the columns of the list alone. */
#ifndef DCPN_SRC_LEFT_OUT_H
#define DCPN_SRC_LEFT_OUT_H

#include "dcpn/path.h"
#include "working_set/past_slopes.h"
#include "solver/solver.h"

struct outside {
    dcpn_solver *whole;       /* on all columns */
    unsigned char *is_listed; /* one per feature */
    unsigned char *is_near;   /* has been of interest at some point: its slope was not far below that of the penalty */
    struct past_slopes known;
    struct sought last; /* of the slopes where it was looked last; */
    int64_t count;      /* the columns that were read there, */
    int64_t *columns;
    double *read; /* and their slopes */
};

dcpn_status dcpn_outside_new(dcpn_solver *whole, struct outside *outside);
void dcpn_outside_free(struct outside *outside);

/* The slopes of the rows where a solver is. */
void dcpn_outside_take(dcpn_solver *solver, double *r);
/* Adds to the certificate of a point, r the slopes of its rows, what columns outside the list have to say: their violation
 * and their moves. Those that may have something to say are read, all others are known not to. Returns whether no
 * violation is above the goal. */
int dcpn_outside_look(struct outside *outside, const double *r, dcpn_path_point *point);
/* The slopes of all features there; where they are far from mattering, an estimate. */
void dcpn_outside_slopes(const struct outside *outside, double *slopes);

#endif
