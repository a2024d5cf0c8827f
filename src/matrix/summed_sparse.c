/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over the rows of a sparse matrix that do not depend on who adds, for each type of stored value and of index. */
#include <math.h>

#include "matrix/summed.h"

static inline uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* The product of two entries is that of the one with the lower number by w, and of the other: the same whatever the order in
 * the row. */
static inline void add_row(const struct on_rows *on, int64_t i, int64_t count)
{
    double w = on->w[i] * on->scale_w;
    const struct grid grid = on->grid;
    if (on->has_ones) {
        on->place[count] = on->count;
        on->v[count++] = on->scale[on->count];
    }
    for (int64_t a = 0; a < count; a++) on->wv[a] = w * on->v[a];
    for (int64_t a = 0; a < count; a++) {
        int64_t p = on->place[a], *row = on->words + p * (p + 1) / 2;
        for (int64_t b = 0; b <= a; b++) {
            int64_t other = on->place[b];
            int64_t *word = other <= p ? &row[other] : &on->words[other * (other + 1) / 2 + p];
            double term = other <= p ? on->wv[b] * on->v[a] : on->wv[a] * on->v[b];
            *word = dcpn_add_on_grid(*word, term, &grid);
        }
    }
}

#define KERNELS "matrix/summed_kernels.inc"
#include "matrix/each_type.inc"

const struct summed_kernels *dcpn_summed_kernels(dcpn_value_type value_type, dcpn_index_type index_type)
{
    static const struct summed_kernels *const kernels[2][2] = {
        [DCPN_FLOAT64] = {[DCPN_INT32] = &float64_int32_kernels, [DCPN_INT64] = &float64_int64_kernels},
        [DCPN_FLOAT32] = {[DCPN_INT32] = &float32_int32_kernels, [DCPN_INT64] = &float32_int64_kernels},
    };
    return kernels[value_type][index_type];
}
