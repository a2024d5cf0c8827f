/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of columns that are kept are those of the matrix, in whatever order columns are asked for, and after others
 * had to make room. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/rng.h"
#include "dcpn/dcpn.h"
#include "metric/products.h"

enum { ROWS = 11, COLUMNS = 9, MOST = 5 };

static double values[ROWS * COLUMNS], w[ROWS];

static dcpn_matrix *make(dcpn_context *context)
{
    struct rng rng;
    dcpn_matrix *A;
    dcpn_rng_seed(&rng, 3);
    for (int i = 0; i < ROWS * COLUMNS; i++) values[i] = dcpn_rng_uniform(&rng) - 0.5;
    for (int i = 0; i < ROWS; i++) w[i] = dcpn_rng_uniform(&rng);
    assert_int_equal(
        dcpn_matrix_dense(context, ROWS, COLUMNS, values, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, ROWS, DCPN_COPY, &A),
        DCPN_OK);
    return A;
}

static double product(int64_t a, int64_t b)
{
    double sum = 0.0;
    for (int i = 0; i < ROWS; i++) sum += values[a * ROWS + i] * w[i] * values[b * ROWS + i];
    return sum;
}

/* However they came to be kept, the products are the same bytes. */
static void check_bytes(const dcpn_matrix *A, const int64_t *U, int64_t count, const double *G)
{
    int64_t place[COLUMNS] = {0}, columns[MOST];
    double fresh[MOST * MOST], kept[MOST * (MOST + 1) / 2], weighted[ROWS];
    struct products p = {.most = MOST, .place = place, .columns = columns, .G = kept, .weighted = weighted};
    dcpn_products_gram(&p, A, w, U, count, fresh);
    assert_memory_equal(fresh, G, (size_t)(count * count) * sizeof *G);
}

static void check(struct products *p, const dcpn_matrix *A, const int64_t *U, int64_t count, int64_t missing)
{
    double G[MOST * MOST];
    int64_t touched = dcpn_products_gram(p, A, w, U, count, G);
    assert_int_equal(touched > 0, missing > 0);
    check_bytes(A, U, count, G);
    for (int64_t a = 0; a < count; a++)
        for (int64_t b = 0; b < count; b++) assert_true(fabs(G[a * count + b] - product(U[a], U[b])) < 1e-14);
}

static void products_are_those_of_the_matrix(void **state)
{
    int64_t place[COLUMNS] = {0}, columns[MOST];
    double kept[MOST * (MOST + 1) / 2], weighted[ROWS];
    struct products p = {.most = MOST, .place = place, .columns = columns, .G = kept, .weighted = weighted};
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_matrix *A = make(context);
    (void)state;
    check(&p, A, (const int64_t[]){2, 7}, 2, 2);
    check(&p, A, (const int64_t[]){1, 2, 7, 8}, 4, 2);
    check(&p, A, (const int64_t[]){7, 8}, 2, 0);
    check(&p, A, (const int64_t[]){0, 3, 7}, 3, 2); /* for which there is no room: the others go */
    check(&p, A, (const int64_t[]){1, 2}, 2, 2);
    w[0] *= 2.0;
    dcpn_products_forget(&p);
    check(&p, A, (const int64_t[]){2, 3, 7}, 3, 3);
    dcpn_matrix_free(A);
    dcpn_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(products_are_those_of_the_matrix)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
