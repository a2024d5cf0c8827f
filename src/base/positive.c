/* SPDX-License-Identifier: BSD-3-Clause */
/* Cholesky's factor and the inverse of a large matrix, by panels of DEPTH rows. With M = U'U
 *     U_ij = (M_ij - sum_{k < i} U_ki U_kj) / U_ii          i <= j
 *     X    = U'^-1:  X_i = (e_i - sum_{k < i} U_ki X_k) / U_ii,     M^-1 = X'X
 * all of which subtract products P'Q of two panels from a matrix. That is done in tiles of 8 x 8 numbers that stay in
 * registers while a panel goes by. Every number is a sum in the order of k, whatever the threads and the width of
 * vectors. */
#include "base/positive.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "base/vector.h"

enum { TILE = DCPN_POSITIVE_TILE, DEPTH = DCPN_POSITIVE_ROWS, BLOCK = 64, PARALLEL_FROM = 192 };

void dcpn_positive_layout(int64_t size, int wants_inverse, struct positive_space *space, struct arena *arena)
{
    space->size = size;
    space->level = dcpn_level();
    space->left = dcpn_arena_scratch(arena, DEPTH * size);
    space->right = dcpn_arena_scratch(arena, DEPTH * size);
    space->diagonal = dcpn_arena_scratch(arena, size);
    double *rows = dcpn_arena_scratch(arena, wants_inverse ? size * size : 0);
    space->rows = wants_inverse ? rows : NULL;
}

/* ---- C -= P'Q on one tile ---- */

typedef void tile_function(int64_t depth, int64_t stride, const double *P, const double *Q, double *C);
#define MAKE_TILE(NAME, AT, WIDTH, HEIGHT, SPAN)                                                                       \
    typedef double NAME##_vector __attribute__((vector_size(8 * (WIDTH))));                                            \
    AT static inline void NAME##_part(int64_t depth, int64_t stride, const double *P, const double *Q, double *C)      \
    {                                                                                                                  \
        NAME##_vector sum[HEIGHT][SPAN];                                                                               \
        for (int a = 0; a < (HEIGHT); a++)                                                                             \
            for (int b = 0; b < (SPAN); b++) memcpy(&sum[a][b], C + a * stride + b * (WIDTH), sizeof sum[a][b]);       \
        for (int64_t k = 0; k < depth; k++, P += TILE, Q += TILE)                                                      \
            for (int b = 0; b < (SPAN); b++) {                                                                         \
                NAME##_vector q;                                                                                       \
                memcpy(&q, Q + b * (WIDTH), sizeof q);                                                                 \
                for (int a = 0; a < (HEIGHT); a++) sum[a][b] -= P[a] * q;                                              \
            }                                                                                                          \
        for (int a = 0; a < (HEIGHT); a++)                                                                             \
            for (int b = 0; b < (SPAN); b++) memcpy(C + a * stride + b * (WIDTH), &sum[a][b], sizeof sum[a][b]);       \
    }                                                                                                                  \
    AT static void NAME(int64_t depth, int64_t stride, const double *P, const double *Q, double *C)                    \
    {                                                                                                                  \
        for (int a = 0; a < TILE; a += (HEIGHT))                                                                       \
            for (int b = 0; b < TILE; b += (WIDTH) * (SPAN))                                                           \
                NAME##_part(depth, stride, P + a, Q + b, C + a * stride + b);                                          \
    }
MAKE_TILE(tile_baseline, AT_BASELINE, 2, 4, 2)
#ifdef __x86_64__
MAKE_TILE(tile_avx2, AT_AVX2, 4, 4, 2)
MAKE_TILE(tile_avx512, AT_AVX512, 8, 8, 1)
#else
#define tile_avx2 tile_baseline
#define tile_avx512 tile_baseline
#endif

static tile_function *tile_of(const struct positive_space *space)
{
    static tile_function *const at[LEVEL_COUNT] = {tile_baseline, tile_avx2, tile_avx512};
    return at[space->level];
}

/* ---- panels ---- */

struct panel {
    const struct positive_space *space;
    int64_t first, depth; /* its rows */
    int64_t begin, end;   /* the columns that are worked on */
    const double *U;      /* whose entries are the factors */
    double *to;           /* the rows of the panel, or the matrix that is subtracted from */
    int is_triangle;      /* only tiles on the diagonal and right of it */
    int64_t rows_from;    /* of the matrix */
};

static dcpn_context *helpers(dcpn_context *context, const struct positive_space *space)
{
    return space->size >= PARALLEL_FROM ? context : NULL;
}

/* Packs the columns begin .. end of the rows of a panel tile by tile. */
static void pack(const struct panel *panel, const double *from, int64_t begin, int64_t end, double *packed)
{
    int64_t stride = panel->space->size;
    for (int64_t j = begin; j < end; j += TILE)
        for (int64_t k = 0; k < panel->depth; k++, packed += TILE)
            memcpy(packed, from + (panel->first + k) * stride + j, TILE * sizeof *packed);
}

/* Subtracts the rows above row i of the panel from it, and scales it, on some columns. */
static void settle_row(const struct panel *panel, int64_t i, int64_t begin, int64_t end, double *to)
{
    int64_t stride = panel->space->size;
    const double *U = panel->U;
    for (int64_t k = panel->first; k < i; k++)
        dcpn_axpy(end - begin, -U[k * stride + i], to + k * stride + begin, to + i * stride + begin);
}

static void settle_columns(void *user, int64_t first, int64_t last)
{
    const struct panel *panel = user;
    int64_t stride = panel->space->size;
    for (int64_t block = first; block < last; block++) {
        int64_t begin = panel->begin + block * BLOCK, end = begin + BLOCK < panel->end ? begin + BLOCK : panel->end;
        for (int64_t i = panel->first; i < panel->first + panel->depth; i++) {
            settle_row(panel, i, begin, end, panel->to);
            double scale = 1.0 / panel->U[i * stride + i];
            for (int64_t j = begin; j < end; j++) panel->to[i * stride + j] *= scale;
        }
    }
}

