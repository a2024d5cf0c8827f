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

/* Not cleared: memory that is never used is never touched. */
double *dcpn_arena_scratch(struct arena *arena, int64_t count);
/* All cleared to 0. */
double *dcpn_arena_doubles(struct arena *arena, int64_t count);
int64_t *dcpn_arena_integers(struct arena *arena, int64_t count);

/* From measuring to carving. `spare` may hold a block that is no longer needed, which is used if it is large enough and
 * freed if not; then the new one is somewhat larger than asked for, for the next. NULL: there is none, nor a next. */
dcpn_status dcpn_arena_allocate(dcpn_context *context, struct arena *arena, struct arena *spare);
/* Where the first array starts: at a multiple of 64 bytes in the block. */
char *dcpn_arena_start(const struct arena *arena);
void dcpn_arena_free(dcpn_context *context, struct arena *arena);

#endif
