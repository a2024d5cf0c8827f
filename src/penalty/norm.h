/* SPDX-License-Identifier: BSD-3-Clause */
/* The term p(|x_g|) of one block: its weight and slope stand with the first coordinate of the block. */
#ifndef DCPN_SRC_NORM_H
#define DCPN_SRC_NORM_H

#include <math.h>

#include "penalty/scalar.h"

/* |x_g|; numbers of any size neither overflow nor vanish. */
static inline double dcpn_block_norm(const struct blocks *blocks, int64_t b, const double *x)
{
    const int64_t *g = dcpn_block_members(blocks, b), size = dcpn_block_size(blocks, b);
    double largest = 0.0, sum = 0.0;
    if (size == 1) return fabs(x[g[0]]);
    for (int64_t i = 0; i < size; i++) {
        double t = fabs(x[g[i]]);
        if (t > largest || isnan(t)) largest = t;
        sum += t * t;
    }
    if (largest == 0.0 || isnan(largest) || isinf(largest)) return largest;
    if (sum > 1e-280 && sum < 1e280) return sqrt(sum);
    sum = 0.0;
    for (int64_t i = 0; i < size; i++) sum += (x[g[i]] / largest) * (x[g[i]] / largest);
    return largest * sqrt(sum);
}

/* How far g is beyond [-c, c]. */
static inline double dcpn_beyond(double g, double c)
{
    double over = fabs(g) - c;
    return over < 0.0 ? 0.0 : over; /* NaN stays */
}

/* The coordinate that the term of the block goes by. */
static inline int64_t dcpn_block_term(const struct blocks *blocks, int64_t b)
{
    return blocks->member[blocks->start[b]];
}

/* What counts of a slope of F at x_j: nothing where it leads out of the box. With a norm the edges of it are at 0. */
static inline double dcpn_inward(const struct penalty *h, int64_t j, double x, double slope)
{
    if (!h->lower || x != 0.0) return slope;
    int leads_out = slope > 0.0 ? h->lower[j] == 0.0 : h->upper[j] == 0.0;
    return leads_out && !isnan(slope) ? 0.0 : slope;
}

/* |x_g + t d_g| - |x_g|; r = |x_g|, or 0 if nothing moves. */
double dcpn_block_norm_change(const struct blocks *blocks, int64_t b, const double *x, const double *d, double t,
                              double *r);
/* The same number for all coordinates of block b. */
void dcpn_block_spread(const struct blocks *blocks, int64_t b, double number, double *out);
/* out = x times a factor on block b; out may be x. */
void dcpn_block_scale(const struct blocks *blocks, int64_t b, double factor, const double *x, double *out);

/* The norm of what counts of the slopes g of a block at 0. */
double dcpn_block_inward_norm(const struct penalty *h, int64_t b, const double *g);
/* out = the point of the box that is nearest to x, where there is one; out may be x. */
void dcpn_block_project(const struct penalty *h, int64_t b, const double *x, double *out);

/* The slope of h1 at 0 for the norm of a block, and for a coordinate of it besides. */
static inline double dcpn_block_slope(const struct penalty *h1, int64_t b)
{
    return h1->composition->two_terms ? h1->blocks.c[b] : h1->c[dcpn_block_term(&h1->blocks, b)];
}

static inline double dcpn_member_slope(const struct penalty *h1, int64_t j)
{
    return h1->composition->two_terms ? h1->c[j] : 0.0;
}

#endif
