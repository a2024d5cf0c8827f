/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense matrices of many tiles and blocks: the sweep gives the bits of its two products, threads and levels of
 * instructions change nothing, and all agree with plain loops. */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "matrix/dense.h"
#include "matrix/dense_tiles.h"
#include "matrix/matrix.h"
#include "support/conformance_assert.h"

static const double EPS = DBL_EPSILON;

struct dense_case {
    int64_t rows, columns, gap;
    dcpn_layout layout;
    dcpn_value_type type;
    double *x, *r, *A; /* A row by row */
    void *values;
    dcpn_matrix *matrix;
};

static void *space(int64_t count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);
    assert_non_null(memory);
    return memory;
}

/* Some of x and of r is 0. */
static void make_case(dcpn_context *context, struct dense_case *c)
{
    struct rng rng;
    int by_column = c->layout == DCPN_COLUMN_MAJOR;
    int64_t stride = (by_column ? c->rows : c->columns) + c->gap, vectors = by_column ? c->columns : c->rows;
    dcpn_rng_seed(&rng, 7);
    c->x = space(c->columns, sizeof(double));
    c->r = space(c->rows, sizeof(double));
    c->A = space(c->rows * c->columns, sizeof(double));
    c->values = space(stride * vectors, sizeof(double));
    for (int64_t j = 0; j < c->columns; j++) c->x[j] = j % 5 == 3 ? 0.0 : dcpn_rng_normal(&rng);
    for (int64_t i = 0; i < c->rows; i++) c->r[i] = i % 7 == 2 ? 0.0 : dcpn_rng_normal(&rng);
    for (int64_t i = 0; i < c->rows; i++)
        for (int64_t j = 0; j < c->columns; j++) {
            float value = (float)dcpn_rng_normal(&rng);
            int64_t at = by_column ? i + j * stride : i * stride + j;
            c->A[i * c->columns + j] = (double)value;
            if (c->type == DCPN_FLOAT64)
                ((double *)c->values)[at] = (double)value;
            else
                ((float *)c->values)[at] = value;
        }
    assert_int_equal(
        dcpn_matrix_dense(context, c->rows, c->columns, c->values, c->type, c->layout, stride, DCPN_BORROW, &c->matrix),
        DCPN_OK);
}

static void free_case(struct dense_case *c)
{
    dcpn_matrix_free(c->matrix);
    free(c->x);
    free(c->r);
    free(c->A);
    free(c->values);
}

/* Shapes with one block and with many, with and without remainders of every kind. */
static const int64_t SHAPES[][2] = {{5000, 13}, {4096, 8},  {1311, 70}, {300, 600},
                                    {128, 4},   {17, 1100}, {1, 3},     {9, 1}};

static void on_every_case(dcpn_context *context, void (*check)(struct dense_case *))
{
    for (size_t s = 0; s < COUNT_OF(SHAPES); s++)
        for (int form = 0; form < 4; form++) {
            struct dense_case c = {.rows = SHAPES[s][0],
                                   .columns = SHAPES[s][1],
                                   .gap = (int64_t)s % 3,
                                   .layout = form & 1 ? DCPN_ROW_MAJOR : DCPN_COLUMN_MAJOR,
                                   .type = form & 2 ? DCPN_FLOAT32 : DCPN_FLOAT64};
            make_case(context, &c);
            check(&c);
            free_case(&c);
        }
}

/* ---- against plain loops ---- */

