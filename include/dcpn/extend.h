/* SPDX-License-Identifier: BSD-3-Clause */
/* The seams: write your own loss, penalty, smooth f or non-smooth h. Every built-in part is written against these same
 * tables. A NULL entry means "does not exist"; what that implies stands beside it. */
#ifndef DCPN_EXTEND_H
#define DCPN_EXTEND_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Loss: phi(u) = sum_i w_i (phi1(u_i; y_i) - phi2(u_i; y_i)), phi1 and phi2 convex, u = A x + offset ------------
 * The functions work on the rows begin <= i < end. The library calls them on fixed blocks of rows, from several
 * threads, and adds the results in a fixed order. */
typedef struct dcpn_loss {
    const struct dcpn_loss_ops *ops;
    int64_t rows;
    int64_t width;    /* scores a row; 0: one */
    const double *y;  /* -1 or +1 for DCPN_CLASSES, finite for DCPN_NUMBERS */
    const double *w;  /* row weights >= 0 */
    double parameter; /* the value of the setting that ops->parameter names */
    double second;    /* that of the other one, if it names two */
    void *user;       /* as given to dcpn_problem_set_loss */
    int level;        /* of instructions, for the library's own losses */
} dcpn_loss;

/* DCPN_NO_TARGETS: the loss of a row without a label, which reads no y. DCPN_MANY_CLASSES: `width` scores a row, one
 * for each class. Score k of row i is then u[k rows + i], and y and w are numbered likewise: y is 1 in the class of the
 * row and 0 in the others, w the same in all; the functions still work on the rows begin <= i < end, with all of their
 * scores. DCPN_SURVIVAL: times of events, and below 0 those at which rows were censored. DCPN_ORDERED_CLASSES: numbers
 * of classes, whose order counts. Only the library's own losses take these two. */
typedef enum dcpn_targets {
    DCPN_CLASSES,
    DCPN_NUMBERS,
    DCPN_NO_TARGETS,
    DCPN_MANY_CLASSES,
    DCPN_SURVIVAL,
    DCPN_ORDERED_CLASSES
} dcpn_targets;

/* What labels and scores stand for. */
typedef struct dcpn_response {
    int (*takes)(double y);          /* may a label be y? NULL: any number */
    const char *takes_what;          /* the labels it takes, in words */
    double (*probability)(double u); /* of the positive class; NULL: the loss has no probabilities */
    double (*mean)(
        double u); /* the response that a score stands for, which is what is predicted; NULL: the score itself */
    /* inf over u of phi(u; y): a deviance counts from there, so that a model that explains all has none; NULL: 0 */
    double (*least)(const dcpn_loss *, double y);
} dcpn_response;

typedef struct dcpn_loss_ops {
    const char *name;
    const char *formula;   /* phi, as `dcpn list` prints it */
    const char *split;     /* phi1 and phi2 where phi2 is not 0 */
    const char *parameter; /* the setting it reads ("tau"), or two ("quantile smoothing"); NULL: none */
    dcpn_targets targets;
    double (*value)(const dcpn_loss *, int64_t begin, int64_t end, const double *u);
    double (*value1)(const dcpn_loss *, int64_t begin, int64_t end, const double *u); /* NULL: as change1 */
    double (*value2)(const dcpn_loss *, int64_t begin, int64_t end, const double *u); /* NULL: phi2 = 0 */
    /* phi(u + t du) - phi(u), row by row in a form that does not cancel: the line search lives on it */
    double (*change)(const dcpn_loss *, int64_t begin, int64_t end, const double *u, const double *du, double t);
    /* phi1(u + t du) - phi1(u), likewise; NULL: phi2 = 0, or else the algorithm dca is refused */
    double (*change1)(const dcpn_loss *, int64_t begin, int64_t end, const double *u, const double *du, double t);
    void (*slope1)(const dcpn_loss *, int64_t begin, int64_t end, const double *u, double *r);     /* r = w phi1'(u) */
    void (*slope2)(const dcpn_loss *, int64_t begin, int64_t end, const double *u, double *r);     /* NULL: phi2 = 0 */
    void (*curvature1)(const dcpn_loss *, int64_t begin, int64_t end, const double *u, double *c); /* w phi1''(u);
                                                                                NULL: the metric hessian is refused */
    void (*curvature2)(const dcpn_loss *, int64_t begin, int64_t end, const double *u, double *c); /* w phi2''(u);
                                                       NULL: phi2 = 0, or the metric makes do with phi1'' alone */
    /* w c, c >= phi1''(u) the curvature of a parabola that touches phi1 at u and lies above it: what the metric
     * takes for a while when steps with phi1'' had to be cut short; NULL: phi1'' will do */
    void (*touching1)(const dcpn_loss *, int64_t begin, int64_t end, const double *u, double *c);
    double (*curvature1_sup)(const dcpn_loss *); /* sup of phi1''; NULL: no Lipschitz bound, --majorize is refused */
    /* The slope vanishes far from 0. DCPN_NUMBERS, phi being one of u - y alone: an intercept starts at the median of
     * y, not at 0. DCPN_CLASSES: a path whose null model has gone there takes the intercept of phi1 instead. */
    int flat_far_out;
    dcpn_response response;
    /* DCPN_MANY_CLASSES: s = w p, by which the Hessian of a row is diag(s) - s s' / w; curvature1 is its diagonal */
    void (*shares)(const dcpn_loss *, int64_t begin, int64_t end, const double *u, double *s);
    /* phi is no sum over rows: every function is asked for all rows at once, and curvature1 is a diagonal above the
     * Hessian of phi1, of which this is a product: out = Hessian at u times E. NULL: phi is a sum over rows */
    void (*product1)(const dcpn_loss *, const double *u, const double *E, double *out);
} dcpn_loss_ops;

