/* SPDX-License-Identifier: BSD-3-Clause */
/* What every metric shares. */
#include "metric/metric.h"

void dcpn_metric_state(struct metric *metric, struct state *state)
{
    DCPN_STATE(state, metric->safeguards);
    DCPN_STATE(state, metric->careful);
    if (metric->ops->state) metric->ops->state(metric, state);
}

int dcpn_metric_always_walks(const struct loss *loss)
{
    (void)loss;
    return 1;
}
