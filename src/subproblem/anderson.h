/* SPDX-License-Identifier: BSD-3-Clause */
/* Anderson acceleration of a fixed-point iteration y <- T(y): from the last few points, a guess of where they go. */
#ifndef DCPN_SRC_ANDERSON_H
#define DCPN_SRC_ANDERSON_H

#include "base/arena.h"
#include "base/tuning.h"

struct anderson {
    double *point[ANDERSON_DEPTH + 1];
    double *guess;
    int count; /* points there are */
};

void dcpn_anderson_layout(struct anderson *anderson, int64_t size, struct arena *arena);
/* Takes the next point. Returns 1 if `guess` is ready: sum_k a_k y_{k+1}, with the weights of sum 1 that make |sum_k
 * a_k (y_{k+1} - y_k)| least. It then starts over. */
int dcpn_anderson_take(struct anderson *anderson, int64_t size, const double *y);

#endif
