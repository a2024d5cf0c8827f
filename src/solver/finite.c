/* SPDX-License-Identifier: BSD-3-Clause */
/* Refuses results that are not finite. Sums of data near the ends of the range of doubles overflow, a column whose
 * deviation is 1e-310 has coefficients of 1e310, and a callback may return NaN. No test along the way would see all of
 * that, so what is about to leave the library is looked at. */
#include "solver/finite.h"

#include <math.h>

#include "base/context.h"

static const char SCALED[] = "expected a finite number; are the data and the settings scaled sensibly?";

static dcpn_status refuse_numbers(dcpn_context *context, const dcpn_result *r)
{
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"loss", r->loss_value},
                   {"penalty", r->penalty_value},
                   {"objective", r->objective},
                   {"stationarity", r->stationarity},
                   {"goal of the stationarity", r->stationarity_goal}};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (!isfinite(numbers[k].value))
            return dcpn_fail(context, DCPN_DATA, "the %s where the fit ended: found %g, %s", numbers[k].name,
                             numbers[k].value, SCALED);
    return DCPN_OK;
}

dcpn_status dcpn_refuse_infinite_result(dcpn_context *context, const struct leaving *leaving)
{
    DCPN_TRY(refuse_numbers(context, leaving->result));
    for (int64_t k = 0; k < leaving->count; k++)
        if (!isfinite(leaving->coefficients[k]))
            return dcpn_fail(context, DCPN_DATA, "coefficient %lld: found %g, %s",
                             (long long)(leaving->index ? leaving->index[k] : k) + 1, leaving->coefficients[k], SCALED);
    if (isfinite(leaving->intercept)) return DCPN_OK;
    return dcpn_fail(context, DCPN_DATA, "the intercept: found %g, %s", leaving->intercept, SCALED);
}

dcpn_status dcpn_refuse_beyond(const struct workspace *all)
{
    const struct active_set *s = all->active_set;
    if (!s || !s->room.is_beyond) return DCPN_OK;
    return dcpn_fail(
        all->plan->context, DCPN_USAGE,
        "--sums exact, which ranks need: found more than %lld coefficients of groups in use, whose products would not "
        "fit into one message; use a larger --lambda, or plain sums on one process",
        (long long)s->room.most);
}