static void check_products(struct dense_case *c)
{
    double *u = space(c->rows, sizeof *u), *g = space(c->columns, sizeof *g), *w = space(c->rows, sizeof *w);
    double *curvatures = space(c->columns, sizeof *curvatures);
    for (int64_t i = 0; i < c->rows; i++) w[i] = c->r[i] * c->r[i];
    dcpn_matrix_apply(c->matrix, c->x, u);
    dcpn_matrix_adjoint(c->matrix, c->r, g);
    c->matrix->ops->curvatures(c->matrix, w, curvatures);
    for (int64_t i = 0; i < c->rows; i++) {
        long double sum = 0.0L, size = 0.0L;
        for (int64_t j = 0; j < c->columns; j++) {
            long double term = (long double)c->A[i * c->columns + j] * (long double)c->x[j];
            sum += term;
            size += fabsl(term);
        }
        assert_near(u[i], (double)sum, (double)(c->columns + 1) * EPS * (double)size, "(A x)_%d", (int)i);
    }
    for (int64_t j = 0; j < c->columns; j++) {
        long double sum = 0.0L, size = 0.0L, curvature = 0.0L;
        for (int64_t i = 0; i < c->rows; i++) {
            long double value = (long double)c->A[i * c->columns + j], term = value * (long double)c->r[i];
            sum += term;
            size += fabsl(term);
            curvature += (long double)w[i] * value * value;
        }
        assert_near(curvatures[j], (double)curvature, (double)(c->rows + 3) * EPS * (double)curvature,
                    "curvature of column %d", (int)j);
        assert_near(g[j], (double)sum, (double)(c->rows + 1) * EPS * (double)size, "(A'r)_%d", (int)j);
    }
    free(u), free(g), free(w), free(curvatures);
}

static void products_agree_with_plain_loops(void **state)
{
    (void)state;
    dcpn_context *context = dcpn_context_new(NULL);
    on_every_case(context, check_products);
    dcpn_context_free(context);
}

/* ---- the Gram matrix of a sample of the rows: the others have weight 0, and are not read ---- */

static double weighted_product(const struct dense_case *c, const double *w, int64_t j, int64_t k, double *size)
{
    long double sum = 0.0L, sizes = 0.0L;
    for (int64_t i = 0; i < c->rows; i++) {
        long double term = (long double)w[i] * (long double)c->A[i * c->columns + j];
        term *= (long double)c->A[i * c->columns + k];
        sum += term;
        sizes += fabsl(term);
    }
    *size = (double)sizes;
    return (double)sum;
}

/* The same by the order in which it is promised whatever the instructions: tiles of rows that have a weight, one by
 * one. */
static double product_in_tiles(const struct dense_case *c, const double *w, int64_t j, int64_t k)
{
    double sum = 0.0, tile = 0.0;
    int64_t height = 0;
    for (int64_t i = 0; i < c->rows; i++) {
        if (w[i] != 0.0) tile += w[i] * c->A[i * c->columns + j] * c->A[i * c->columns + k];
        if ((height += w[i] != 0.0) < DCPN_GRAM_TILE && i + 1 < c->rows) continue;
        sum += tile;
        tile = 0.0;
        height = 0;
    }
    return sum;
}

/* Weights on 32 rows of every `period`. */
static void check_gram_of_sample(struct dense_case *c, int64_t period)
{
    int64_t count = c->columns < 43 ? c->columns : 43, U[43], rows = 0;
    double *w = space(c->rows, sizeof *w), *G = space(count * count, sizeof *G), size;
    struct gram_space gram = {.tile = space(2 * dcpn_gram_tile_numbers(count), sizeof(double))};
    for (int64_t k = 0; k < count; k++) U[k] = k * (c->columns / count);
    for (int64_t i = 0; i < c->rows; i++) w[i] = i % period < 32 ? 1.0 + c->r[i] * c->r[i] : 0.0;
    for (int64_t i = 0; i < c->rows; i++) rows += w[i] > 0.0;
    assert_int_equal(c->matrix->ops->gram(c->matrix, w, U, count, &gram, G), rows * count);
    for (int64_t k = 0; k < count * count; k++) {
        double expected = weighted_product(c, w, U[k / count], U[k % count], &size);
        assert_near(G[k], expected, (double)(c->rows + 3) * EPS * size, "entry %d of the Gram matrix", (int)k);
        int64_t a = k / count > k % count ? k / count : k % count, b = k / count + k % count - a;
        assert_true(G[k] == product_in_tiles(c, w, U[a], U[b]));
    }
    free(w), free(G), free(gram.tile);
}

static void check_grams(struct dense_case *c)
{
    check_gram_of_sample(c, 32);
    check_gram_of_sample(c, 64);
    check_gram_of_sample(c, 320);
}

