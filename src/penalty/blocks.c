/* SPDX-License-Identifier: BSD-3-Clause */
/* The blocks of a problem on some of its coordinates. */
#include "penalty/blocks.h"

#include "penalty/penalty.h"

const struct composition dcpn_composition_entry = {.name = "entry", .formula = "sum_j p(|x_j|), as without groups"};

void dcpn_blocks_layout(const struct penalty *penalty, struct block_room *room, struct arena *arena)
{
    const struct blocks *blocks = &penalty->blocks;
    int64_t count = penalty->composition ? blocks->count : 0, members = count > 0 ? blocks->start[count] : 0;
    room->start = dcpn_arena_integers(arena, count > 0 ? count + 1 : 0);
    room->member = dcpn_arena_integers(arena, members);
    room->position = dcpn_arena_integers(arena, count > 0 ? penalty->size : 0);
    room->weight = dcpn_arena_doubles(arena, count);
    room->extent = dcpn_arena_doubles(arena, count);
    room->lambda = dcpn_arena_doubles(arena, count);
    room->c = dcpn_arena_doubles(arena, count);
}

/* The members of block b that are in S, behind those that are there; returns how many there are now. */
static int64_t take_members(const struct blocks *from, int64_t b, const struct block_room *room, int64_t taken)
{
    const int64_t *members = dcpn_block_members(from, b);
    for (int64_t i = 0; i < dcpn_block_size(from, b); i++)
        if (room->position[members[i]] > 0) room->member[taken++] = room->position[members[i]] - 1;
    return taken;
}

void dcpn_blocks_restrict(const struct penalty *from, const int64_t *S, int64_t count, const struct block_room *room,
                          struct penalty *to)
{
    const struct blocks *all = &from->blocks;
    int64_t blocks = 0, taken = 0;
    for (int64_t i = 0; i < count; i++) room->position[S[i]] = i + 1;
    for (int64_t b = 0; b < all->count; b++) {
        int64_t before = taken;
        taken = take_members(all, b, room, taken);
        if (taken == before) continue;
        room->start[blocks] = before;
        room->weight[blocks] = all->weight[b];
        room->extent[blocks] = all->extent[b];
        room->lambda[blocks] = all->lambda[b];
        room->c[blocks++] = all->c[b];
    }
    room->start[blocks] = taken;
    for (int64_t i = 0; i < count; i++) room->position[S[i]] = 0;
    to->blocks = (struct blocks){blocks, room->start, room->member, room->weight, room->extent, room->lambda, room->c};
}
