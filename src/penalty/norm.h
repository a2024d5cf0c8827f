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

/* The coordinate that the term of the block goes by. */
static inline int64_t dcpn_block_term(const struct blocks *blocks, int64_t b)
{
    return blocks->member[blocks->start[b]];
}

/* The curvature of the term at x, which is not above 0: p'' along x_g, and (p' - c) / |x_g| across, which is that of
 * -h2. Returns 0, and leaves both, where there is none. */
int dcpn_block_bend(const struct penalty *penalty, int64_t b, const double *x, double *along, double *across);
/* p''(t) of the term with that index, from its slopes. */
double dcpn_p_bend(const struct penalty *penalty, int64_t j, double t);

#endif