static void gram_matrices_of_samples_agree_with_plain_loops(void **state)
{
    (void)state;
    dcpn_context *context = dcpn_context_new(NULL);
    on_every_case(context, check_grams);
    dcpn_context_free(context);
}

/* ---- the sweep ---- */

static void half_and_one(const void *user, int64_t begin, int64_t end, double *Ax, double *r)
{
    const double *weights = user;
    for (int64_t i = begin; i < end; i++) r[i] = weights[i] * (0.5 * Ax[i] + 1.0);
}

static void check_one_sweep(struct dense_case *c, const dcpn_matrix *matrix, const double *x)
{
    double *u = space(c->rows, sizeof *u), *r = space(c->rows, sizeof *r), *g = space(matrix->columns, sizeof *g);
    double *swept_u = space(c->rows, sizeof *u), *swept_r = space(c->rows, sizeof *r);
    double *swept_g = space(matrix->columns, sizeof *g);
    struct row_work work = {half_and_one, c->r};
    struct design two = {.A = matrix}, one = {.A = matrix};
    one.numbers = space(dcpn_design_numbers(&one), sizeof(double));
    dcpn_design_apply(&two, x, u);
    half_and_one(c->r, 0, c->rows, u, r);
    dcpn_design_adjoint(&two, r, g);
    dcpn_design_sweep(&one, x, &work, swept_u, swept_r, swept_g);
    assert_memory_equal(swept_u, u, (size_t)c->rows * sizeof *u);
    assert_memory_equal(swept_r, r, (size_t)c->rows * sizeof *r);
    assert_memory_equal(swept_g, g, (size_t)matrix->columns * sizeof *g);
    assert_int_equal(one.touched, two.touched);
    free(one.numbers);
    free(u), free(r), free(g);
    free(swept_u), free(swept_r), free(swept_g);
}

static void check_sweep(struct dense_case *c)
{
    struct with_ones with_ones;
    double *x = space(c->columns + 1, sizeof *x);
    memcpy(x, c->x, (size_t)c->columns * sizeof *x);
    x[c->columns] = -0.75;
    dcpn_matrix_with_ones(&with_ones, c->matrix);
    for (int64_t strip = 32; strip <= 256; strip *= 2)
        for (int threads = 1; threads <= 3; threads++) {
            dcpn_context_set_threads(c->matrix->context, threads);
            dcpn_dense_set_strip(c->matrix, strip);
            check_one_sweep(c, c->matrix, x);
            check_one_sweep(c, &with_ones.base, x);
        }
    free(x);
}

static void a_sweep_has_the_bits_of_its_two_products(void **state)
{
    (void)state;
    dcpn_context *context = dcpn_context_new(NULL);
    on_every_case(context, check_sweep);
    dcpn_context_free(context);
}

static void check_joint_products(struct dense_case *c)
{
    double *g[2], *curvatures[2], *w = space(c->rows, sizeof *w);
    const struct matrix_ops *ops = c->matrix->ops;
    for (int64_t i = 0; i < c->rows; i++) w[i] = c->r[i] * c->r[i];
    for (int k = 0; k < 2; k++) {
        g[k] = space(c->columns, sizeof(double));
        curvatures[k] = space(c->columns, sizeof(double));
    }
    int64_t touched = ops->adjoint(c->matrix, c->r, g[0]) + ops->curvatures(c->matrix, w, curvatures[0]);
    assert_int_equal(ops->adjoint_and_curvatures(c->matrix, c->r, w, NULL, g[1], curvatures[1]), touched);
    assert_memory_equal(g[1], g[0], (size_t)c->columns * sizeof(double));
    assert_memory_equal(curvatures[1], curvatures[0], (size_t)c->columns * sizeof(double));
    for (int k = 0; k < 2; k++) free(g[k]), free(curvatures[k]);
    free(w);
}

static void slopes_and_curvatures_from_one_reading_have_the_bits_of_two(void **state)
{
    (void)state;
    dcpn_context *context = dcpn_context_new(NULL);
    on_every_case(context, check_joint_products);
    dcpn_context_free(context);
}

