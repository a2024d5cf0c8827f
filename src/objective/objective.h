/* SPDX-License-Identifier: BSD-3-Clause */
/* F(x) = f1(x) - f2(x) + h1(x) - h2(x), and a point x with what is known there.
 *
 * f(x) = phi(u), u = A x + offset, and u travels beside x: then a trial point x + t d costs O(n), because A d is
 * computed once, and a smooth f that is no loss of a matrix is the same thing with A = I. The ridge term is part of f1
 * and leaves the intercept alone. */
#ifndef DCPN_SRC_OBJECTIVE_H
#define DCPN_SRC_OBJECTIVE_H

#include "loss/loss.h"
#include "matrix/matrix.h"
#include "penalty/penalty.h"

/* The last u for which A'r was computed, and that A'r. Copies of an objective share it; if slope is NULL nothing is
 * remembered. */
struct remembered {
    int64_t *slope; /* one number: what r is, SLOPE_NONE if there is nothing to remember */
    double *u, *product;
};
enum { SLOPE_NONE, SLOPE_PHI1, SLOPE_PHI };

/* sum_i w_i a_ij^2 of all columns. Where they are wanted, they are computed along with the first A'r, if one reading
 * of A suffices for both. */
struct column_squares {
    int64_t *known; /* one number: 1 if they are; NULL: not wanted */
    double *values;
};

struct objective {
    struct design design;
    struct loss loss;
    struct penalty penalty;
    double ridge;
    const double *offset; /* NULL: none */
    const double *tilt;   /* f has - tilt'x besides: the convex problems of DCA; NULL: none */
    int64_t rows;         /* length of u */
    double counted_rows;  /* each as often as its weight says: what limits on rows count */
    int64_t size;         /* length of x: the features, and 1 for an intercept */
    int64_t features;
    int f1_apart;   /* the metric asks for grad f1 by itself: one more product if f2 is not 0 */
    double *r, *r2; /* slopes of the rows */
    struct remembered last;
    double *largest_weight; /* of a row, on all ranks; NaN: not known. NULL: sums are plain */
    int wants_squares; /* sooner or later */
    struct column_squares squares;
    const struct column_work *along; /* done with the columns when all of A is read next, once; NULL: nothing */
};

struct point {
    double *x, *u;
    double value;      /* F(x) */
    double *gradient;  /* grad f = grad f1 - grad f2 */
    double *gradient1; /* grad f1; only if f1_apart */
};

void dcpn_objective_layout(struct objective *objective, struct arena *arena);
void dcpn_point_layout(const struct objective *objective, struct point *point, struct arena *arena);

/* Forgets everything that is remembered. Call this when the data have changed. */
void dcpn_objective_forget(struct objective *objective);
/* Forgets the last A'r. With it, another run would count less work than this one has done. */
void dcpn_objective_forget_product(struct objective *objective);
/* The largest weight of a row, on all ranks, where sums are exact. */
double dcpn_objective_largest_weight(const struct objective *objective);
/* sum_i w_i a_ij^2 of all columns, if they are wanted. */
const double *dcpn_objective_squares(struct objective *objective);
/* |a_j| of all columns; ones is space for a number per row. */
void dcpn_objective_norms(struct objective *objective, double *ones, double *norms);

/* F from x and u. */
void dcpn_point_value(struct objective *objective, struct point *point);
/* u and F from x alone. */
void dcpn_point_evaluate(struct objective *objective, struct point *point);
/* u from x alone, column by column, which rounds unlike the product A x. */
void dcpn_point_add_columns(struct objective *objective, struct point *point);
double dcpn_objective_smooth(const struct objective *objective, const double *x, const double *u); /* f */
/* The slopes of the rows, from u: what the gradients are made of. */
void dcpn_point_slopes(struct objective *objective, const struct point *point);
/* grad f and grad f1, by a product with A unless the last sweep has left it. */
void dcpn_point_gradients(struct objective *objective, struct point *point);
/* grad f of some columns, ascending, at a point of which the slopes of the rows are known. */
void dcpn_point_gradients_of(struct objective *objective, const struct point *point, const int64_t *columns,
                             int64_t count, double *space);
/* Is A'r at this point known already, so that its gradients cost nothing? */
int dcpn_point_is_remembered(const struct objective *objective, const struct point *point);
/* Computes du = A d. If one reading of A suffices for both, it also computes A'r at x + d, so that the gradients
 * there will cost nothing. */
void dcpn_objective_look_ahead(struct objective *objective, const struct point *point, const double *d, double *du);
/* F(x + t d) - F(x), du = A d, by terms that do not cancel. */
double dcpn_objective_change(const struct objective *objective, const struct point *point, const double *d,
                             const double *du, double t);
/* The same for several t, up to DCPN_MOST_TRIALS. */
void dcpn_objective_changes(const struct objective *objective, const struct point *point, const double *d,
                            const double *du, int count, const double *t, double *changes);
/* x += t d; change is what dcpn_objective_change said of it. */
void dcpn_point_move(const struct objective *objective, struct point *point, const double *d, const double *du,
                     double t, double change);

/* Returns a first scale, above 0, for a metric that has seen nothing yet: the curvature along the gradient, or one
 * with which the first step is about as long as x. scratch has rows entries. */
double dcpn_objective_first_curvature(struct objective *objective, const struct point *point, double *scratch);
/* Estimates the Lipschitz constant of grad f1 from below, by the power method; 0 if it cannot be told. */
double dcpn_objective_lipschitz_estimate(struct objective *objective, double *direction, double *scratch);
/* Bounds the same constant, sup(phi1'') |A'wA| + ridge, from above: at most a ninth above it, or by the trace; 0 if
 * it cannot be told. */
double dcpn_objective_lipschitz_bound(struct objective *objective, double *space);
int64_t dcpn_objective_lipschitz_space(const struct objective *objective); /* numbers that it needs */

#endif
