/* SPDX-License-Identifier: BSD-3-Clause */
/* A precision matrix under construction, of some of the variables: those that are joined by correlations, or all.
 *
 *     F(K) = -log det K + tr(S K) + ridge/2 |K|^2 + sum_{i != j} p(|K_ij|),     grad f = S - W + ridge K,     W = K^-1
 *
 * This is Algorithm 1 with the Hessian of f, D -> W D W + ridge D, as QUIC (Hsieh and others) has it for l1. The model
 * sees the entries that are not 0 or whose slope is above c = p'(0+): the pairs in use. */
#ifndef DCPN_SRC_PRECISION_H
#define DCPN_SRC_PRECISION_H

#include "base/positive.h"
#include "structured/graph_penalty.h"

/* An entry (row, column) with row <= column, and its mirror image. */
struct pairs {
    int64_t *begin;    /* column j has the pairs begin[j] .. begin[j + 1] - 1 */
    int64_t *row;      /* of a pair */
    double *slope;     /* v = grad f - z, z in dh2 */
    double *curvature; /* of the model along the entry, that of h included */
    double *bend;      /* ridge, and the curvature of h, which is not above 0 */
    double *move;      /* D */
    double *side;      /* of 0, on which K + D is: -1, 1, or 0 where it is 0 */
    double *space[4];
};

struct precision {
    dcpn_context *context;
    const struct graph_penalty *h;
    const int64_t *members; /* which of all variables these are */
    int64_t n, size;
    double ridge;
    double *S, *K; /* size x size, as all of these; rows beyond n are the identity's */
    double *U;     /* K = U'U */
    double *W;     /* K^-1 */
    double *DW;    /* D W while D is looked for */
    double *trial; /* the factor of another K */
    double *column;
    struct pairs pairs;
    struct positive_space space;
    struct arena arena;
};

/* When a descent ends, and how one has ended. */
struct precision_goals {
    double tol, goal, started_at;
    int (*observer)(void *user, double lambda, int64_t iteration, double objective, double violation);
    void *user;
    const dcpn_settings *settings;
};
struct precision_end {
    dcpn_outcome outcome;
    int64_t iterations;
    double violation;
};

/* Makes a precision matrix of the variables `members`. S, and the K to begin at, have h->variables rows and columns,
 * of which those of the members are taken. */
dcpn_status dcpn_precision_new(dcpn_context *context, const struct graph_penalty *h, double ridge, const double *S,
                               const double *K, int64_t n, const int64_t *members, struct precision *x);
void dcpn_precision_free(struct precision *x);
/* Returns how often a pair counts in sums over all entries. */
static inline double dcpn_pair_times(int64_t i, int64_t j)
{
    return i == j ? 1.0 : 2.0;
}

/* precision_look.c: computes W from U, the pairs in use with the model at K, and returns the largest violation. */
double dcpn_precision_look(struct precision *x, int with_bend);
/* precision_direction.c: finds D by sweeps over the pairs, until the slopes of the model are at most `enough`. */
void dcpn_precision_direct(struct precision *x, double enough);
/* precision_subspace.c: improves D among the pairs with K + D away from 0, by conjugate gradients. Returns 0 if an
 * entry met 0 on the way. */
int dcpn_precision_conjugate(struct precision *x, double enough, int64_t most);
/* Computes M = P W, where P has these values at the pairs. */
void dcpn_precision_multiply(const struct precision *x, const double *values, double *M);
/* precision_step.c: moves K to K + t D with the first t of 1, 1/2, 1/4 ... at which F falls enough; returns 0 if
 * there is none. *is_tiny: what could be gained is below the rounding of F. */
int dcpn_precision_step(struct precision *x, double armijo, int *is_tiny);
/* precision.c: descends until the violation is at most the goal. */
dcpn_status dcpn_precision_descend(struct precision *x, const struct precision_goals *goals, struct precision_end *end);
/* The two parts of F: -log det K + tr(S K) + ridge/2 |K|^2, and the penalty. */
double dcpn_precision_likelihood(const struct precision *x);
double dcpn_precision_penalty(const struct precision *x);

#endif