static void check_threads(struct dense_case *c)
{
    double *u[2], *g[2];
    for (int k = 0; k < 2; k++) {
        u[k] = space(c->rows, sizeof(double));
        g[k] = space(c->columns, sizeof(double));
        dcpn_context_set_threads(c->matrix->context, k == 0 ? 1 : 4);
        dcpn_matrix_apply(c->matrix, c->x, u[k]);
        dcpn_matrix_adjoint(c->matrix, c->r, g[k]);
    }
    assert_memory_equal(u[0], u[1], (size_t)c->rows * sizeof(double));
    assert_memory_equal(g[0], g[1], (size_t)c->columns * sizeof(double));
    for (int k = 0; k < 2; k++) free(u[k]), free(g[k]);
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    dcpn_context *context = dcpn_context_new(NULL);
    on_every_case(context, check_threads);
    dcpn_context_free(context);
}

/* A sweep is not for an x that needs little of A. The threads do not matter: the work counted is the same. */
static void it_is_known_when_a_sweep_pays(void **state)
{
    (void)state;
    dcpn_context *context = dcpn_context_new(NULL);
    struct dense_case c = {.rows = 1000, .columns = 10, .layout = DCPN_COLUMN_MAJOR};
    make_case(context, &c);
    struct design design = {.A = c.matrix};
    assert_true(dcpn_design_sweep_pays(&design, c.x));
    dcpn_context_set_threads(context, 1000);
    assert_true(dcpn_design_sweep_pays(&design, c.x));
    dcpn_context_set_threads(context, 1);
    for (int j = 0; j < 7; j++) c.x[j] = 0.0;
    assert_false(dcpn_design_sweep_pays(&design, c.x));
    free_case(&c);
    dcpn_context_free(context);
}

/* ---- levels of instructions ---- */

enum { LONGEST = 70, MOST_VECTORS = 11, STRIDE = LONGEST + 3 };

struct tile {
    double values[MOST_VECTORS * STRIDE], c[LONGEST], w[LONGEST];
    float values32[MOST_VECTORS * STRIDE];
};

static void fill_tile(struct tile *tile)
{
    struct rng rng;
    dcpn_rng_seed(&rng, 3);
    for (int i = 0; i < MOST_VECTORS * STRIDE; i++) {
        tile->values[i] = dcpn_rng_normal(&rng);
        tile->values32[i] = (float)dcpn_rng_normal(&rng);
    }
    for (int i = 0; i < LONGEST; i++) {
        tile->c[i] = i % 6 == 4 ? 0.0 : dcpn_rng_normal(&rng);
        tile->w[i] = dcpn_rng_uniform(&rng);
    }
}

static void run_tile(const struct dense_tiles *tiles, const struct tile *tile, const void *values, int64_t vectors,
                     int64_t n, double out[5][LONGEST])
{
    for (int k = 0; k < 5; k++)
        for (int64_t i = 0; i < LONGEST; i++) out[k][i] = 0.1 * (double)i;
    tiles->combine(vectors, n, values, STRIDE, n % 2 ? 0 : 3, n, tile->c, out[0]);
    tiles->project(vectors, n, values, STRIDE, n % 2 ? 3 : 0, tile->c, out[1]);
    tiles->axpy(n, -0.7, tile->w, values, out[2]);
    tiles->add_square(n, 1.3, values, out[3]);
    out[4][0] = tiles->curvature(n, values, tile->w);
}

/* A product in two parts has the bits of the whole. */
static void check_parts(const struct dense_tiles *tiles, const struct tile *tile, const char *values, size_t size,
                        int64_t vectors, int64_t n)
{
    int64_t first = n / 2 / DENSE_LANES * DENSE_LANES;
    double sums[MOST_VECTORS * DENSE_LANES] = {0}, zeros[MOST_VECTORS * DENSE_LANES] = {0};
    double whole[MOST_VECTORS] = {0}, parts[MOST_VECTORS] = {0};
    tiles->project(vectors, n, values, STRIDE, 0, tile->c, whole);
    tiles->accumulate(vectors, first, values, STRIDE, tile->c, sums);
    tiles->accumulate(vectors, n - first, values + (size_t)first * size, STRIDE, tile->c + first, sums);
    tiles->add_sums(vectors, sums, parts);
    assert_memory_equal(parts, whole, sizeof whole);
    assert_memory_equal(sums, zeros, sizeof zeros);
}

