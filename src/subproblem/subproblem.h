/* SPDX-License-Identifier: BSD-3-Clause */
/* The subproblem seam: d = argmin_d 1/2 d'Hd + v'd + h1(x + d), the direction of the paper's equation (search). */
#ifndef DCPN_SRC_SUBPROBLEM_H
#define DCPN_SRC_SUBPROBLEM_H

#include "metric/metric.h"
#include "penalty/penalty.h"

/* All that a solver may see. */
struct quadratic_model {
    struct metric *H;
    const double *v;
    const double *x;
    const struct penalty *h1;
    int64_t size;
    const double *bend;    /* curvature of h at x, where it is negative: a solver may add it to H; NULL: none */
    int intercept_follows; /* the last coordinate is kept where the model is least, given the others */
};

struct subsolver;

struct subsolver_ops {
    const char *name, *formula;
    size_t state_size; /* of the private struct, whose first member is struct subsolver */
    int walks;         /* d is where the metric's walk ends */
    /* Why it cannot serve; a NULL answer, or no such function: it can. */
    const char *(*refusal)(const struct metric_ops *, const struct loss *, int separable_penalty);
    void (*layout)(struct subsolver *, struct arena *);
    void (*prepare)(struct subsolver *); /* before the first solve of a run */
    /* From d to a better d, until the violation of the optimality conditions, in the largest coordinate and as seen
     * before the last move, is at most tolerance, or after max_iterations. Returns the iterations made. */
    int64_t (*solve)(struct subsolver *, const struct quadratic_model *, double tolerance, int64_t max_iterations,
                     double *d);
    void (*state)(struct subsolver *, struct state *); /* what outlives a solve; NULL: nothing */
};

struct subsolver {
    const struct subsolver_ops *ops;
    int64_t size;
    const struct penalty *h1; /* what it is laid out for; its blocks are as many as there can be */
    int (*should_end)(void *driver); /* asked between long sweeps; NULL: never */
    void *driver;
    double foreseen, made;  /* sweeps of a descent: likely ones, 0 if nobody knows, and so far; */
    int64_t models;         /* in so many models */
    int64_t has_failed;     /* a matrix of this descent was of no use; it forms no other */
    int extrapolates;       /* coordinate descent: what it may do to need fewer and cheaper sweeps; */
    int64_t most_in_matrix; /* of how many coordinates it may form a matrix */
};

void dcpn_subsolver_state(struct subsolver *subsolver, struct state *state);

extern const struct subsolver_ops dcpn_subsolver_forward_backward, dcpn_subsolver_fista,
    dcpn_subsolver_coordinate_descent, dcpn_subsolver_block_descent;

#endif
