/* SPDX-License-Identifier: BSD-3-Clause */
/* What watches over the descents of a run: the clock, the limits, the caller who may want to end it, and the
 * journal. */
#ifndef DCPN_SRC_WATCH_H
#define DCPN_SRC_WATCH_H

#include <signal.h>
#include <stdint.h>

#include "dcpn/base.h"

struct algorithm;
struct journal_stream;

struct watch {
    /* Called at the start of the run and after every step. `counts` tells a point of the run from another one on the
     * way of a search. It returns 1 to end the run. NULL: it is not called. */
    int (*see)(void *user, const struct algorithm *algorithm, int counts);
    void *user;
    dcpn_context *context;              /* that may be interrupted, */
    volatile sig_atomic_t *interrupted; /* or the solver, from anywhere; NULL: that cannot */
    double started_at, until;           /* by the clock */
    int64_t steps, most_steps;          /* of all descents of the run */
    int64_t seen_steps;                 /* those that have been shown; -1: not even the start */
    int is_over;                        /* some descent was told to end before it was done, */
    dcpn_outcome reason;                /* for this reason */
    int is_cut;                         /* within a step */
    struct journal_stream *journal;     /* NULL: none */
};

/* Is the run to end? Asked between steps and, by way of dcpn_watch_cuts, within long ones. */
int dcpn_watch_ends(struct watch *watch);
int dcpn_watch_cuts(void *watch);
/* A step of a descent is done. */
void dcpn_watch_step(struct watch *watch, const struct algorithm *algorithm, int counts);

#endif
