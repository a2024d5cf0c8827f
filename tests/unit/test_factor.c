/* SPDX-License-Identifier: BSD-3-Clause */
/* M = U'U: multiplied out again in long double, solved, refused where it does not exist, and the same bits at every
 * level of instructions. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "base/factor.h"
#include "base/rng.h"

enum { MOST = 45, ROOM = 48 };
static const double LEAST = 1e-12;

struct square {
    int64_t n, stride;
    double M[MOST * ROOM], diagonal[MOST];
};

/* B'B of n + 3 random rows, the columns of B on different scales. */
static void make(struct square *s, int64_t n)
{
    struct rng rng;
    double B[MOST + 3][MOST];
    dcpn_rng_seed(&rng, (uint64_t)n);
    memset(s, 0, sizeof *s);
    s->n = n;
    s->stride = dcpn_factor_stride(n);
    for (int64_t i = 0; i < n + 3; i++)
        for (int64_t j = 0; j < n; j++) B[i][j] = (dcpn_rng_uniform(&rng) - 0.5) * pow(10.0, (double)(j % 5) - 2.0);
    for (int64_t k = 0; k < n; k++)
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < n + 3; i++) s->M[k * s->stride + j] += B[i][k] * B[i][j];
    for (int64_t k = 0; k < n; k++) s->diagonal[k] = s->M[k * s->stride + k];
}

static double entry(const struct square *s, int64_t k, int64_t j)
{
    return s->M[k * s->stride + j];
}

static void the_factor_gives_the_matrix(void **state)
{
    struct square s, U;
    (void)state;
    for (int64_t n = 1; n <= MOST; n++) {
        make(&s, n);
        U = s;
        assert_true(dcpn_factor(n, s.diagonal, LEAST, U.M));
        for (int64_t k = 0; k < n; k++)
            for (int64_t j = k; j < n; j++) {
                long double sum = 0.0L;
                for (int64_t i = 0; i <= k; i++) sum += (long double)entry(&U, i, k) * (long double)entry(&U, i, j);
                double scale = sqrt(s.diagonal[k] * s.diagonal[j]);
                assert_true(fabsl(sum - (long double)entry(&s, k, j)) <= 1e-14L * (long double)scale);
            }
    }
}

static void it_solves(void **state)
{
    struct square s, U;
    double x[MOST], wanted[MOST];
    (void)state;
    for (int64_t n = 1; n <= MOST; n++) {
        make(&s, n);
        for (int64_t k = 0; k < n; k++) wanted[k] = (double)(k % 7 - 3) / sqrt(s.diagonal[k]);
        for (int64_t k = 0; k < n; k++) {
            x[k] = 0.0;
            for (int64_t j = 0; j < n; j++) x[k] += entry(&s, k, j) * wanted[j];
        }
        U = s;
        assert_true(dcpn_factor(n, s.diagonal, LEAST, U.M));
        dcpn_factor_solve(n, U.M, x);
        for (int64_t k = 0; k < n; k++) assert_true(fabs(x[k] - wanted[k]) * sqrt(s.diagonal[k]) < 1e-7);
    }
}

/* Two columns are the same: the pivot of the second one is 0 but for rounding. */
static void what_is_not_positive_definite_is_refused(void **state)
{
    struct square s;
    (void)state;
    for (int64_t n = 2; n <= MOST; n++) {
        int64_t first = n / 3, second = n - 1;
        make(&s, n);
        for (int64_t j = 0; j < n; j++) s.M[second * s.stride + j] = entry(&s, first, j);
        for (int64_t k = 0; k < n; k++) s.M[k * s.stride + second] = entry(&s, k, first);
        s.diagonal[second] = s.diagonal[first];
        assert_false(dcpn_factor(n, s.diagonal, LEAST, s.M));
    }
}

static void levels_agree_bit_by_bit(void **state)
{
    struct square s, baseline, other;
    (void)state;
    for (int64_t n = 1; n <= MOST; n++) {
        make(&s, n);
        baseline = s;
        assert_true(dcpn_factor_at(LEVEL_BASELINE, n, s.diagonal, LEAST, baseline.M));
        for (int level = 0; level <= (int)dcpn_level(); level++) {
            other = s;
            assert_true(dcpn_factor_at((enum level)level, n, s.diagonal, LEAST, other.M));
            for (int64_t k = 0; k < n; k++)
                assert_memory_equal(other.M + k * s.stride + k, baseline.M + k * s.stride + k,
                                    (size_t)(n - k) * sizeof *s.M);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_factor_gives_the_matrix),
        cmocka_unit_test(it_solves),
        cmocka_unit_test(what_is_not_positive_definite_is_refused),
        cmocka_unit_test(levels_agree_bit_by_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