/* And one that goes on with the curvatures has those of the whole, besides. */
static void check_squares(const struct dense_tiles *tiles, const struct tile *tile, const char *values, size_t size,
                          int64_t vectors, int64_t n)
{
    int64_t first = n / 2 / DENSE_LANES * DENSE_LANES;
    double squares[MOST_VECTORS * DENSE_LANES] = {0}, curvatures[MOST_VECTORS] = {0};
    double alone[MOST_VECTORS] = {0}, beside[MOST_VECTORS] = {0};
    const char *rest = values + (size_t)first * size;
    tiles->project(vectors, first, values, STRIDE, 0, tile->c, alone);
    tiles->project(vectors, n - first, rest, STRIDE, 0, tile->c + first, alone);
    tiles->project_and_square(vectors, first, values, STRIDE, tile->c, tile->w, beside, squares);
    tiles->project_and_square(vectors, n - first, rest, STRIDE, tile->c + first, tile->w + first, beside, squares);
    assert_memory_equal(beside, alone, sizeof alone);
    tiles->add_sums(vectors, squares, curvatures);
    for (int64_t k = 0; k < vectors; k++)
        assert_true(curvatures[k] == tiles->curvature(n, values + (size_t)(k * STRIDE) * size, tile->w));
}

static void products_in_parts_have_the_bits_of_the_whole(void **state)
{
    (void)state;
    struct tile tile;
    fill_tile(&tile);
    for (enum level level = LEVEL_BASELINE; level <= dcpn_level(); level++)
        for (int64_t vectors = 1; vectors <= MOST_VECTORS; vectors++)
            for (int64_t n = 0; n <= LONGEST; n++) {
                const struct dense_tiles *tiles[] = {dcpn_dense_tiles(DCPN_FLOAT64, level),
                                                     dcpn_dense_tiles(DCPN_FLOAT32, level)};
                check_parts(tiles[0], &tile, (const char *)tile.values, sizeof(double), vectors, n);
                check_parts(tiles[1], &tile, (const char *)tile.values32, sizeof(float), vectors, n);
                check_squares(tiles[0], &tile, (const char *)tile.values, sizeof(double), vectors, n);
                check_squares(tiles[1], &tile, (const char *)tile.values32, sizeof(float), vectors, n);
            }
}

static void levels_of_instructions_agree(void **state)
{
    (void)state;
    struct tile tile;
    fill_tile(&tile);
    for (int type = 0; type < 2; type++)
        for (int64_t vectors = 1; vectors <= MOST_VECTORS; vectors++)
            for (int64_t n = 0; n <= LONGEST; n++) {
                const void *values = type == DCPN_FLOAT64 ? (const void *)tile.values : tile.values32;
                double plain[5][LONGEST], wide[5][LONGEST];
                run_tile(dcpn_dense_tiles((dcpn_value_type)type, LEVEL_BASELINE), &tile, values, vectors, n, plain);
                for (enum level level = LEVEL_AVX2; level <= dcpn_level(); level++) {
                    run_tile(dcpn_dense_tiles((dcpn_value_type)type, level), &tile, values, vectors, n, wide);
                    assert_memory_equal(wide, plain, sizeof plain);
                }
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_agree_with_plain_loops),
        cmocka_unit_test(gram_matrices_of_samples_agree_with_plain_loops),
        cmocka_unit_test(a_sweep_has_the_bits_of_its_two_products),
        cmocka_unit_test(slopes_and_curvatures_from_one_reading_have_the_bits_of_two),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(it_is_known_when_a_sweep_pays),
        cmocka_unit_test(products_in_parts_have_the_bits_of_the_whole),
        cmocka_unit_test(levels_of_instructions_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
