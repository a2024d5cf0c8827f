/* SPDX-License-Identifier: BSD-3-Clause */
/* Factors, determinants and inverses of large matrices: by their products, by the factor of small ones, and the same
 * bits at every level of instructions and for any number of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cholesky.h"
#include "base/positive.h"
#include "base/rng.h"
#include "with_context.h"

struct scene {
    int64_t n, size;
    double *M, *U, *inverse;
    struct positive_space space;
    struct arena arena;
};

/* B'B + I of a random B, with rows and columns of the identity beyond n. */
static void begin(int64_t n, struct scene *s)
{
    struct rng rng;
    struct arena spare = {0};
    *s = (struct scene){.n = n, .size = dcpn_positive_size(n)};
    size_t numbers = (size_t)(s->size * s->size);
    s->M = calloc(numbers, sizeof *s->M);
    s->U = calloc(numbers, sizeof *s->U);
    s->inverse = calloc(numbers, sizeof *s->inverse);
    double *B = calloc(numbers, sizeof *B);
    assert_true(s->M && s->U && s->inverse && B);
    dcpn_rng_seed(&rng, 7);
    for (int64_t k = 0; k < n * n; k++) B[k] = dcpn_rng_normal(&rng) / sqrt((double)n);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            for (int64_t k = 0; k < n; k++) s->M[i * s->size + j] += B[i * n + k] * B[j * n + k];
    for (int64_t i = 0; i < s->size; i++) s->M[i * s->size + i] += 1.0;
    free(B);
    dcpn_positive_layout(s->size, 1, &s->space, &s->arena);
    assert_int_equal(dcpn_arena_allocate(context, &s->arena, &spare), DCPN_OK);
    dcpn_positive_layout(s->size, 1, &s->space, &s->arena);
}

static void finish(struct scene *s)
{
    dcpn_arena_free(context, &s->arena);
    free(s->M);
    free(s->U);
    free(s->inverse);
}

static void work(struct scene *s)
{
    memcpy(s->U, s->M, (size_t)(s->size * s->size) * sizeof *s->U);
    assert_int_equal(dcpn_positive_factor(context, &s->space, 0.0, s->U), 1);
    dcpn_positive_inverse(context, &s->space, s->U, s->inverse);
}

static void test_product_with_the_inverse_is_the_identity(void **state)
{
    static const int64_t sizes[] = {1, 7, 8, 9, 63, 64, 65, 130, 257};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct scene s;
        begin(sizes[k], &s);
        work(&s);
        for (int64_t i = 0; i < s.size; i++)
            for (int64_t j = 0; j < s.size; j++) {
                double sum = 0.0;
                for (int64_t l = 0; l < s.size; l++) sum += s.M[i * s.size + l] * s.inverse[l * s.size + j];
                assert_true(fabs(sum - (i == j)) < 1e-11);
                assert_true(s.inverse[i * s.size + j] == s.inverse[j * s.size + i]);
            }
        finish(&s);
    }
}

static void test_determinant_is_that_of_the_small_factor(void **state)
{
    (void)state;
    struct scene s;
    begin(150, &s);
    work(&s);
    assert_int_equal(dcpn_cholesky(s.size, s.size, 0.0, s.M), 1);
    double expected = 0.0;
    for (int64_t i = 0; i < s.size; i++) expected += 2.0 * log(s.M[i * s.size + i]);
    assert_true(fabs(dcpn_positive_log_det(&s.space, s.U) - expected) < 1e-11);
    finish(&s);
}

static void test_bits_depend_on_neither_threads_nor_level(void **state)
{
    (void)state;
    struct scene s;
    begin(200, &s);
    work(&s);
    size_t bytes = (size_t)(s.size * s.size) * sizeof *s.U;
    double *expected = malloc(bytes);
    assert_non_null(expected);
    memcpy(expected, s.inverse, bytes);
    for (enum level level = LEVEL_BASELINE; level <= dcpn_level(); level++)
        for (int threads = 1; threads <= 3; threads++) {
            s.space.level = level;
            dcpn_context_set_threads(context, threads);
            work(&s);
            assert_memory_equal(s.inverse, expected, bytes);
        }
    free(expected);
    finish(&s);
}

static void test_indefinite_matrices_are_found(void **state)
{
    (void)state;
    struct scene s;
    begin(100, &s);
    for (int64_t at = 0; at < 100; at += 33) {
        memcpy(s.U, s.M, (size_t)(s.size * s.size) * sizeof *s.U);
        s.U[at * s.size + at] = -0.5;
        assert_int_equal(dcpn_positive_factor(context, &s.space, 0.0, s.U), 0);
    }
    memcpy(s.U, s.M, (size_t)(s.size * s.size) * sizeof *s.U);
    for (int64_t j = 0; j < s.size; j++) s.U[70 * s.size + j] = s.U[j * s.size + 70] = s.M[71 * s.size + j];
    s.U[70 * s.size + 70] = s.U[70 * s.size + 71] = s.U[71 * s.size + 70] =
        s.M[71 * s.size + 71]; /* twice the same variable */
    assert_int_equal(dcpn_positive_factor(context, &s.space, 1e-12, s.U), 0);
    finish(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_product_with_the_inverse_is_the_identity, setup, teardown),
        cmocka_unit_test_setup_teardown(test_determinant_is_that_of_the_small_factor, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bits_depend_on_neither_threads_nor_level, setup, teardown),
        cmocka_unit_test_setup_teardown(test_indefinite_matrices_are_found, setup, teardown),
    };
    return cmocka_run_group_tests_name("positive", tests, NULL, NULL);
}
