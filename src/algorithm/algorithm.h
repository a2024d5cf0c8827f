/* SPDX-License-Identifier: BSD-3-Clause */
/* The algorithm seam: an outer method. One call of step is one iteration; when to stop, what to print and how long it
 * may take is the driver's business (solver.c). */
#ifndef DCPN_SRC_ALGORITHM_H
#define DCPN_SRC_ALGORITHM_H

#include "step/step.h"

/* What every method works with. */
struct algorithm {
    const struct algorithm_ops *ops;
    struct objective objective;
    struct point point;           /* x_k */
    struct metric *H;
    struct subsolver *subsolver;
    struct direction_rule direction_rule;
    double alpha;                 /* of the sufficient decrease */
    int majorize;

    double *z_h2, *v;             /* of x_k */
    double stationarity;          /* of x_k */
    struct direction direction;   /* d_k and D_k */
    double *du;                   /* A d_k */
    struct line_search search;    /* t_k */
};

struct algorithm_ops {
    const char *name, *formula;
    void (*layout)(struct algorithm *, struct arena *);
    void (*start)(struct algorithm *);  /* at x_0 */
    void (*look)(struct algorithm *);   /* the gradients and the stationarity of x_k */
    int (*step)(struct algorithm *);    /* from x_k to x_{k+1}; 0: no step decreases F in floating point */
};

extern const struct algorithm_ops dcpn_algorithm_dcpn;

#endif