/* ---- Penalty: h(x) = sum_j p(|x_j|), p concave and increasing on t >= 0, p(0) = 0, finite slope c = p'(0+) ---------
 * Then h1 = c |t| and h2 = c |t| - p(|t|) are convex. lambda is the feature's own: factor_j times the setting. */
typedef struct dcpn_penalty_shape {
    double theta, a, gamma, p, eps; /* the settings of these names, in raw units */
    double unit;                    /* 1 / the curvature of the problem; 1 with --shape-units raw */
    void *user;                     /* as given to dcpn_problem_set_penalty */
} dcpn_penalty_shape;

typedef enum dcpn_side { DCPN_LEFT, DCPN_RIGHT } dcpn_side;

typedef struct dcpn_penalty_ops {
    const char *name;
    const char *formula;
    const char *parameters; /* the settings it reads, "theta" or "p eps"; NULL: lambda alone */
    int convex;             /* p is linear: h2 = 0 */
    double (*value)(const dcpn_penalty_shape *, double lambda, double t); /* p(t), t >= 0 */
    /* c = p'(0+): ascends with lambda, and is finite and beyond any slope of the loss at 1e100, which stands for a
     * lambda that keeps every feature out */
    double (*slope0)(const dcpn_penalty_shape *, double lambda);
    double (*slope)(const dcpn_penalty_shape *, double lambda, double t, dcpn_side side); /* p'(t-) or p'(t+), t > 0 */
    /* A global minimiser over y >= 0 of (y - t)^2 / (2 step) + p(y), for t >= 0; at a tie the larger one.
     * NULL: the prox of the whole h does not exist in closed form. */
    double (*prox)(const dcpn_penalty_shape *, double lambda, double step, double t);
    /* The largest -p'' on t > 0; infinite if p has a kink. NULL: not known, and paths do not say where F is convex. */
    double (*concavity)(const dcpn_penalty_shape *, double lambda);
    /* Takes the shape from units of the problem to raw ones, by its unit and lambda (docs/numerics.md). NULL: it has no
     * units, and its parameters are taken as they are. */
    void (*to_raw)(dcpn_penalty_shape *, double lambda);
} dcpn_penalty_ops;

/* ---- A smooth f = f1 - f2 of your own, f1 and f2 convex ----------------------------------------------------------*/
typedef struct dcpn_smooth {
    int64_t size; /* number of variables */
    double (*value1)(void *user, const double *x);
    void (*gradient1)(void *user, const double *x, double *gradient);
    double (*value2)(void *user, const double *x); /* NULL: f2 = 0 */
    void (*gradient2)(void *user, const double *x, double *gradient);
    /* product = (Hessian of f1 at x) d; NULL: the metric hessian is refused */
    void (*hessian1_product)(void *user, const double *x, const double *d, double *product);
    double lipschitz1; /* a Lipschitz constant of grad f1; 0: unknown */
    void *user;
} dcpn_smooth;

/* ---- A non-smooth h = h1 - h2 of your own, not necessarily separable ---------------------------------------------*/
typedef struct dcpn_regularizer {
    double (*value1)(void *user, int64_t size, const double *x);
    double (*value2)(void *user, int64_t size, const double *x);                /* NULL: h2 = 0 */
    void (*subgradient2)(void *user, int64_t size, const double *x, double *z); /* z in dh2(x) */
    /* out = argmin_y |y - x|^2 / (2 step) + h1(y); out and x do not overlap */
    void (*prox1)(void *user, int64_t size, const double *x, double step, double *out);
    void *user;
} dcpn_regularizer;

#ifdef __cplusplus
}
#endif
#endif
