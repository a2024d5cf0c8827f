/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over the rows of a sparse matrix that do not depend on who adds, for each type of stored value and of index. */
#include <math.h>

#include "base/level.h"
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

/* The products of the entries of a row, in the triangle of all columns: those of one entry by several others at a time
 * are rounded together, and added one by one, since their places lie apart. */
typedef void triangle_function(const struct on_rows *on, int64_t count);
#define MAKE_TRIANGLE(NAME, AT, WIDTH)                                                                                 \
    typedef double NAME##_doubles __attribute__((vector_size(8 * (WIDTH))));                                           \
    typedef uint64_t NAME##_words __attribute__((vector_size(8 * (WIDTH))));                                           \
    AT static void NAME(const struct on_rows *on, int64_t count)                                                       \
    {                                                                                                                  \
        const int64_t *place = on->place;                                                                              \
        const double *wv = on->wv, C = on->grid.C;                                                                     \
        const uint64_t bits = (uint64_t)on->grid.bits;                                                                 \
        for (int64_t a = 0; a < count; a++) {                                                                          \
            int64_t *row = on->words + place[a] * (place[a] + 1) / 2, b = 0;                                           \
            double of_a = on->v[a];                                                                                    \
            for (; b + (WIDTH) <= a + 1; b += (WIDTH)) {                                                               \
                NAME##_doubles some;                                                                                   \
                memcpy(&some, wv + b, sizeof some);                                                                    \
                NAME##_words on_grid = (NAME##_words)(some * of_a + C) - bits;                                         \
                for (int k = 0; k < (WIDTH); k++)                                                                      \
                    row[place[b + k]] = (int64_t)((uint64_t)row[place[b + k]] + on_grid[k]);                           \
            }                                                                                                          \
            for (; b <= a; b++) row[place[b]] = dcpn_add_on_grid(row[place[b]], wv[b] * of_a, &on->grid);              \
        }                                                                                                              \
    }
MAKE_TRIANGLE(add_triangle_baseline, AT_BASELINE, 2)
#ifdef __x86_64__
MAKE_TRIANGLE(add_triangle_avx2, AT_AVX2, 4)
#else
#define add_triangle_avx2 add_triangle_baseline
#endif

/* The product of two entries is that of the one with the lower number by w, and of the other: the same whatever the
 * order in the row. */
static inline void add_row(const struct on_rows *on, triangle_function *add_triangle, int64_t i, int64_t count)
{
    const double w = on->w[i] * on->scale_w;
    if (count == 0 && !on->has_ones) return;
    if (on->has_ones) {
        on->place[count] = on->count;
        on->v[count++] = on->scale[on->count];
    }
    sort_row(on, count);
    for (int64_t a = 0; a < count; a++) on->wv[a] = w * on->v[a];
    add_triangle(on, count);
}

static triangle_function *triangle_of_level(void)
{
    return dcpn_level() == LEVEL_BASELINE ? add_triangle_baseline : add_triangle_avx2;
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
