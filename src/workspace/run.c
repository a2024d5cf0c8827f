/* SPDX-License-Identifier: BSD-3-Clause */
/* What settings say of a run. */
#include "workspace/run.h"

#include <string.h>

#include "base/tuning.h"

struct watch dcpn_watch_of(const dcpn_settings *s, const struct plan *plan, double started_at)
{
    int counts_problems = plan->parts.algorithm->counts_convex_problems;
    int64_t most = counts_problems && s->dc_max < s->max_iter ? s->dc_max : s->max_iter;
    return (struct watch){.context = plan->context,
                          .started_at = started_at,
                          .until = started_at + s->max_time_s,
                          .most_steps = most,
                          .seen_steps = -1};
}

struct effort dcpn_effort_of(const dcpn_settings *s, const struct plan *plan, double goal)
{
    int by_change = strcmp(s->stop, "relative-change") == 0;
    int may_rise = plan->parts.algorithm->may_rise && s->nonmonotone;
    return (struct effort){.goal = by_change ? 0.0 : goal,
                           .little = by_change ? s->relative_tol : 0.0,
                           .calm = may_rise ? CALM_WHERE_F_MAY_RISE : 1,
                           .steps = INT64_MAX,
                           .is_shown = 1};
}
