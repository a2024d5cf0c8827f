/* SPDX-License-Identifier: BSD-3-Clause */
/* One feature out and another one in, where that lowers F; where features share norms, one group. */
#ifndef DCPN_SRC_SWAP_MOVES_H
#define DCPN_SRC_SWAP_MOVES_H

#include "base/tuning.h"
#include "search/coordinate_moves.h"

struct swaps {
    int64_t *out;      /* features or blocks in use, */
    double *loss;      /* and what F rises by without them */
    double *curvature; /* of f in each row */
    double *u;         /* before a swap */
    /* with blocks: */
    double *between; /* u with one block out, and none in */
    double *x;       /* before a swap, of the block that goes */
    double *space;   /* a number for each coordinate */
};

/* Can features, or blocks, be moved in this problem? On ranks blocks cannot. */
int dcpn_swaps_exist(const struct objective *objective);
void dcpn_swaps_layout(struct swaps *swaps, const struct objective *objective, struct arena *arena);
/* Tries to swap the features in use, as long as swaps are found and the budget lasts; each try costs a reading of A.
 * x, u and F of the point are kept current; its gradient is not. Returns how many swaps were made. */
int64_t dcpn_swaps_make(struct swaps *swaps, struct moves *moves, struct objective *objective, struct point *point,
                        double *budget);

/* What may come in: the columns or blocks that promise most, the best first. */
struct swap_list {
    int count;
    int64_t unit[SWAP_TRIED];
    double promise[SWAP_TRIED]; /* g^2 / L */
};

static inline void dcpn_swap_list_add(struct swap_list *list, int64_t unit, double promise)
{
    if (list->count == SWAP_TRIED && !(promise > list->promise[SWAP_TRIED - 1])) return;
    int place = list->count < SWAP_TRIED ? list->count++ : SWAP_TRIED - 1;
    for (; place > 0 && list->promise[place - 1] < promise; place--) {
        list->unit[place] = list->unit[place - 1];
        list->promise[place] = list->promise[place - 1];
    }
    list->unit[place] = unit;
    list->promise[place] = promise;
}

#endif
