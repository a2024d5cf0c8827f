/* SPDX-License-Identifier: BSD-3-Clause */
/* The moves of coordinate_moves.h where coordinates share penalties: of whole blocks, and, where h1 has terms of
 * coordinates, drops of single ones. */
#ifndef DCPN_SRC_BLOCK_MOVES_H
#define DCPN_SRC_BLOCK_MOVES_H

#include "search/coordinate_moves.h"

int64_t dcpn_block_moves_most(const struct penalty *penalty); /* units that can be moved: blocks or coordinates */
/* A bound on the curvature of f along block b. */
void dcpn_block_moves_learn(struct moves *moves, const struct objective *objective, const double *squares, double sup);
/* -1: the prox of a block is not known, and nothing can be said. */
int64_t dcpn_block_moves_count(struct moves *moves, struct objective *objective, struct point *point, double goal);
int64_t dcpn_block_moves_make(struct moves *moves, struct objective *objective, struct point *point, double goal);
int64_t dcpn_block_moves_drop(struct moves *moves, struct objective *objective, struct point *point, int only_bent);

#endif
