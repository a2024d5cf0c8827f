/* SPDX-License-Identifier: BSD-3-Clause */
/* The measure v_k of a path at lambda_0 > lambda_1 > ..., smaller being better, begins at v_0, of a model without
 * features or nearly so, and gains v_0 - b until its best b. It is clearly worse at k when
 *     v_k > b + CV_CLEARLY_WORSE (v_0 - b),
 * and the path has gone far enough when that has been so for `limit` lambdas in a row: a function of the values alone,
 * and of neither clocks nor threads. */
#include "selection/patience.h"

#include <math.h>

#include "base/tuning.h"

struct patience dcpn_patience_new(int64_t asked, int64_t lambdas, int larger_is_better)
{
    int64_t usual = lambdas / CV_PATIENCE_SHARE;
    if (usual < CV_LEAST_PATIENCE) usual = CV_LEAST_PATIENCE;
    return (struct patience){.limit = asked < 0   ? 0
                                      : asked > 0 ? asked
                                                  : usual,
                             .sign = larger_is_better ? -1.0 : 1.0,
                             .best = INFINITY};
}

void dcpn_patience_see(struct patience *patience, double value)
{
    double cost = patience->sign * value;
    patience->seen++;
    if (isnan(cost)) return;
    if (isinf(patience->best)) patience->first = cost;
    if (cost < patience->best) patience->best = cost;
    double clearly = patience->best + CV_CLEARLY_WORSE * (patience->first - patience->best);
    patience->worse = cost > clearly ? patience->worse + 1 : 0;
}

int dcpn_patience_is_over(const struct patience *patience)
{
    return patience->limit > 0 && patience->worse >= patience->limit;
}
