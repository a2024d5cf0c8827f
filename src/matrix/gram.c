/* SPDX-License-Identifier: BSD-3-Clause */
/* Gram matrices A_U'diag(w)A_U: the workspace, and the product of two tiles of a dense matrix. */
#include <string.h>

#include "base/level.h"
#include "base/threads.h"
#include "matrix/matrix.h"

enum { TALL = 8, WIDE = DCPN_GRAM_PANEL, PARALLEL_FROM = 256 };

void dcpn_gram_layout(const dcpn_matrix *matrix, int64_t most, struct gram_space *space, struct arena *arena)
{
    space->number = dcpn_arena_integers(arena, matrix->ops->gram_numbers ? matrix->ops->gram_numbers(matrix) : 0);
    space->place = dcpn_arena_integers(arena, most + 1);
    space->mapped = dcpn_arena_integers(arena, most);
    space->distinct = dcpn_arena_integers(arena, most);
    space->tile = dcpn_arena_scratch(arena, 2 * dcpn_gram_tile_numbers(most));
    space->block = dcpn_arena_scratch(arena, matrix->ops->by_ranks ? (most + 1) * (most + 1) : 0);
}

/* A block of G: WIDE entries of TALL rows, as many of them at a time as a level has registers for: HEIGHT rows of SPAN
 * vectors. Each entry is a sum over the tile's rows in their order, whatever the width of the machine's vectors. */
typedef double block[TALL][WIDE];
typedef void block_function(int64_t rows, const double *P, const double *Q, block sums);
#define MAKE_BLOCK(NAME, AT, WIDTH, HEIGHT, SPAN)                                                                      \
    typedef double NAME##_vector __attribute__((vector_size(8 * (WIDTH))));                                            \
    AT static inline void NAME##_part(int64_t rows, const double *P, const double *Q, double *sums)                    \
    {                                                                                                                  \
        NAME##_vector sum[HEIGHT][SPAN] = {0};                                                                         \
        for (int64_t i = 0; i < rows; i++, P += WIDE, Q += WIDE)                                                       \
            for (int b = 0; b < (SPAN); b++) {                                                                         \
                NAME##_vector p;                                                                                       \
                memcpy(&p, P + b * (WIDTH), sizeof p);                                                                 \
                for (int a = 0; a < (HEIGHT); a++) sum[a][b] += Q[a] * p;                                              \
            }                                                                                                          \
        for (int a = 0; a < (HEIGHT); a++)                                                                             \
            for (int b = 0; b < (SPAN); b++) {                                                                         \
                NAME##_vector entries = sum[a][b];                                                                     \
                memcpy(sums + a * WIDE + b * (WIDTH), &entries, sizeof entries);                                       \
            }                                                                                                          \
    }                                                                                                                  \
    AT static void NAME(int64_t rows, const double *P, const double *Q, block sums)                                    \
    {                                                                                                                  \
        for (int a = 0; a < TALL; a += (HEIGHT))                                                                       \
            for (int b = 0; b < WIDE; b += (WIDTH) * (SPAN)) NAME##_part(rows, P + b, Q + a, &sums[a][b]);             \
    }
MAKE_BLOCK(make_block_baseline, AT_BASELINE, 2, 4, 2)
#ifdef __x86_64__
MAKE_BLOCK(make_block_avx2, AT_AVX2, 4, 4, 2)
MAKE_BLOCK(make_block_avx512, AT_AVX512, 8, 4, 2)
#else
#define make_block_avx2 make_block_baseline
#define make_block_avx512 make_block_baseline
#endif

/* Rows a .. a + TALL of the lower triangle. */
static void add_rows(block_function *make_block, int64_t rows, int64_t count, int64_t a, const double *P,
                     const double *Q, double *G)
{
    int64_t end = count - a < TALL ? count : a + TALL;
    const double *left = Q + a / WIDE * WIDE * rows + a % WIDE;
    block sums;
    for (int64_t b = 0; b < end; b += WIDE) {
        make_block(rows, P + b * rows, left, sums);
        for (int64_t i = a; i < end; i++)
            for (int64_t j = b; j < b + WIDE && j <= i; j++) G[i * count + j] += sums[i - a][j - b];
    }
}

struct tile {
    block_function *make_block;
    int64_t rows, count;
    const double *P, *Q;
    double *G;
};

static void add_strips(void *user, int64_t begin, int64_t end)
{
    const struct tile *t = user;
    for (int64_t k = begin; k < end; k++) add_rows(t->make_block, t->rows, t->count, k * TALL, t->P, t->Q, t->G);
}

/* Strips are longer the lower they lie. */
void dcpn_gram_add_tile(dcpn_context *context, int64_t rows, int64_t count, const double *P, const double *Q, double *G)
{
    static block_function *const at[LEVEL_COUNT] = {make_block_baseline, make_block_avx2, make_block_avx512};
    struct tile tile = {at[dcpn_level()], rows, count, P, Q, G};
    dcpn_parallel_items(count >= PARALLEL_FROM ? context : NULL, (count + TALL - 1) / TALL, add_strips, &tile);
}

void dcpn_gram_mirror(int64_t count, double *G)
{
    for (int64_t a = 0; a < count; a++)
        for (int64_t b = 0; b < a; b++) G[b * count + a] = G[a * count + b];
}
