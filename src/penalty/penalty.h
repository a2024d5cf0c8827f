/* SPDX-License-Identifier: BSD-3-Clause */
/* The penalty as the solver sees it: h = h1 - h2 on the whole vector x.
 *
 * Separable (a table of scalar functions p): h1 = sum_j c_j |x_j|, h2 = sum_j c_j |x_j| - p(|x_j|), c_j = p'(0+).
 * With blocks (blocks.h) the same p of blocks of coordinates. Otherwise the caller's own h1 and h2. The last coordinate
 * may be an intercept, which has no penalty. */
#ifndef DCPN_SRC_PENALTY_H
#define DCPN_SRC_PENALTY_H

#include <math.h>

#include "base/arena.h"
#include "dcpn/extend.h"
#include "penalty/blocks.h"

#define DCPN_EDGE 1e-14 /* of a bound: as near to it as x + (bound - x) may come */

struct penalty {
    const dcpn_penalty_ops *ops;           /* NULL: own */
    const dcpn_regularizer *own;           /* NULL: separable */
    const struct composition *composition; /* NULL: each coordinate has its own term */
    struct blocks blocks;                  /* of a composition */
    const dcpn_penalty_ops *inner;         /* of the coordinates of a block, where it has one of its own; NULL: none */
    double mix;                            /* sparse: the share of the coordinates' own terms */
    dcpn_penalty_shape shape;
    double base_lambda;    /* before the factors */
    const double *factors; /* one per feature; NULL: all 1 */
    struct {
        const double *lower, *upper; /* bounds, one per feature; NULL: none */
        const double *scale;         /* they are multiplied by; NULL: 1 */
    } given;
    int first_only;          /* h1 in the place of h: the convex problems of DCA */
    int64_t features;        /* penalised coordinates */
    int64_t size;            /* features, and 1 for an intercept */
    double *lambda;          /* separable: factor_j lambda, 0 for the intercept */
    double *c;               /* separable: slope of h1 */
    double *lower, *upper;   /* separable: the box, which holds 0 and belongs to h1; NULL: there is none */
    double *trial, *forward; /* own: points; composition: trial is a number for each coordinate */
};

void dcpn_penalty_layout(struct penalty *penalty, struct arena *arena);
void dcpn_penalty_prepare(struct penalty *penalty); /* fills lambda and c */

/* Has each coordinate its own term of h? And of h1? */
int dcpn_penalty_separable(const struct penalty *penalty);
int dcpn_penalty_has_separable_h1(const struct penalty *penalty);
double dcpn_penalty_value(const struct penalty *penalty, const double *x);
/* h1(x + d) - h1(x), term by term: the difference of two sums cancels and stops the line search early. */
double dcpn_penalty_h1_change(const struct penalty *penalty, const double *x, const double *d);
/* h(x + t d) - h(x), term by term. */
double dcpn_penalty_change(const struct penalty *penalty, const double *x, const double *d, double t);
/* Computes z in dh2(x). Where h2 has a kink, z_j is the end of dh2_j(x_j) at which the violation is larger, given g
 * = grad f. */
void dcpn_penalty_linearize(const struct penalty *penalty, const double *x, const double *g, double *z);
double dcpn_penalty_h2_slope(const struct penalty *penalty, int64_t j, double x,
                             double g); /* of coordinate j; separable only */
/* out = argmin_y |y - x|^2 / (2 step) + h1(y) */
void dcpn_penalty_prox1(const struct penalty *penalty, const double *x, double step, double *out);
/* out = a global minimiser of |y - x|^2 / (2 step) + h(y); only if dcpn_penalty_has_prox. */
void dcpn_penalty_prox(const struct penalty *penalty, const double *x, double step, double *out);
double dcpn_penalty_prox_at(const struct penalty *penalty, int64_t j, double x, double step); /* of coordinate j */
double dcpn_penalty_change_at(const struct penalty *penalty, int64_t j, double x, double d);  /* h_j(x + d) - h_j(x) */
int dcpn_penalty_has_prox(const struct penalty *penalty);
int dcpn_penalty_has_h2(const struct penalty *penalty);
/* Computes out_j = p'(|x_j|), the weights of the reweighted l1 norm, and block_out, the weights of norms, if both
 * have terms. At a kink it takes the side with the larger violation, given g = grad f, or the right side if g is
 * NULL. Not for the caller's own h. */
void dcpn_penalty_slopes(const struct penalty *penalty, const double *x, const double *g, double *out,
                         double *block_out);
/* Computes out_j = p''(|x_j|), which is not above 0, from slopes of p; 0 where x_j is 0. For a block it is the
 * curvature along x_g. Not for the caller's own h. */
