/* SPDX-License-Identifier: BSD-3-Clause */
/* The metric seam: H_k, positive definite, close to the Hessian of f1 at x_k. */
#ifndef DCPN_SRC_METRIC_H
#define DCPN_SRC_METRIC_H

#include "base/state.h"
#include "metric/products.h"
#include "objective/objective.h"

struct metric_settings {
    int64_t memory; /* lbfgs: pairs kept */
    int majorize;   /* H_k must make the quadratic model an upper bound of f1 */
    int clipped;    /* the curvature of f, kept positive, in the place of f1's */
};

struct metric;

/* A walk keeps H d current while single entries of d move. */
struct metric_walk {
    int (*exists)(const struct loss *); /* start, product, move and form work */
    void (*start)(struct metric *, const double *d);
    void (*soon)(const struct metric *, int64_t j);                 /* the next one but a few: a hint; or NULL */
    double (*product)(struct metric *, const double *d, int64_t j); /* (H d)_j */
    void (*move)(struct metric *, int64_t j, double delta);         /* d_j += delta */
    double (*form)(const struct metric *, const double *d);         /* d'Hd */
    int (*image)(const struct metric *, double *Ad);                /* 0, or NULL: it cannot tell */
    double (*coupling)(struct metric *, int64_t j); /* H_j0, 0 the intercept, whose moves cost nothing; or NULL */
};

/* H on some coordinates U, ascending, as a matrix. */
struct metric_gram {
    /* The work of forming it, in walks over U; infinite if it cannot be formed. NULL: a walk costs no more. */
    double (*sweeps)(const struct metric *, const int64_t *U, int64_t count);
    void (*form)(struct metric *, const int64_t *U, int64_t count, double *G);
    /* It forms H on few coordinates from their columns alone. NULL: that would take all of A. */
    void (*block)(struct metric *, const int64_t *U, int64_t count, double *M);
    int (*is_kept)(const struct metric *); /* the matrix of some U serves for others. NULL: it does not */
};

struct metric_ops {
    const char *name, *formula;
    size_t state_size; /* of the private struct, whose first member is struct metric */
    int f1_apart;      /* needs grad f1 by itself */
    int uses_squares;  /* sum_i w_i a_ij^2 of the columns, if it can have them */
    int remembers_f;   /* needs not be prepared again for another descent on the same f */
    double share;      /* of the stationarity, to which a direction is solved unless --inner-tol says otherwise */
    /* The reason why this metric cannot serve that objective; it returns NULL if it can. NULL: the metric has no
     * name of its own, but takes the place of `hessian` where that has been let through. */
    const char *(*refusal)(const struct loss *, const struct metric_settings *);
    int clips; /* may have more curvature than a non-convex f everywhere: steps beyond the model's minimum can pay */
    void (*layout)(struct metric *, struct arena *);
    void (*prepare)(struct metric *); /* before the first update of a descent */
    /* To x_k; t is the step that led there, 0 at k = 0. */
    void (*update)(struct metric *, const struct point *, double t);
    void (*apply)(struct metric *, const double *d, double *Hd);
    double (*diagonal)(const struct metric *, int64_t j); /* where a walk exists */
    double (*lower_bound)(const struct metric *);         /* m: H >= m I */
    double (*upper_bound)(const struct metric *);         /* H <= bound I; loose is fine */
    struct metric_walk walk;
    struct metric_gram gram;
    void (*state)(struct metric *, struct state *); /* what outlives an update; NULL: nothing */
};

struct metric {
    const struct metric_ops *ops;
    struct objective *objective;
    struct metric_settings settings;
    int64_t size;
    const double *curvatures;  /* sum_i w_i a_ij^2 of the columns, if somebody has them; NULL: nobody */
    struct products *products; /* of the columns at the largest weights that there can be; NULL: nobody keeps them */
    int64_t safeguards;        /* times H was kept positive definite by other means than its formula */
    int is_cut;                /* since the update products were left out, because the work was interrupted */
    int careful;               /* updates left that take curvature to spare, after a step that had to be cut short */
};

void dcpn_metric_state(struct metric *metric, struct state *state);
int dcpn_metric_always_walks(const struct loss *loss); /* 1 */

/* A metric for walks alone: a matrix. */
struct matrix_metric {
    struct metric metric;
    const double *G; /* size x size */
    double *Gd;
};
extern const struct metric_ops dcpn_metric_matrix;

extern const struct metric_ops dcpn_metric_identity, dcpn_metric_identity_backtracked, dcpn_metric_barzilai_borwein,
    dcpn_metric_lbfgs, dcpn_metric_seeded_lbfgs, dcpn_metric_hessian;
/* In the place of `hessian` where the scores of a row share something. */
extern const struct metric_ops dcpn_metric_shared_hessian;
/* And where phi is no sum over rows. */
extern const struct metric_ops dcpn_metric_coupled_hessian;
/* And where sums over rows are exact: a matrix in memory. */
extern const struct metric_ops dcpn_metric_gram_hessian;

#endif
