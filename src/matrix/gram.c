/* SPDX-License-Identifier: BSD-3-Clause */
/* Gram matrices A_U'diag(w)A_U: the workspace, and the product of two tiles of a dense matrix. */
#include "base/level.h"
#include "matrix/matrix.h"

enum { TALL = 4, WIDE = 8, PARALLEL_FROM = 256 };

void dcpn_gram_layout(const dcpn_matrix *matrix, int64_t most, struct gram_space *space, struct arena *arena)
{
    space->number = dcpn_arena_integers(arena, matrix->ops->gram_numbers ? matrix->ops->gram_numbers(matrix) : 0);
    space->place = dcpn_arena_integers(arena, most + 1);
    space->mapped = dcpn_arena_integers(arena, most);
    space->tile = dcpn_arena_scratch(arena, 2 * DCPN_GRAM_TILE * dcpn_gram_stride(most));
}

/* A block of G in registers: WIDE entries of TALL rows. Each entry is a sum over the tile's rows in their order,
 * whatever the width of the machine's vectors. */
typedef void block_function(int64_t count, int64_t stride, const double *restrict P, const double *restrict Q,
                            double *restrict G);
#define ADD_BLOCK(NAME, AT)                                                                                            \
    AT static void NAME(int64_t count, int64_t stride, const double *restrict P, const double *restrict Q,             \
                        double *restrict G)                                                                            \
    {                                                                                                                  \
        double sum[TALL][WIDE] = {{0.0}};                                                                              \
        for (int i = 0; i < DCPN_GRAM_TILE; i++, P += stride, Q += stride)                                             \
            for (int a = 0; a < TALL; a++)                                                                             \
                for (int b = 0; b < WIDE; b++) sum[a][b] += Q[a] * P[b];                                               \
        for (int a = 0; a < TALL; a++)                                                                                 \
            for (int b = 0; b < WIDE; b++) G[a * count + b] += sum[a][b];                                              \
    }
ADD_BLOCK(add_block_baseline, AT_BASELINE)
ADD_BLOCK(add_block_avx2, AT_AVX2)
ADD_BLOCK(add_block_avx512, AT_AVX512)

static void add_entry(int64_t stride, const double *P, const double *Q, double *G)
{
    double sum = 0.0;
    for (int i = 0; i < DCPN_GRAM_TILE; i++) sum += Q[i * stride] * P[i * stride];
    *G += sum;
}

/* Rows a .. a + TALL of the lower triangle, and a little beyond it. */
static void add_rows(block_function *add_block, int64_t count, int64_t a, const double *P, const double *Q, double *G)
{
    int64_t rows = count - a < TALL ? count - a : TALL, stride = dcpn_gram_stride(count), b = 0;
    if (rows == TALL)
        for (; b + WIDE <= count && b < a + TALL; b += WIDE) add_block(count, stride, P + b, Q + a, G + a * count + b);
    for (int64_t i = a; i < a + rows; i++)
        for (int64_t j = b; j <= i; j++) add_entry(stride, P + j, Q + i, G + i * count + j);
}

void dcpn_gram_add_tile(int64_t count, const double *P, const double *Q, int threads, double *G)
{
    static block_function *const at[LEVEL_COUNT] = {add_block_baseline, add_block_avx2, add_block_avx512};
    block_function *add_block = at[dcpn_level()];
#pragma omp parallel for schedule(dynamic, 4) num_threads(threads) if (count >= PARALLEL_FROM && threads > 1)
    for (int64_t a = 0; a < count; a += TALL) add_rows(add_block, count, a, P, Q, G);
}

void dcpn_gram_mirror(int64_t count, double *G)
{
    for (int64_t a = 0; a < count; a++)
        for (int64_t b = 0; b < a; b++) G[b * count + a] = G[a * count + b];
}
