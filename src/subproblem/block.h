/* SPDX-License-Identifier: BSD-3-Clause */
/* A quadratic model by its blocks: what a block sees, and the move of one to where the model is least,
 *     argmin_b 1/2 b'Mb - a'b + c |b|, and sum_j c_j |b_j| of sparse groups,  M = H_gg and the curvature of h there.
 * M is factored once for each model. Blocks that are too large for that go by their coordinates. */
#ifndef DCPN_SRC_BLOCK_H
#define DCPN_SRC_BLOCK_H

#include "subproblem/subproblem.h"

enum { DCPN_LARGEST_FACTORED = 48 }; /* coordinates of a block that is factored */

struct block_factors {
    int64_t *place; /* of a block's factor in the pool; BLOCK_UNKNOWN or BLOCK_BY_COORDINATES */
    double *along;  /* the curvature of h that is in the factor */
    double *pool;
    int64_t room, used;
    double *q, *y, *bend; /* of the block that is looked at: its slopes, x + d, and the curvature of h times d */
};
enum { BLOCK_UNKNOWN = -1, BLOCK_BY_COORDINATES = -2 };

void dcpn_block_factors_layout(struct block_factors *factors, const struct blocks *blocks, struct arena *arena);
/* Forgets all factors, for another model. */
void dcpn_block_factors_forget(struct block_factors *factors, int64_t blocks);
/* Factors block b unless that was done before. Its curvature of h is known from then on. */
void dcpn_block_know(struct block_factors *factors, const struct quadratic_model *model, int64_t b);

/* Minimises over block b; returns its violation before: how far 0 is from q_g + dh1, q = v + H d. */
double dcpn_block_minimize(struct block_factors *factors, const struct quadratic_model *model, int64_t b, double *d);
/* Returns the violation of block b at d = 0. */
double dcpn_block_violation_at_start(struct block_factors *factors, const struct quadratic_model *model, int64_t b);
/* Computes out = B d_g, where B is the curvature of h in the block's factor; returns d_g'B d_g. */
double dcpn_block_bend_product(const struct block_factors *factors, const struct quadratic_model *model, int64_t b,
                               const double *d, double *out);
/* h1(x_g + d_g) - h1(x_g) */
double dcpn_block_h1_change(const struct quadratic_model *model, int64_t b, const double *d);

/* block_root.c: solves argmin_b 1/2 b'Mb - a'b + c |b| for norm = |a| > c, given M = V' diag(values) V and Va; V b
 * takes the place of Va. */
void dcpn_block_root(int64_t size, const double *values, double c, double norm, double *Va);
/* argmin_s 1/2 h s^2 - m s + c1 |s| + c sqrt(s^2 + rest) */
double dcpn_coordinate_root(double h, double m, double c1, double c, double rest);

#endif
