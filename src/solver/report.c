/* SPDX-License-Identifier: BSD-3-Clause */
/* The report that an observer is shown. */
#include "base/clock.h"
#include "base/vector.h"
#include "solver/solver.h"

void dcpn_report_begin(struct report *report, const struct plan *plan, const dcpn_settings *settings)
{
    *report = (struct report){.shown = {.k = -1},
                              .may_rise = plan->parts.algorithm->may_rise && settings->nonmonotone};
}

const dcpn_progress *dcpn_report_step(struct report *report, const struct algorithm *a, int counts,
                                      int64_t touched, const struct workspace *all)
{
    dcpn_progress *shown = &report->shown;
    if (counts && (report->may_rise || shown->k < 0 || !(a->point.value > shown->objective))) {
        shown->objective = a->point.value;
        shown->stationarity = a->stationarity;
        shown->decrease = a->direction.D;
        shown->step = a->search.t;
        shown->nonzeros = dcpn_plan_count(all->plan, a->objective.features, a->point.x);
    }
    shown->inner_iterations = a->direction.iterations;
    shown->k = a->watch->steps;
    shown->passes = dcpn_passes_of(all, touched);
    shown->time_s = dcpn_clock_s() - a->watch->started_at;
    return shown;
}
