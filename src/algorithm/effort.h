/* SPDX-License-Identifier: BSD-3-Clause */
/* How far a descent goes, and what came of it. A descent is a function of the problem, its start and its effort, and of
 * nothing else: neither of the descents before it nor of what else the solver is about to do. */
#ifndef DCPN_SRC_EFFORT_H
#define DCPN_SRC_EFFORT_H

#include <stdint.h>

#include "dcpn/base.h"

struct effort {
    double goal;    /* the stationarity at which it ends */
    double little;  /* the change of F in a step, as a share of F, at which it ends as well; 0: no such end */
    int calm;       /* so many such steps in a row are needed */
    int64_t steps;  /* the most steps */
    double work;    /* the most work; 0: any */
    int64_t sweeps; /* the most iterations of the subproblem solver in one step; 0: what the method has by itself */
    int is_near;    /* the start is close to the end, as it is from one lambda of a path to the next */
    double foreseen; /* the sweeps that are likely to be needed in all; 0: nobody knows */
    int is_loose;   /* the end need not be looked at, nor certified from x alone */
    int is_shown;   /* its points are the ones that count, which an observer is shown */
};

struct descent {
    dcpn_outcome outcome;
    int64_t steps, inner, trials; /* steps, iterations of the subproblem solver, trials of the line search */
    double sweeps;                /* of the subproblem solver, as the next effort may foresee them */
    double work;                  /* entries of A, each look at the columns counted as a reading of them all */
    int64_t untried;              /* starts and moves of a search that its budget left out, or cut short */
};

#endif
