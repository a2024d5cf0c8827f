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

/* By place; the entries of a row are nearly always in this order already. */
static void sort_row(const struct on_rows *on, int64_t count)
{
    for (int64_t a = 1; a < count; a++) {
        int64_t place = on->place[a], b = a;
        double v = on->v[a];
        for (; b > 0 && on->place[b - 1] > place; b--) {
            on->place[b] = on->place[b - 1];
            on->v[b] = on->v[b - 1];
        }
        on->place[b] = place;
        on->v[b] = v;
    }
}

/* The product of two entries is that of the one with the lower number by w, and of the other: the same whatever the
 * order in the row. */
static inline void add_row(const struct on_rows *on, int64_t i, int64_t count)
{
    const double w = on->w[i] * on->scale_w;
    const struct grid grid = on->grid;
    if (count == 0 && !on->has_ones) return;
    if (on->has_ones) {
        on->place[count] = on->count;
        on->v[count++] = on->scale[on->count];
    }
    sort_row(on, count);
    const int64_t *restrict place = on->place;
    const double *restrict v = on->v;
    double *restrict wv = on->wv;
    for (int64_t a = 0; a < count; a++) wv[a] = w * v[a];
    for (int64_t a = 0; a < count; a++) {
        int64_t *restrict row = on->words + place[a] * (place[a] + 1) / 2;
        double of_a = v[a];
        for (int64_t b = 0; b <= a; b++) row[place[b]] = dcpn_add_on_grid(row[place[b]], wv[b] * of_a, &grid);
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
