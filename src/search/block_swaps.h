/* SPDX-License-Identifier: BSD-3-Clause */
/* The swaps of swap_moves.h where coordinates share penalties: one block out and another one in. */
#ifndef DCPN_SRC_BLOCK_SWAPS_H
#define DCPN_SRC_BLOCK_SWAPS_H

#include "search/swap_moves.h"

/* The call of swap_moves.h; what depends on moves->L must be known. */
int64_t dcpn_block_swaps_make(struct swaps *swaps, struct moves *moves, struct objective *objective,
                              struct point *point, double *budget);

#endif
