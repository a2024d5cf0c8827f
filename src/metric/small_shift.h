/* SPDX-License-Identifier: BSD-3-Clause */
/* What keeps a Hessian of f1 positive definite where the columns depend on one another: mu_j, a 1e-8th of the largest
 * diagonal there can be. Each column has its own, so that one of another scale has steps of another scale. */
#ifndef DCPN_SRC_SMALL_SHIFT_H
#define DCPN_SRC_SMALL_SHIFT_H

#include <math.h>

#include "base/tuning.h"
#include "base/vector.h"
#include "metric/metric.h"

struct small_shift {
    double *mu, least, largest;
};

/* sum_i w_i a_ij^2 of each column. */
static inline void dcpn_squares_of_columns(const struct metric *metric, double *squares)
{
    struct objective *F = metric->objective;
    if (metric->curvatures)
        dcpn_copy(metric->size, metric->curvatures, squares);
    else
        dcpn_design_curvatures(&F->design, F->loss.rows.w, squares);
}

/* mu has the largest diagonal there can be, and is found from it in place. */
static inline void dcpn_small_shift_find(struct small_shift *shift, int64_t size)
{
    shift->least = HUGE_VAL;
    shift->largest = 0.0;
    for (int64_t j = 0; j < size; j++) {
        double diagonal = shift->mu[j] > 0.0 ? shift->mu[j] : 1.0; /* an empty column has no scale */
        shift->mu[j] = fmax(HESSIAN_MU * diagonal, 1e-300);
        shift->least = fmin(shift->least, shift->mu[j]);
        shift->largest = fmax(shift->largest, shift->mu[j]);
    }
}

/* What is added to the diagonal: mu_j and, but for intercepts, the ridge. */
static inline double dcpn_shift_of_column(const struct small_shift *shift, const struct objective *F, int64_t j)
{
    return shift->mu[j] + (j < F->features ? F->ridge : 0.0);
}

#endif
