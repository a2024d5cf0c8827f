/* SPDX-License-Identifier: BSD-3-Clause */
/* One feature out and another one in, where that lowers F. */
#ifndef DCPN_SRC_SWAP_MOVES_H
#define DCPN_SRC_SWAP_MOVES_H

#include "search/coordinate_moves.h"

struct swaps {
    int64_t *out;      /* features in use, */
    double *loss;      /* and what F rises by without them */
    double *curvature; /* of f in each row */
    double *u;         /* before a swap */
};

/* Can single features be moved in this problem? */
int dcpn_swaps_exist(const struct objective *objective);
void dcpn_swaps_layout(struct swaps *swaps, const struct objective *objective, struct arena *arena);
/* Tries to swap the features in use, as long as swaps are found and the budget lasts; each try costs a reading of A.
 * x, u and F of the point are kept current; its gradient is not. Returns how many swaps were made. */
int64_t dcpn_swaps_make(struct swaps *swaps, struct moves *moves, struct objective *objective, struct point *point,
                        double *budget);

#endif
