/* SPDX-License-Identifier: BSD-3-Clause */
/* A dense matrix in a file that does not fit into memory is read in another order; every product has the same bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "matrix/dense.h"
#include "with_context.h"

enum { ROWS = 9001, COLUMNS = 37, PAGE = 4096, NUMBERS = 4 * (ROWS + COLUMNS * COLUMNS) };

/* Everything that a matrix can be asked, one answer behind the other. */
struct answers {
    double numbers[NUMBERS];
    int64_t count;
};

static double *next(struct answers *a, int64_t count)
{
    double *at = a->numbers + a->count;
    assert_true(a->count + count <= NUMBERS);
    a->count += count;
    return at;
}

static double x[COLUMNS], r[ROWS], w[ROWS];

static void take_r(const void *user, int64_t begin, int64_t end, double *Ax, double *of_rows)
{
    (void)user;
    for (int64_t i = begin; i < end; i++) of_rows[i] = Ax[i] * r[i];
}

static void ask_for_products(const dcpn_matrix *A, struct answers *a)
{
    static double of_rows[ROWS];
    const struct row_work work = {take_r, NULL};
    double *numbers = calloc((size_t)A->ops->sweep.numbers(A), sizeof *numbers);
    assert_non_null(numbers);
    A->ops->apply(A, x, next(a, ROWS));
    A->ops->adjoint(A, r, next(a, COLUMNS));
    A->ops->sweep.run(A, x, &work, next(a, ROWS), of_rows, next(a, COLUMNS), numbers);
    free(numbers);
    A->ops->curvatures(A, w, next(a, COLUMNS));
    double *g = next(a, COLUMNS);
    A->ops->adjoint_and_curvatures(A, r, w, NULL, g, next(a, COLUMNS));
}

static void ask_for_columns(const dcpn_matrix *A, struct answers *a)
{
    static const int64_t some[] = {1, 5, 6, 20, 36};
    double *sum = next(a, ROWS);
    A->ops->column_dots(A, some, 5, r, next(a, 5));
    memset(sum, 0, ROWS * sizeof *sum);
    for (int64_t k = 0; k < 5; k++) {
        *next(a, 1) = A->ops->column_dot(A, some[k], r);
        *next(a, 1) = A->ops->column_curvature(A, some[k], w);
        A->ops->column_axpy(A, some[k], 0.3, w, sum);
        A->ops->column_add(A, some[k], -1.7, sum);
    }
}

static void ask_for_gram(const dcpn_matrix *A, struct answers *a)
{
    static const int64_t U[] = {0, 3, 4, 17, 30};
    static double tile[4 * DCPN_GRAM_TILE * DCPN_GRAM_PANEL];
    static int64_t rows[ROWS];
    struct gram_space space = {.tile = tile};
    A->ops->gram(A, w, U, 5, &space, next(a, 25));
    A->ops->row(A, 77, rows, next(a, COLUMNS));
    A->ops->column(A, 9, rows, next(a, ROWS));
}

static void ask(const dcpn_matrix *A, struct answers *a)
{
    memset(a, 0, sizeof *a);
    ask_for_products(A, a);
    ask_for_columns(A, a);
    ask_for_gram(A, a);
}

/* Half of x is used, or all of it, or three columns. */
static void fill_vectors(struct rng *rng, int used)
{
    for (int64_t j = 0; j < COLUMNS; j++)
        x[j] = used == 0 ? dcpn_rng_normal(rng) : used == 1 ? (double)(j % 2) * (1.0 + (double)j) : j % 13 == 5;
    for (int64_t i = 0; i < ROWS; i++) r[i] = dcpn_rng_normal(rng);
    for (int64_t i = 0; i < ROWS; i++) w[i] = dcpn_rng_uniform(rng);
}

static void compare(dcpn_value_type type, dcpn_layout layout, void *values)
{
    static struct answers near, far;
    struct rng rng;
    dcpn_rng_seed(&rng, 5);
    for (int used = 0; used < 3; used++) {
        dcpn_matrix *A = NULL, *B = NULL;
        fill_vectors(&rng, used);
        assert_int_equal(dcpn_matrix_borrow_dense(context, ROWS, COLUMNS, values, type, layout, &A), DCPN_OK);
        assert_int_equal(dcpn_matrix_borrow_dense(context, ROWS, COLUMNS, values, type, layout, &B), DCPN_OK);
        assert_int_equal(dcpn_dense_set_far(B, values, sizeof(double) * ROWS * COLUMNS), DCPN_OK);
        ask(A, &near);
        ask(B, &far);
        assert_int_equal(near.count, far.count);
        assert_memory_equal(near.numbers, far.numbers, sizeof near.numbers);
        dcpn_matrix_free(A);
        dcpn_matrix_free(B);
    }
}

static void test_same_bits(void **state)
{
    struct rng rng;
    void *values = NULL;
    (void)state;
    assert_int_equal(posix_memalign(&values, PAGE, sizeof(double) * ROWS * COLUMNS), 0);
    for (int single = 0; single < 2; single++) {
        dcpn_rng_seed(&rng, 3);
        for (int64_t k = 0; k < ROWS * COLUMNS; k++)
            if (single)
                ((float *)values)[k] = (float)dcpn_rng_normal(&rng);
            else
                ((double *)values)[k] = dcpn_rng_normal(&rng);
        for (int threads = 1; threads <= 3; threads += 2) {
            dcpn_context_set_threads(context, threads);
            compare(single ? DCPN_FLOAT32 : DCPN_FLOAT64, DCPN_COLUMN_MAJOR, values);
            compare(single ? DCPN_FLOAT32 : DCPN_FLOAT64, DCPN_ROW_MAJOR, values);
        }
    }
    free(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_same_bits, setup, teardown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
