/* SPDX-License-Identifier: BSD-3-Clause */
/* What every subproblem solver shares. */
#include "subproblem/subproblem.h"

void dcpn_subsolver_state(struct subsolver *subsolver, struct state *state)
{
    DCPN_STATE(state, subsolver->foreseen);
    DCPN_STATE(state, subsolver->made);
    DCPN_STATE(state, subsolver->has_failed);
    if (subsolver->ops->state) subsolver->ops->state(subsolver, state);
}
