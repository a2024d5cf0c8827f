/* SPDX-License-Identifier: BSD-3-Clause */
/* One block of memory per solver: measured, allocated once, carved in order. */
#include "base/arena.h"

#include <string.h>

enum { ALIGNMENT = 64 };

char *dcpn_arena_start(const struct arena *arena)
{
    return arena->base + (ALIGNMENT - (uintptr_t)arena->base % ALIGNMENT) % ALIGNMENT;
}

static void *carve(struct arena *arena, int64_t count, size_t size)
{
    size_t bytes = ((size_t)count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    char *start = arena->base ? dcpn_arena_start(arena) + arena->used : NULL;
    arena->used += bytes;
    return start;
}

static void *carve_cleared(struct arena *arena, int64_t count, size_t size)
{
    void *start = carve(arena, count, size);
    return start && !arena->is_zero ? memset(start, 0, (size_t)count * size) : start;
}

double *dcpn_arena_scratch(struct arena *arena, int64_t count)
{
    return carve(arena, count, sizeof(double));
}

double *dcpn_arena_doubles(struct arena *arena, int64_t count)
{
    return carve_cleared(arena, count, sizeof(double));
}

int64_t *dcpn_arena_integers(struct arena *arena, int64_t count)
{
    return carve_cleared(arena, count, sizeof(int64_t));
}

dcpn_status dcpn_arena_allocate(dcpn_context *context, struct arena *arena)
{
    arena->base = dcpn_allocate_untouched(context, arena->used + ALIGNMENT, &arena->is_zero);
    arena->used = 0;
    return dcpn_memory_for(context, arena->base ? DCPN_OK : DCPN_MEMORY, "the vectors of the solver");
}

void dcpn_arena_free(dcpn_context *context, struct arena *arena)
{
    dcpn_free(context, arena->base);
    arena->base = NULL;
}
