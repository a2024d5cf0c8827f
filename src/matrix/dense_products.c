/* SPDX-License-Identifier: BSD-3-Clause */
/* Products with dense matrices, by columns or by rows, of double or float. */
#include "matrix/dense_products.h"

#include <string.h>

#include "base/machine.h"
#include "base/threads.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "matrix/dense_far.h"
#include "matrix/dense_tiles.h"

/* A is worked on in tiles of rows, which make up blocks of rows. Every element of A x is computed by one thread in one
 * order. An element of A'r is the sum over the blocks, in a fixed tree, of what the tiles of a block add up to in their
 * order: the bits depend neither on the threads nor on whether A'r is computed by itself or in one sweep with A x. */
enum {
    PARALLEL_FROM = 1 << 18, /* entries below which threads cost more than they bring */
    COLUMN_MAJOR_TILE = 256, /* rows: long enough pieces of a column, and what combine has read is still in a cache */
    ROW_MAJOR_TILE = 16,
    STRIP_BYTES = 256,            /* of a column, in a sweep that stays in the second cache */
    LARGE_SECOND_CACHE = 2 << 20, /* bytes: holds strips of 2000 columns, and what is fetched ahead */
    COLUMNS_AHEAD = 16, /* fetched while a column is used: the next piece is far away, no processor guesses it */
    ROWS_AHEAD = 16,
    MOST_BLOCKS = 32,
    CACHE_LINE = 64,
    SLAB = 512, /* columns of a row-major A'r that stay in the first cache while the rows stream by */
};

static const struct dense *dense_of(const dcpn_matrix *matrix)
{
    return (const struct dense *)matrix;
}

static const void *entry(const struct dense *A, int64_t i, int64_t j)
{
    int64_t index = A->layout == DCPN_COLUMN_MAJOR ? i + j * A->stride : i * A->stride + j;
    return (const char *)A->values + (size_t)index * A->value_size;
}

static int64_t tile_rows(const struct dense *A)
{
    return A->layout == DCPN_COLUMN_MAJOR ? COLUMN_MAJOR_TILE : ROW_MAJOR_TILE;
}

/* Where the second cache is large, A'r finds there what A x has read. Where it is small a tile goes through the third,
 * and while it is read from there the next one is fetched. */
