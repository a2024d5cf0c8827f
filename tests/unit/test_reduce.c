/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums that do not depend on who adds, against whole numbers, in any order and any parts, and at their edges. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/reduce.h"
#include "base/rng.h"

static double full_sum_of(const double *x, int64_t count)
{
    return dcpn_ranks_sum_of(NULL, count, x);
}

static int same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void a_full_sum_rounds_once(void **state)
{
    (void)state;
    const double two53 = 9007199254740992.0, tiny = 4.9406564584124654e-324;
    const struct {
        double terms[4], sum;
    } cases[] = {
        {{1e308, 1.0, -1e308, 0.0}, 1.0},
        {{DBL_MAX, DBL_MAX, -DBL_MAX, tiny}, DBL_MAX},
        {{two53, 1.0, 0.0, 0.0}, two53},             /* a tie, to even */
        {{two53, 1.0, tiny, 0.0}, two53 + 2.0},      /* just above it */
        {{two53, 1.0, -tiny, 0.0}, two53},           /* just below */
        {{two53 + 2.0, 1.0, 0.0, 0.0}, two53 + 4.0}, /* a tie, to even */
        {{tiny, tiny, tiny, 0.0}, 3 * tiny},
        {{DBL_MIN, -tiny, 0.0, 0.0}, DBL_MIN - tiny},
        {{-1.0, DBL_EPSILON / 2, 0.0, 0.0}, -1.0 + DBL_EPSILON / 2},
        {{-two53, -1.0, -tiny, 0.0}, -two53 - 2.0},
        {{DBL_MAX, DBL_MAX, 0.0, 0.0}, HUGE_VAL},
        {{HUGE_VAL, 1.0, 0.0, 0.0}, HUGE_VAL},
        {{-HUGE_VAL, 1.0, 0.0, 0.0}, -HUGE_VAL},
        {{0.0, 0.0, 0.0, 0.0}, 0.0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_true(same(full_sum_of(cases[k].terms, 4), cases[k].sum));
    const double opposite[] = {HUGE_VAL, -HUGE_VAL}, nan[] = {1.0, NAN};
    assert_true(isnan(full_sum_of(opposite, 2)));
    assert_true(isnan(full_sum_of(nan, 2)));
}

/* Whole numbers of 96 bits, as two doubles each, are added up exactly by integers of 128. */
static void a_full_sum_is_that_of_whole_numbers(void **state)
{
    (void)state;
    __extension__ typedef __int128 wide;
    struct rng rng;
    dcpn_rng_seed(&rng, 7);
    for (int round = 0; round < 200; round++) {
        wide exact = 0;
        struct full_sum sum;
        dcpn_full_clear(&sum);
        for (int i = 0; i < 1000; i++) {
            int64_t m = (int64_t)(dcpn_rng_next(&rng) >> 12) * (dcpn_rng_next(&rng) & 1 ? 1 : -1);
            int shift = (int)(dcpn_rng_next(&rng) % 60);
            exact += (wide)m * ((wide)1 << shift);
            dcpn_full_add(&sum, ldexp((double)m, shift));
        }
        int64_t words[FULL_WORDS];
        dcpn_full_pack(&sum, words);
        assert_true(dcpn_full_value(words) == (double)exact); /* gcc rounds 128 bits to nearest */
    }
}

/* Parts that are added up as words, in any order, are the whole. */
static void parts_are_the_whole(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    static double x[COUNT];
    struct rng rng;
    dcpn_rng_seed(&rng, 3);
    for (int i = 0; i < COUNT; i++) x[i] = dcpn_rng_normal(&rng) * exp(40.0 * dcpn_rng_normal(&rng));
    double whole = full_sum_of(x, COUNT);
    for (int parts = 2; parts <= 7; parts++) {
        int64_t all[FULL_WORDS] = {0}, words[FULL_WORDS];
        for (int p = 0; p < parts; p++) {
            struct full_sum sum;
            dcpn_full_clear(&sum);
            for (int i = COUNT; i-- > 0;)
                if (i % parts == p) dcpn_full_add(&sum, x[i]);
            dcpn_full_pack(&sum, words);
            for (int k = 0; k < FULL_WORDS; k++) all[k] += words[k];
        }
        assert_true(same(dcpn_full_value(all), whole));
    }
}

static void exponents_are_bounds(void **state)
{
    (void)state;
    const double x[] = {1.0, 0.999, 2.0, 1e-310, 4.9406564584124654e-324, DBL_MAX, -3.0};
    for (size_t k = 0; k < sizeof x / sizeof *x; k++) {
        int e = dcpn_exponent(x[k]);
        assert_true(e > 1023 || fabs(x[k]) < ldexp(1.0, e));
        assert_true(e - 1 < -1074 || fabs(x[k]) >= ldexp(1.0, e - 1));
    }
    assert_int_equal(dcpn_exponent(0.0), DCPN_BOUND_OF_0);
    assert_int_equal(dcpn_exponent(NAN), DCPN_NO_BOUND);
    assert_int_equal(dcpn_exponent(-HUGE_VAL), DCPN_NO_BOUND);
}

/* The largest terms there can be, all of one sign, and as many of them as the grid is for: no overflow, and the exact
 * sum. */
static void a_grid_holds_the_largest_terms(void **state)
{
    (void)state;
    const int bounds[] = {-1100, -1074, -1060, -1022, -500, 0, 1, 500, 1000, 1021};
    const int64_t counts[] = {1, 2047, 2048, 2049, 4096, 100000, INT64_C(1) << 40};
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++)
        for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
            struct grid grid = dcpn_grid(bounds[b], counts[n]);
            if (grid.is_none) {
                assert_true(bounds[b] > 950);
                continue;
            }
            double q = grid.q, largest = bounds[b] < -1074 ? 0.0 : ldexp(1.0, bounds[b]);
            int64_t term = dcpn_add_on_grid(0, largest, &grid);
            assert_true(largest == 0.0 || (double)term == largest / q);
            assert_true(dcpn_add_on_grid(0, -largest, &grid) == -term);
            assert_true((double)term * (double)counts[n] <= ldexp(1.0, 62));
            assert_true(same(dcpn_off_grid(&grid, term), largest));
            assert_true(same(dcpn_off_grid(&grid, 0), 0.0));
        }
    assert_true(dcpn_grid(1023, 1).is_none);
    assert_true(dcpn_grid(DCPN_NO_BOUND, 1).is_none && dcpn_grid(DCPN_NO_BOUND + DCPN_BOUND_OF_0, 1).is_none);
}

/* Each term is at most half a quantum from what is added, at every exponent, denormals included. */
static void a_grid_rounds_to_nearest(void **state)
{
    (void)state;
    struct rng rng;
    dcpn_rng_seed(&rng, 11);
    for (int bound = -1074; bound < 960; bound += 7) {
        struct grid grid = dcpn_grid(bound, 3000);
        for (int i = 0; i < 50; i++) {
            double p = ldexp(2.0 * dcpn_rng_uniform(&rng) - 1.0, bound),
                   kept = dcpn_off_grid(&grid, dcpn_add_on_grid(0, p, &grid));
            assert_true(fabs(p - kept) <= 0.5 * grid.q || grid.q == ldexp(1.0, -1074));
            assert_true(grid.q > ldexp(1.0, -1074) || p == kept);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_sum_rounds_once),
        cmocka_unit_test(a_full_sum_is_that_of_whole_numbers),
        cmocka_unit_test(parts_are_the_whole),
        cmocka_unit_test(exponents_are_bounds),
        cmocka_unit_test(a_grid_holds_the_largest_terms),
        cmocka_unit_test(a_grid_rounds_to_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
