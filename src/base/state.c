/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting, saving and restoring the numbers of a part. */
#include "base/state.h"

#include <string.h>

void dcpn_state_bytes(struct state *state, void *memory, size_t count)
{
    int fits = state->use == DCPN_STATE_COUNT || (state->used <= state->size && count <= state->size - state->used);
    if (!fits) {
        state->used = SIZE_MAX;
        return;
    }
    if (count > 0 && memory && state->use == DCPN_STATE_SAVE) memcpy(state->bytes + state->used, memory, count);
    if (count > 0 && memory && state->use == DCPN_STATE_RESTORE) memcpy(memory, state->bytes + state->used, count);
    state->used += count;
}
