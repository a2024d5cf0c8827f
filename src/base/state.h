/* SPDX-License-Identifier: BSD-3-Clause */
/* The numbers that a part must remember so that a run can go on in another process.
 *
 * Each part names its numbers once, in one function, and that function counts, saves and restores them alike. So
 * nothing can be saved that is not restored, and no other file has to know what a part remembers. */
#ifndef DCPN_SRC_STATE_H
#define DCPN_SRC_STATE_H

#include <stddef.h>
#include <stdint.h>

struct state {
    enum state_use { DCPN_STATE_COUNT, DCPN_STATE_SAVE, DCPN_STATE_RESTORE } use;
    char *bytes;       /* the saved numbers, one part after the other; NULL: counting */
    size_t used, size; /* after restoring, used is SIZE_MAX if there were fewer bytes than the parts asked for */
};

void dcpn_state_bytes(struct state *state, void *memory, size_t count);

#define DCPN_STATE(STATE, NUMBER) dcpn_state_bytes(STATE, &(NUMBER), sizeof(NUMBER))
#define DCPN_STATE_ARRAY(STATE, ARRAY, COUNT) dcpn_state_bytes(STATE, ARRAY, (size_t)(COUNT) * sizeof *(ARRAY))

#endif