int64_t dcpn_dense_strip(const struct dense *A)
{
    int pays = A->layout == DCPN_COLUMN_MAJOR && A->base.rows > COLUMN_MAJOR_TILE;
    return pays && dcpn_second_cache() >= LARGE_SECOND_CACHE ? STRIP_BYTES / (int64_t)A->value_size : tile_rows(A);
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* A multiple of either tile. */
static int64_t block_rows(const struct dense *A)
{
    int64_t share = (A->base.rows + MOST_BLOCKS - 1) / MOST_BLOCKS;
    return (share + COLUMN_MAJOR_TILE - 1) / COLUMN_MAJOR_TILE * COLUMN_MAJOR_TILE;
}

static int64_t block_count(const struct dense *A)
{
    return (A->base.rows + block_rows(A) - 1) / block_rows(A);
}

/* ---- A x ---- */

/* u = A x on the rows of one tile */
static void apply_tile(const struct dense *A, int64_t begin, int64_t end, const double *x, double *u)
{
    memset(u + begin, 0, (size_t)(end - begin) * sizeof *u);
    if (dcpn_by_far_columns(A))
        dcpn_far_apply(A, begin, end, x, u);
    else if (A->layout == DCPN_COLUMN_MAJOR)
        A->tiles->combine(A->base.columns, end - begin, entry(A, begin, 0), A->stride, COLUMNS_AHEAD, end - begin, x,
                          u + begin);
    else
        A->tiles->project(end - begin, A->base.columns, entry(A, begin, 0), A->stride, ROWS_AHEAD * A->stride, x,
                          u + begin);
}

/* What the threads share: the arguments of a product. */
struct product {
    const struct dense *A;
    const double *x, *r, *w;
    const struct row_work *rows;
    const struct column_work *columns;
    double *u, *g, *out;
};

/* NULL, the calling thread alone, where that is faster. */
static dcpn_context *threads_for(const struct dense *A, int64_t entries)
{
    return entries > PARALLEL_FROM ? A->base.context : NULL;
}

/* Columns that come from the disk are read one after the other, each thread's share of the rows at once. */
static int64_t apply_rows(const struct dense *A)
{
    int64_t tile = tile_rows(A), share = (A->base.rows + A->base.context->threads - 1) / A->base.context->threads;
    return dcpn_by_far_columns(A) && share > tile ? share : tile;
}

static void apply_tiles(void *user, int64_t begin, int64_t end)
{
    const struct product *p = user;
    int64_t tile = apply_rows(p->A);
    for (int64_t k = begin; k < end; k++)
        apply_tile(p->A, k * tile, smaller((k + 1) * tile, p->A->base.rows), p->x, p->u);
}

/* Entries that A x has to look at. */
static int64_t entries_in_use(const struct dense *A, const double *x)
{
    int64_t nonzeros = dcpn_count_nonzeros(A->base.columns, x);
    return A->layout == DCPN_COLUMN_MAJOR || nonzeros == 0 ? A->base.rows * nonzeros : A->base.entries;
}

static int64_t apply(const dcpn_matrix *matrix, const double *x, double *u)
{
    const struct dense *A = dense_of(matrix);
    int64_t tile = apply_rows(A), tiles = (matrix->rows + tile - 1) / tile, in_use = entries_in_use(A, x);
    if (in_use == 0) {
        memset(u, 0, (size_t)matrix->rows * sizeof *u);
        return 0;
    }
    dcpn_parallel_ranges(threads_for(A, in_use), tiles, apply_tiles, &(struct product){.A = A, .x = x, .u = u});
    return in_use;
}

/* ---- A'r ---- */

/* g += A_tile'r for some columns. The bits of each do not depend on the others. */
static void adjoint_tile(const struct dense *A, int64_t begin, int64_t end, const struct some_columns *some,
                         int64_t ahead, const double *r, double *g)
{
    const int64_t *list = some->list;
    if (A->layout == DCPN_ROW_MAJOR && list)
        for (int64_t k = 0; k < some->count; k++)
            A->tiles->combine(end - begin, 1, entry(A, begin, list[k]), A->stride, 0, 0, r + begin, g + k);
    else if (A->layout == DCPN_ROW_MAJOR)
        A->tiles->combine(end - begin, some->count, entry(A, begin, some->first), A->stride, ahead,
                          (end - begin) * A->stride, r + begin, g);
    else if (list)
        A->tiles->project_some(some->count, end - begin, entry(A, begin, 0), A->stride, list, r + begin, g);
    else
        A->tiles->project(some->count, end - begin, entry(A, begin, some->first), A->stride, ahead, r + begin, g);
}

/* The curvatures of the same columns, by the way. */
struct with_squares {
    const double *w;
    double *sums; /* DENSE_LANES of each column */
};

/* g = A'r for some columns, on one block; also NULL: nothing else. */
static void adjoint_block(const struct dense *A, int64_t block, const struct some_columns *some, const double *r,
                          const struct with_squares *also, double *g)
{
    int64_t rows = block_rows(A), tile = tile_rows(A), end = smaller((block + 1) * rows, A->base.rows);
    int64_t ahead = A->layout == DCPN_COLUMN_MAJOR ? 0 : ROWS_AHEAD;
    int64_t asked = block * rows;
    memset(g, 0, (size_t)some->count * sizeof *g);
    for (int64_t begin = block * rows; begin < end; begin += tile) {
        if (begin >= asked) asked = dcpn_far_ask(A, begin, some);
        if (also)
            A->tiles->project_and_square(some->count, smaller(tile, end - begin), entry(A, begin, some->first),
                                         A->stride, r + begin, also->w + begin, g, also->sums);
        else
            adjoint_tile(A, begin, smaller(begin + tile, end), some, ahead, r, g);
    }
}

/* ... on `span` blocks from `block` on, span being a power of 2: the tree. */
static void adjoint_blocks(const struct dense *A, int64_t block, int64_t span, const struct some_columns *some,
                           const double *r, const struct with_squares *also, double *g)
{
    double other[SLAB];
    if (span == 1) {
        adjoint_block(A, block, some, r, also, g);
        return;
    }
    adjoint_blocks(A, block, span / 2, some, r, also, g);
    if (block + span / 2 >= block_count(A)) return;
    adjoint_blocks(A, block + span / 2, span / 2, some, r, also, other);
    dcpn_axpy(some->count, 1.0, other, g);
}

/* Long columns of a column-major matrix go four at a time, which stream by; a row-major one goes by slabs. */
static int64_t adjoint_width(const struct dense *A)
{
    return A->layout == DCPN_COLUMN_MAJOR && block_count(A) > 1 ? 4 : SLAB;
}

static void adjoint_groups(void *user, int64_t begin, int64_t end)
{
    const struct product *p = user;
    int64_t width = adjoint_width(p->A), columns = p->A->base.columns;
    for (int64_t first = begin * width; first < smaller(end * width, columns); first += width) {
        struct some_columns some = {first, smaller(width, columns - first), NULL};
        adjoint_blocks(p->A, 0, MOST_BLOCKS, &some, p->r, NULL, p->g + first);
    }
}

static int64_t adjoint(const dcpn_matrix *matrix, const double *r, double *g)
{
    const struct dense *A = dense_of(matrix);
    int64_t width = adjoint_width(A), groups = (matrix->columns + width - 1) / width;
    dcpn_parallel_ranges(threads_for(A, matrix->entries), groups, adjoint_groups,
                         &(struct product){.A = A, .r = r, .g = g});
    return matrix->entries;
}

/* The same bits for the columns of a list: what spares the reading of others does not change these. */
static void column_dots(const dcpn_matrix *matrix, const int64_t *columns, int64_t count, const double *r, double *g)
{
    int64_t width = dcpn_by_far_columns(dense_of(matrix)) ? 4 : SLAB;
    for (int64_t first = 0; first < count; first += width) {
        struct some_columns some = {0, smaller(width, count - first), columns + first};
        adjoint_blocks(dense_of(matrix), 0, MOST_BLOCKS, &some, r, NULL, g + first);
    }
}

/* ---- sum_i w_i a_ij^2 ---- */

static void curvatures_of_slab(const struct dense *A, int64_t first, int64_t count, const double *w, double *out)
{
    memset(out, 0, (size_t)count * sizeof *out);
    for (int64_t i = 0; i < A->base.rows; i++) A->tiles->add_square(count, w[i], entry(A, i, first), out);
}

static void curvatures_of_slabs(void *user, int64_t begin, int64_t end)
{
    const struct product *p = user;
    for (int64_t first = begin * SLAB; first < smaller(end * SLAB, p->A->base.columns); first += SLAB)
        curvatures_of_slab(p->A, first, smaller(SLAB, p->A->base.columns - first), p->w, p->out + first);
}

static void curvatures_of_columns(void *user, int64_t begin, int64_t end)
{
    const struct product *p = user;
    for (int64_t j = begin; j < end; j++) p->out[j] = p->A->tiles->curvature(p->A->base.rows, entry(p->A, 0, j), p->w);
}

/* Each by one thread, in the order of the rows. */
static int64_t curvatures(const dcpn_matrix *matrix, const double *w, double *out)
{
    const struct dense *A = dense_of(matrix);
    struct product product = {.A = A, .w = w, .out = out};
    dcpn_context *threads = threads_for(A, matrix->entries);
    dcpn_far_read_in_order(A->far);
    if (A->layout == DCPN_COLUMN_MAJOR)
        dcpn_parallel_ranges(threads, matrix->columns, curvatures_of_columns, &product);
    else
        dcpn_parallel_ranges(threads, (matrix->columns + SLAB - 1) / SLAB, curvatures_of_slabs, &product);
    return matrix->entries;
}

static void adjoint_and_curvatures_of_groups(void *user, int64_t begin, int64_t end)
{
    const struct product *p = user;
    for (int64_t first = 4 * begin; first < smaller(4 * end, p->A->base.columns); first += 4) {
        int64_t count = smaller(4, p->A->base.columns - first);
        struct some_columns some = {first, count, NULL};
        double sums[4 * DENSE_LANES] = {0};
        adjoint_blocks(p->A, 0, MOST_BLOCKS, &some, p->r, &(struct with_squares){p->w, sums}, p->g + first);
        memset(p->out + first, 0, (size_t)count * sizeof *p->out);
        p->A->tiles->add_sums(count, sums, p->out + first);
        if (p->columns) p->columns->columns(p->columns->user, first, count);
    }
}

/* A is read once. */
static int64_t adjoint_and_curvatures(const dcpn_matrix *matrix, const double *r, const double *w,
                                      const struct column_work *also, double *g, double *out)
{
    const struct dense *A = dense_of(matrix);
    if (A->layout == DCPN_ROW_MAJOR) {
        if (also) also->columns(also->user, 0, matrix->columns);
        return adjoint(matrix, r, g) + curvatures(matrix, w, out);
    }
    dcpn_parallel_ranges(threads_for(A, matrix->entries), (matrix->columns + 3) / 4, adjoint_and_curvatures_of_groups,
                         &(struct product){.A = A, .r = r, .w = w, .columns = also, .g = g, .out = out});
    return 2 * matrix->entries;
}

/* ---- A x and A'r in one sweep ---- */

/* Each block has its A'r and the running sums of its tile. */
static int64_t block_numbers(const struct dense *A)
{
    return A->base.columns * (A->strip < tile_rows(A) ? 1 + DENSE_LANES : 1);
}

static int64_t sweep_numbers(const dcpn_matrix *matrix)
{
    return block_count(dense_of(matrix)) * block_numbers(dense_of(matrix));
}

/* A is read once instead of twice, unless A x needs little of it. Not a matter of the threads: what is done, and
 * counted, is the same for any number of them. */
static int sweep_pays(const dcpn_matrix *matrix, const double *x)
{
    return 2 * entries_in_use(dense_of(matrix), x) >= matrix->entries;
}

static void sweep_tile(const struct dense *A, int64_t begin, int64_t end, const double *x, const struct row_work *work,
                       double *Ax, double *r, double *g)
{
    int64_t ahead = A->layout == DCPN_COLUMN_MAJOR ? tile_rows(A) : 0; /* the next comes while this is in the cache */
    apply_tile(A, begin, end, x, Ax);
    work->rows(work->user, begin, end, Ax, r);
    adjoint_tile(A, begin, end, &(struct some_columns){.count = A->base.columns}, ahead, r, g);
}

/* What A x passes over and A'r needs is on its way meanwhile. */
static void fetch_unused(const struct dense *A, int64_t begin, int64_t end, const double *x)
{
    int64_t bytes = (end - begin) * (int64_t)A->value_size;
    for (int64_t j = 0; j < A->base.columns; j++)
        for (int64_t k = 0; x[j] == 0.0 && k < bytes; k += CACHE_LINE)
            __builtin_prefetch((const char *)entry(A, begin, j) + k, 0, 2);
}

/* The same, to the bit, strip by strip. */
static void sweep_strips(const struct dense *A, int64_t begin, int64_t end, const double *x,
                         const struct row_work *work, double *Ax, double *r, double *g)
{
    int64_t columns = A->base.columns;
    double *sums = g + columns;
    for (int64_t i = begin; i < end; i += A->strip) {
        int64_t next = smaller(i + A->strip, end);
        fetch_unused(A, i, next, x);
        apply_tile(A, i, next, x, Ax);
        work->rows(work->user, i, next, Ax, r);
        A->tiles->accumulate(columns, next - i, entry(A, i, 0), A->stride, r + i, sums);
    }
    A->tiles->add_sums(columns, sums, g);
}

static void sweep_block(const struct dense *A, int64_t block, const double *x, const struct row_work *work, double *Ax,
                        double *r, double *g)
{
    int64_t rows = block_rows(A), tile = tile_rows(A), last = smaller((block + 1) * rows, A->base.rows);
    memset(g, 0, (size_t)block_numbers(A) * sizeof *g);
    for (int64_t begin = block * rows; begin < last; begin += tile)
        (A->strip < tile ? sweep_strips : sweep_tile)(A, begin, smaller(begin + tile, last), x, work, Ax, r, g);
}

/* The sums of each block have a place of their own, out. */
static void sweep_blocks(void *user, int64_t begin, int64_t end)
{
    const struct product *p = user;
    for (int64_t block = begin; block < end; block++)
        sweep_block(p->A, block, p->x, p->rows, p->u, p->g, p->out + block * block_numbers(p->A));
}

/* One after the other: where the blocks, which a sweep shares out, are fewer than the threads; and where columns come
 * from the disk, which it reads in pieces. */
static int64_t two_products(const dcpn_matrix *matrix, const double *x, const struct row_work *work, double *Ax,
                            double *r, double *g)
{
    int64_t in_use = apply(matrix, x, Ax);
    work->rows(work->user, 0, matrix->rows, Ax, r);
    return in_use + adjoint(matrix, r, g);
}

static int64_t sweep(const dcpn_matrix *matrix, const double *x, const struct row_work *work, double *Ax, double *r,
                     double *g, double *numbers)
{
    const struct dense *A = dense_of(matrix);
    int64_t blocks = block_count(A), columns = matrix->columns, apart = block_numbers(A);
    if ((matrix->entries > PARALLEL_FROM && matrix->context->threads > blocks) || dcpn_by_far_columns(A))
        return two_products(matrix, x, work, Ax, r, g);
    dcpn_parallel_ranges(threads_for(A, matrix->entries), blocks, sweep_blocks,
                         &(struct product){.A = A, .x = x, .rows = work, .u = Ax, .g = r, .out = numbers});
    for (int64_t width = 1; width < blocks; width *= 2)
        for (int64_t k = 0; k + width < blocks; k += 2 * width)
            dcpn_axpy(columns, 1.0, numbers + (k + width) * apart, numbers + k * apart);
    dcpn_copy(columns, numbers, g);
    return entries_in_use(A, x) + matrix->entries;
}

static int64_t column_entries(const dcpn_matrix *matrix, int64_t j)
{
    (void)j;
    return matrix->rows;
}

/* Some eight of its products take the time of one entry in a sweep, which waits for memory; of one in a cache fewer. */
static double gram_work(const dcpn_matrix *matrix, double in_use, int64_t count)
{
    double speed = in_use < GRAM_NEAR ? GRAM_SPEED_NEAR : in_use < GRAM_FAR ? GRAM_SPEED_BETWEEN : 1.0;
    if (in_use < GRAM_LITTLE) speed = 1.0;
    (void)matrix;
    return in_use * speed * (2.0 + (double)count / 16.0);
}

static int64_t gram_numbers(const dcpn_matrix *matrix)
{
    (void)matrix;
    return 0;
}

/* A tile of a Gram matrix: some rows of the columns U. */
struct panels {
    const struct dense *A;
    const int64_t *rows;
    int64_t height, count; /* of rows, of columns */
    const double *w;
    const int64_t *U;
    double *P, *Q;
};

static void free_dense(dcpn_matrix *matrix)
{
    struct dense *A = (struct dense *)matrix;
    dcpn_free(matrix->context, A->owned);
    dcpn_free(matrix->context, A->owned_far);
    dcpn_free(matrix->context, A);
}

#define VALUE double
#define KERNEL(NAME) float64_##NAME
#include "matrix/dense_kernels.inc"

#define VALUE float
#define KERNEL(NAME) float32_##NAME
#include "matrix/dense_kernels.inc"

const struct matrix_ops *dcpn_dense_ops(dcpn_value_type type)
{
    return type == DCPN_FLOAT64 ? &float64_ops : &float32_ops;
}
