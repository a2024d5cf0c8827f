/* SPDX-License-Identifier: BSD-3-Clause */
/* The moves of coordinate_moves.h where coordinates share penalties: of whole blocks, and, where h1 has terms of
 * coordinates, drops of single ones. */
#ifndef DCPN_SRC_BLOCK_MOVES_H
#define DCPN_SRC_BLOCK_MOVES_H

#include "search/coordinate_moves.h"

int64_t dcpn_block_moves_most(const struct penalty *penalty); /* units that can be moved: blocks or coordinates */
/* Computes moves->L, bounds on the curvature of f along each block and each coordinate. */
void dcpn_block_moves_learn(struct moves *moves, const struct objective *objective, const double *squares, double sup);
/* Sets d to the best move of block b where the curvature of f along it is L, 0 elsewhere. Returns the change of F,
 * which the true one does not exceed if L is a bound. The prox of a block must be known. */
double dcpn_block_moves_aim(struct moves *moves, const struct penalty *h, const struct point *point, int64_t b,
                            double L);
/* The calls of coordinate_moves.h for blocks. The first returns -1 if the prox of a block is not known, so that
 * nothing can be said. */
int64_t dcpn_block_moves_count(struct moves *moves, struct objective *objective, struct point *point, double goal);
int64_t dcpn_block_moves_make(struct moves *moves, struct objective *objective, struct point *point, double goal);
int64_t dcpn_block_moves_drop(struct moves *moves, struct objective *objective, struct point *point, int only_bent);

#endif
