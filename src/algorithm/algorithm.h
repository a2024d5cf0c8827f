/* SPDX-License-Identifier: BSD-3-Clause */
/* The algorithm seam: an outer method. One call of step is one iteration; when to stop, what to print and how long it
 * may take is the business of those who drive it (descent.c). */
#ifndef DCPN_SRC_ALGORITHM_H
#define DCPN_SRC_ALGORITHM_H

#include "algorithm/effort.h"
#include "algorithm/watch.h"
#include "base/state.h"
#include "step/step.h"

/* What the settings say of every method. */
struct rules {
    struct direction_rule direction;
    double alpha; /* of the sufficient decrease */
    int majorize;
    int bends;            /* dcpn: the curvature of h goes into the model */
    int nonmonotone;      /* gist: compare with the largest of the last values */
    double relative_goal; /* the relative change of F at which a convex problem within the method counts as solved */
};

/* What every method works with. */
struct algorithm {
    const struct algorithm_ops *ops;
    struct objective objective;
    struct point point;          /* x_k */
    struct metric *H;            /* NULL: the method has its own */
    struct subsolver *subsolver; /* likewise */
    int64_t *safeguards; /* those of the metric, also where a working set stands around it; NULL: there is none */
    struct rules rules;
    struct watch *watch; /* asked within long iterations; NULL: nobody */
    double goal;         /* the stationarity at which a convex problem within the method counts as solved */
    int knows_u;         /* to start: point.u and point.value are those of point.x already */
    int same_f;          /* to start: what the metric has learned of f still holds */
    int is_afresh;       /* after a step: point.u is A x from x alone, not carried along; */
    int is_by_columns;   /* it was added up column by column, which rounds unlike the product */

    double *z_h2, *v;           /* of x_k */
    double stationarity;        /* of x_k */
    double residual;            /* what the method's own last step says besides; 0 if it has no other measure */
    struct direction direction; /* d_k and D_k */
    double *du;                 /* A d_k */
    struct line_search search;  /* t_k and F(x_{k+1}) - F(x_k) */
};

/* A method's row in the paper's table of related approaches: what it asks of each part. */
struct assumptions {
    const char *f1, *f2, *h1, *h2; /* "cvx", "ncvx" or "-" */
    const char *H;
};

struct algorithm_ops {
    const char *name, *formula, *reference;
    struct assumptions assumes;
    size_t state_size;          /* of the private struct, whose first member is struct algorithm */
    int uses_metric;            /* H and subsolver are the user's to choose */
    int may_rise;               /* F need not decrease in every iteration, unless the method is to be monotone */
    int counts_convex_problems; /* an iteration is a whole convex problem: --dc-max limits them */
    void (*layout)(struct algorithm *, struct arena *);
    void (*start)(struct algorithm *, const struct effort *); /* at x_0 */
    void (*look)(struct algorithm *); /* at x_k: gradients where they matter, and the stationarity. NULL: all of them */
    int (*step)(struct algorithm *);  /* from x_k to x_{k+1}; 0: no step decreases F in floating point */
    int (*is_done)(struct algorithm *);         /* at a stationary x_k: nothing is left to try. NULL: so it is */
    double (*sweeps)(const struct algorithm *); /* of the subproblem solver since the start; NULL: not counted */
    /* The private numbers that outlive a step; NULL: none but those of dcpn_algorithm_state. */
    void (*state)(struct algorithm *, struct state *);
};

/* Lays out the arrays that every method has. */
void dcpn_algorithm_layout(struct algorithm *algorithm, struct arena *arena);
/* Lays out the same arrays, and those of the method's metric and subproblem solver. */
void dcpn_algorithm_layout_parts(struct algorithm *algorithm, struct arena *arena);
/* Begins at x_0, where F is evaluated unless it is known; nothing has been done yet. */
void dcpn_algorithm_start(struct algorithm *algorithm);
/* Computes the gradients, z_h2, v and the stationarity at x_k. */
void dcpn_algorithm_look(struct algorithm *algorithm);
/* Computes z_h2, v and the stationarity alone, where the gradients are those of x_k but the penalty is another one. */
void dcpn_algorithm_look_again(struct algorithm *algorithm);
/* Sets the watch that may end the method's steps early. */
void dcpn_algorithm_set_watch(struct algorithm *algorithm, struct watch *watch);
/* Counts, saves or restores what outlives a step, that of the method's metric and subproblem solver included. The
 * gradients are not part of it and are computed anew. */
void dcpn_algorithm_state(struct algorithm *algorithm, struct state *state);
/* Returns why the method cannot be used where f2 or h2 is not 0, or the prox of h is not known; NULL if it can be
 * used. */
const char *dcpn_algorithm_refusal(const struct algorithm_ops *ops, const struct loss *loss,
                                   const struct penalty *penalty);

/* descent.c: makes steps from the algorithm's point until the effort is spent or the watch ends the run. The end is
 * evaluated from x alone. */
struct descent dcpn_descend(struct algorithm *algorithm, const struct effort *effort, struct watch *watch);

extern const struct algorithm_ops dcpn_algorithm_dcpn, dcpn_algorithm_gist, dcpn_algorithm_dca, dcpn_algorithm_scp,
    dcpn_algorithm_multi_stage, dcpn_algorithm_proximal_gradient, dcpn_algorithm_fista, dcpn_algorithm_proximal_newton,
    dcpn_algorithm_sparsa;

#endif