void dcpn_penalty_bend(const struct penalty *penalty, const double *x, double *out);
/* Returns the largest -p'' of feature j, or of its block, which is no less; NaN if it is not known. */
double dcpn_penalty_concavity(const struct penalty *penalty, int64_t j);
/* Slope of h1 at 0 for a feature of factor 1; 0 for the caller's own. */
double dcpn_penalty_reference_slope(const struct penalty *penalty);
/* Refuses a weight at which the slope of the penalty at 0 is no double. */
dcpn_status dcpn_refuse_infinite_penalty(dcpn_context *context, const struct penalty *penalty);

/* The first computes how far 0 is from grad_j f + dh1_j - z_j in each coordinate, an intercept included. The second
 * marks the coordinates that are in use or not penalised, those of a block together. Only with a composition. */
void dcpn_penalty_violations(const struct penalty *penalty, const double *x, const double *g, double *out);
void dcpn_penalty_mark_in_use(const struct penalty *penalty, const double *x, double *out);

/* Returns how far 0 is from grad_j f + dh1_j - z_j, at the worst z_j in dh2_j(x_j). Separable only. */
double dcpn_penalty_violation(const struct penalty *penalty, int64_t j, double x, double g);
/* Returns the largest violation of all coordinates. For the caller's own h it is the largest |x - prox_h1(x - g +
 * z)|, which is 0 at the same points. */
double dcpn_penalty_largest_violation(const struct penalty *penalty, const double *x, const double *g, const double *z);

/* argmin over y of (y - t)^2 / (2 step) + c |y| */
static inline double dcpn_soft_threshold(double t, double threshold)
{
    if (t > threshold) return t - threshold;
    if (t < -threshold) return t + threshold;
    return 0.0;
}

/* Is there a box at all? */
static inline int dcpn_penalty_bounded(const struct penalty *penalty)
{
    return penalty->given.lower || penalty->given.upper;
}

/* Returns the point of the box that is nearest to y. A point within the rounding of an x + d from an edge is on the
 * edge. An infinite edge is near to no point: inf - inf compares false. */
static inline double dcpn_penalty_clamp(const struct penalty *penalty, int64_t j, double y)
{
    if (!penalty->lower) return y;
    double lower = penalty->lower[j], upper = penalty->upper[j];
    if (y >= upper - DCPN_EDGE * fabs(upper)) return upper;
    if (y <= lower + DCPN_EDGE * fabs(lower)) return lower;
    return y;
}

/* argmin over y in the box of (y - t)^2 / 2 + threshold |y| */
static inline double dcpn_penalty_prox1_of(const struct penalty *penalty, int64_t j, double t, double threshold)
{
    return dcpn_penalty_clamp(penalty, j, dcpn_soft_threshold(t, threshold));
}

/* How far 0 is from [low, high], the slopes of F (or of a model of it) at y to the left and to the right. At an edge of
 * the box the side that leads out of it does not count. */
static inline double dcpn_penalty_escape(const struct penalty *penalty, int64_t j, double y, double low, double high)
{
    double down = low, up = -high;
    if (isnan(low) || isnan(high)) return NAN;
    if (penalty->lower && y <= penalty->lower[j] + DCPN_EDGE * fabs(penalty->lower[j])) down = 0.0;
    if (penalty->lower && y >= penalty->upper[j] - DCPN_EDGE * fabs(penalty->upper[j])) up = 0.0;
    return fmax(fmax(down, up), 0.0);
}

/* Returns the violation of a coordinate at 0, where grad_j f = g. Most problems have no box, and |g| alone decides. */
static inline double dcpn_penalty_violation_at_0(const struct penalty *penalty, int64_t j, double g)
{
    double c = penalty->c[j], over = fabs(g) - c;
    if (penalty->lower) return dcpn_penalty_escape(penalty, j, 0.0, g - c, g + c);
    return over < 0.0 ? 0.0 : over;
}

/* Returns the violation of coordinate j at y in a model with the penalty c |y|, where the slope of the rest is q. */
static inline double dcpn_penalty_escape1(const struct penalty *penalty, int64_t j, double y, double q)
{
    double c = penalty->c[j];
    if (y == 0.0) return dcpn_penalty_escape(penalty, j, y, q - c, q + c);
    return dcpn_penalty_escape(penalty, j, y, q + copysign(c, y), q + copysign(c, y));
}

/* Returns the candidate with the smallest (y - t)^2 / (2 step) + p(y), at a tie the larger one; the prox of a
 * penalty is found in this way. */
double dcpn_best_candidate(const dcpn_penalty_ops *ops, const dcpn_penalty_shape *shape, double lambda, double step,
                           double t, const double *candidates, int count);

extern const dcpn_penalty_ops dcpn_penalty_l1, dcpn_penalty_capped_l1, dcpn_penalty_scad, dcpn_penalty_mcp,
    dcpn_penalty_exponential, dcpn_penalty_log, dcpn_penalty_lp;

#endif
