/* SPDX-License-Identifier: BSD-3-Clause */
/* One block of memory per solver.
 *
 * A layout function takes its arrays from the arena in order. It runs twice: first over an arena without memory, which
 * only adds up the bytes (every array is NULL then), and again over the block of that size. So sizes are written once.
 *
 *     | x (64-byte aligned) | u | r | ... | arrays of the metric | arrays of the subproblem solver | ... |
 */
#ifndef DCPN_SRC_ARENA_H
#define DCPN_SRC_ARENA_H

#include "base/context.h"

struct arena {
    char *base;  /* NULL: measuring */
    size_t used; /* bytes */
    size_t size; /* of the block */
    int is_zero; /* before anything is written to it */
};

/* These doubles are not cleared, so that memory that is never used is never touched. */
double *dcpn_arena_scratch(struct arena *arena, int64_t count);
/* These arrays are cleared to 0. */
double *dcpn_arena_doubles(struct arena *arena, int64_t count);
int64_t *dcpn_arena_integers(struct arena *arena, int64_t count);

/* Ends the measuring: gets a block of the size that was added up, and starts anew with carving. `spare` may hold a
 * block that is no longer needed, which is used if it is large enough and freed if not; a new block is then half as
 * large again as needed, so that it can serve as a spare one later. NULL: there is no spare block, and there will be
 * none. */
dcpn_status dcpn_arena_allocate(dcpn_context *context, struct arena *arena, struct arena *spare);
/* The start of the first array, at a multiple of 64 bytes in the block. */
char *dcpn_arena_start(const struct arena *arena);
void dcpn_arena_free(dcpn_context *context, struct arena *arena);

#endif
