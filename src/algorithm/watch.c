/* SPDX-License-Identifier: BSD-3-Clause */
/* When a run has to end although it is not done. */
#include "algorithm/watch.h"

#include "base/clock.h"
#include "base/interrupt.h"

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

int dcpn_watch_ends(struct watch *watch)
{
    if (watch->is_over) return 1;
    if (is_interrupted(watch)) return end(watch, DCPN_INTERRUPTED);
    if (watch->steps >= watch->most_steps) return end(watch, DCPN_MAX_ITERATIONS);
    return dcpn_clock_s() >= watch->until ? end(watch, DCPN_MAX_TIME) : 0;
}

int dcpn_watch_cuts(void *user)
{
    struct watch *watch = user;
    if (!watch->is_cut && (is_interrupted(watch) || dcpn_clock_s() >= watch->until)) watch->is_cut = 1;
    return watch->is_cut;
}

void dcpn_watch_step(struct watch *watch, const struct algorithm *algorithm, int counts)
{
    int is_start_of_another = watch->steps == watch->seen_steps;
    if (!watch->see || is_start_of_another) return;
    watch->seen_steps = watch->steps;
    if (watch->see(watch->user, algorithm, counts)) end(watch, DCPN_INTERRUPTED);
}
