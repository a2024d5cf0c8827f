/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of a test, and F with its certificate under them once more: by the textbook formulas, in long double. */
#ifndef DCPN_TESTS_PROBLEMS_GROUPS_H
#define DCPN_TESTS_PROBLEMS_GROUPS_H

#include "support/problems_naive.h"

struct problems_groups {
    int64_t count;
    const int64_t *start, *member;
    const double *weights; /* NULL: the standard ones */
};

/* Bounds, each 0 or infinite; NULL: there are none. */
struct problems_box {
    const double *lower, *upper;
};

/* F at x, and the largest violation of stationarity, of a problem without bounds and on unscaled columns. A feature in
 * no group has a term of its own. Ridge, weights, offset and factors count, factors of the features in groups but once,
 * as that of the group. */
struct problems_naive problems_naive_of_groups(const struct problems_data *data, const dcpn_settings *settings,
                                               const struct problems_groups *groups, const double *x,
                                               double intercept);

/* The same within bounds, for norms and sparse groups. */
struct problems_naive problems_naive_in_box(const struct problems_data *data, const dcpn_settings *settings,
                                            const struct problems_groups *groups, const struct problems_box *box,
                                            const double *x, double intercept);

/* The largest violation under groups within groups that together have every feature, factors 1. */
double problems_tree_stationarity(const struct problems_data *data, const dcpn_settings *settings,
                                  const struct problems_groups *groups, const double *x, double intercept);

/* The prox of lambda sum_g sqrt(size) |x_g| at the labels, whatever the groups share; there are as many rows as
 * columns. */
void problems_tree_prox(const struct problems_data *data, const dcpn_settings *settings,
                        const struct problems_groups *groups, double *out);

#endif