static void settle(dcpn_context *context, struct panel *panel)
{
    int64_t blocks = (panel->end - panel->begin + BLOCK - 1) / BLOCK;
    if (blocks > 0) dcpn_parallel_items(helpers(context, panel->space), blocks, settle_columns, panel);
}

static void subtract_strips(void *user, int64_t first, int64_t last)
{
    const struct panel *panel = user;
    const struct positive_space *space = panel->space;
    tile_function *tile = tile_of(space);
    for (int64_t strip = first; strip < last; strip++) {
        int64_t i = panel->rows_from + strip * TILE;
        for (int64_t j = panel->is_triangle ? i : panel->begin; j < panel->end; j += TILE)
            tile(panel->depth, space->size, space->left + (i - panel->rows_from) * panel->depth,
                 space->right + (j - panel->begin) * panel->depth, panel->to + i * space->size + j);
    }
}

/* ---- U ---- */

/* Factors the square of a panel on the diagonal. Returns 0 if a pivot is too small. */
static int factor_square(const struct panel *panel, double least, double *M)
{
    int64_t stride = panel->space->size, end = panel->first + panel->depth;
    for (int64_t i = panel->first; i < end; i++) {
        double *row = M + i * stride;
        settle_row(panel, i, i, end, M);
        if (!(row[i] > least * panel->space->diagonal[i])) return 0;
        row[i] = sqrt(row[i]);
        double scale = 1.0 / row[i];
        for (int64_t j = i + 1; j < end; j++) row[j] *= scale;
    }
    return 1;
}

static int factor_panel(dcpn_context *context, const struct positive_space *space, int64_t first, double least,
                        double *M)
{
    int64_t depth = space->size - first < DEPTH ? space->size - first : DEPTH, end = first + depth;
    struct panel panel = {.space = space,
                          .first = first,
                          .depth = depth,
                          .begin = end,
                          .end = space->size,
                          .U = M,
                          .to = M,
                          .is_triangle = 1,
                          .rows_from = end};
    if (!factor_square(&panel, least, M)) return 0;
    if (end == space->size) return 1;
    settle(context, &panel);
    pack(&panel, M, end, space->size, space->right);
    memcpy(space->left, space->right, (size_t)((space->size - end) * depth) * sizeof *space->left);
    dcpn_parallel_items(helpers(context, space), (space->size - end) / TILE, subtract_strips, &panel);
    return 1;
}

int dcpn_positive_factor(dcpn_context *context, const struct positive_space *space, double least, double *M)
{
    int64_t n = space->size;
    if (!(least > 0.0)) least = 0.0;
    for (int64_t i = 0; i < n; i++) space->diagonal[i] = M[i * n + i];
    for (int64_t first = 0; first < n; first += DEPTH)
        if (!factor_panel(context, space, first, least, M)) return 0;
    return 1;
}

double dcpn_positive_log_det(const struct positive_space *space, const double *U)
{
    double sum = 0.0;
    for (int64_t i = 0; i < space->size; i++) sum += log(U[i * space->size + i]);
    return 2.0 * sum;
}

/* ---- M^-1 ---- */

static void solve_panel(dcpn_context *context, const struct positive_space *space, int64_t first, const double *U,
                        double *inverse)
{
    int64_t depth = space->size - first < DEPTH ? space->size - first : DEPTH, end = first + depth;
    double *X = space->rows;
    struct panel panel = {
        .space = space, .first = first, .depth = depth, .begin = 0, .end = end, .U = U, .to = X, .rows_from = end};
    settle(context, &panel);
    pack(&panel, X, 0, end, space->right);
    if (end < space->size) {
        pack(&panel, U, end, space->size, space->left);
        dcpn_parallel_items(helpers(context, space), (space->size - end) / TILE, subtract_strips, &panel);
    }
    memcpy(space->left, space->right, (size_t)(end * depth) * sizeof *space->left);
    panel.to = inverse;
    panel.is_triangle = 1;
    panel.rows_from = 0;
    dcpn_parallel_items(helpers(context, space), end / TILE, subtract_strips, &panel);
}

void dcpn_positive_inverse(dcpn_context *context, const struct positive_space *space, const double *U, double *inverse)
{
    int64_t n = space->size;
    dcpn_fill(n * n, 0.0, inverse);
    dcpn_fill(n * n, 0.0, space->rows);
    for (int64_t i = 0; i < n; i++) space->rows[i * n + i] = 1.0;
    for (int64_t first = 0; first < n; first += DEPTH) solve_panel(context, space, first, U, inverse);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i; j < n; j++) inverse[i * n + j] = -inverse[i * n + j];
    dcpn_positive_mirror(n, inverse);
}

/* ---- R'R ---- */

void dcpn_positive_add(dcpn_context *context, const struct positive_space *space, int64_t depth, const double *rows,
                       double *M)
{
    int64_t numbers = depth * space->size;
    struct panel panel = {.space = space, .depth = depth, .end = space->size, .to = M, .is_triangle = 1};
    pack(&panel, rows, 0, space->size, space->right);
    for (int64_t k = 0; k < numbers; k++) space->left[k] = -space->right[k];
    dcpn_parallel_items(helpers(context, space), space->size / TILE, subtract_strips, &panel);
}

void dcpn_positive_mirror(int64_t size, double *M)
{
    for (int64_t i = 0; i < size; i++)
        for (int64_t j = i + 1; j < size; j++) M[j * size + i] = M[i * size + j];
}
