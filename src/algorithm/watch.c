/* SPDX-License-Identifier: BSD-3-Clause */
/* When a run has to end although it is not done. */
#include "algorithm/watch.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/ranks.h"

static int end(struct watch *watch, dcpn_outcome reason)
{
    if (!watch->is_over) watch->reason = reason;
    watch->is_over = 1;
    return 1;
}

static int is_interrupted(const struct watch *watch)
{
    return dcpn_is_interrupted(watch->context) || (watch->interrupted && *watch->interrupted);
}

/* Has the run been told to end? With ranks, the wish of this rank goes along with its next message, and only what
 * all ranks have been told counts. */
static int told(struct watch *watch, dcpn_outcome *reason)
{
    int is_late = dcpn_context_rank(watch->context) == 0 && dcpn_clock_s() >= watch->until;
    if (is_interrupted(watch))
        dcpn_ranks_wish(watch->context, 1);
    else if (is_late)
        dcpn_ranks_wish(watch->context, INT64_C(1) << 32);
    int64_t wishes = dcpn_ranks_told(watch->context);
    *reason = wishes & UINT32_MAX ? DCPN_INTERRUPTED : DCPN_MAX_TIME;
    return wishes != 0 || dcpn_ranks_has_failed(watch->context);
}

int dcpn_watch_ends(struct watch *watch)
{
    dcpn_outcome reason;
    if (watch->is_over) return 1;
    if (dcpn_has_ranks(watch->context)) {
        if (told(watch, &reason)) return end(watch, reason);
        return watch->steps >= watch->most_steps ? end(watch, DCPN_MAX_ITERATIONS) : 0;
    }
    if (is_interrupted(watch)) return end(watch, DCPN_INTERRUPTED);
    if (watch->steps >= watch->most_steps) return end(watch, DCPN_MAX_ITERATIONS);
    return dcpn_clock_s() >= watch->until ? end(watch, DCPN_MAX_TIME) : 0;
}

int dcpn_watch_cuts(void *user)
{
    struct watch *watch = user;
    dcpn_outcome reason;
    if (dcpn_has_ranks(watch->context)) return watch->is_cut = watch->is_cut || told(watch, &reason);
    if (!watch->is_cut && (is_interrupted(watch) || dcpn_clock_s() >= watch->until)) watch->is_cut = 1;
    return watch->is_cut;
}

void dcpn_watch_step(struct watch *watch, const struct algorithm *algorithm, int counts)
{
    int is_start_of_another = watch->steps == watch->seen_steps;
    if (!watch->see || is_start_of_another) return;
    watch->seen_steps = watch->steps;
    if (!watch->see(watch->user, algorithm, counts)) return;
    if (dcpn_has_ranks(watch->context))
        dcpn_ranks_wish(watch->context, 1);
    else
        end(watch, DCPN_INTERRUPTED);
}
