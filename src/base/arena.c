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

dcpn_status dcpn_arena_allocate(dcpn_context *context, struct arena *arena, struct arena *spare)
{
    size_t needed = arena->used + ALIGNMENT;
    arena->used = 0;
    if (spare && spare->size >= needed) {
        *arena = *spare;
        *spare = (struct arena){0};
        arena->used = 0;
        arena->is_zero = 0;
        return DCPN_OK;
    }
    if (spare) dcpn_arena_free(context, spare);
    arena->size = spare ? needed + needed / 2 : needed;
    arena->base = dcpn_allocate_untouched(context, arena->size, &arena->is_zero);
    return dcpn_memory_for(context, arena->base ? DCPN_OK : DCPN_MEMORY, "the vectors of the solver");
}

void dcpn_arena_free(dcpn_context *context, struct arena *arena)
{
    dcpn_free(context, arena->base);
    *arena = (struct arena){0};
}
