/* SPDX-License-Identifier: BSD-3-Clause */
/* The generator against published numbers, its distributions by their moments, its logarithm against long double. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"

/* The reference sequence of xoshiro256** from the state 1, 2, 3, 4. */
static void xoshiro_matches_the_published_sequence(void **state)
{
    (void)state;
    static const uint64_t expected[] = {
        11520u,
        0u,
        1509978240u,
        1215971899390074240u,
        1216172134540287360u,
        607988272756665600u,
        16172922978634559625u,
        8476171486693032832u,
        10595114339597558777u,
        2904607092377533576u,
    };
    struct rng rng = {.state = {1, 2, 3, 4}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) assert_true(dcpn_rng_next(&rng) == expected[i]);
}

/* The reference sequence of splitmix64 from the seed 1234567. */
static void the_seed_fills_the_state_by_splitmix64(void **state)
{
    (void)state;
    static const uint64_t expected[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                        4593380528125082431u};
    struct rng rng;
    dcpn_rng_seed(&rng, 1234567);
    assert_memory_equal(rng.state, expected, sizeof expected);
}

static void seeding_again_forgets_the_spare_normal(void **state)
{
    (void)state;
    struct rng fresh, used;
    dcpn_rng_seed(&fresh, 5);
    dcpn_rng_seed(&used, 4);
    dcpn_rng_normal(&used);
    dcpn_rng_seed(&used, 5);
    for (int i = 0; i < 10; i++) assert_true(dcpn_rng_normal(&fresh) == dcpn_rng_normal(&used));
}

static void different_seeds_give_different_numbers(void **state)
{
    (void)state;
    struct rng a, b;
    dcpn_rng_seed(&a, 0);
    dcpn_rng_seed(&b, 1);
    int equal = 0;
    for (int i = 0; i < 1000; i++) equal += dcpn_rng_next(&a) == dcpn_rng_next(&b);
    assert_int_equal(equal, 0);
}

static void uniform_lies_in_the_unit_interval_and_is_flat(void **state)
{
    (void)state;
    enum { DRAWS = 1000000, BINS = 20 };
    int count[BINS] = {0};
    struct rng rng;
    dcpn_rng_seed(&rng, 7);
    for (int i = 0; i < DRAWS; i++) {
        double u = dcpn_rng_uniform(&rng);
        assert_true(u >= 0.0 && u < 1.0);
        count[(int)(BINS * u)]++;
    }
    double chi2 = 0.0, expected = (double)DRAWS / BINS;
    for (int b = 0; b < BINS; b++) chi2 += (count[b] - expected) * (count[b] - expected) / expected;
    assert_true(chi2 < 43.8); /* 19 degrees of freedom, 0.001 */
}

static void below_stays_below_and_is_flat(void **state)
{
    (void)state;
    enum { DRAWS = 700000, BOUND = 7 };
    int count[BOUND] = {0};
    struct rng rng;
    dcpn_rng_seed(&rng, 11);
    for (int i = 0; i < DRAWS; i++) {
        uint64_t number = dcpn_rng_below(&rng, BOUND);
        assert_true(number < BOUND);
        count[number]++;
    }
    double chi2 = 0.0, expected = (double)DRAWS / BOUND;
    for (int b = 0; b < BOUND; b++) chi2 += (count[b] - expected) * (count[b] - expected) / expected;
    assert_true(chi2 < 22.5); /* 6 degrees of freedom, 0.001 */
    for (int i = 0; i < 100; i++) assert_true(dcpn_rng_below(&rng, 1) == 0);
}

/* With bound = 3 * 2^62 a quarter of all numbers must be drawn again; without that, the lower third comes twice as
 * often as the others. */
static void below_is_not_biased_by_the_remainder(void **state)
{
    (void)state;
    enum { DRAWS = 300000 };
    const uint64_t bound = UINT64_C(3) << 62;
    int lower = 0;
    struct rng rng;
    dcpn_rng_seed(&rng, 13);
    for (int i = 0; i < DRAWS; i++) lower += dcpn_rng_below(&rng, bound) < bound / 3;
    assert_true(fabs((double)lower / DRAWS - 1.0 / 3.0) < 0.005);
}

static void normal_has_the_moments_and_the_tail_of_a_normal(void **state)
{
    (void)state;
    enum { DRAWS = 1000000 };
    double m1 = 0.0, m2 = 0.0, m3 = 0.0, m4 = 0.0, lag = 0.0, previous = 0.0;
    int beyond = 0;
    struct rng rng;
    dcpn_rng_seed(&rng, 17);
    for (int i = 0; i < DRAWS; i++) {
        double z = dcpn_rng_normal(&rng);
        m1 += z, m2 += z * z, m3 += z * z * z, m4 += z * z * z * z, lag += z * previous;
        beyond += fabs(z) > 1.959963984540054;
        previous = z;
    }
    /* five standard errors of each */
    assert_true(fabs(m1 / DRAWS) < 0.005);
    assert_true(fabs(m2 / DRAWS - 1.0) < 0.0071);
    assert_true(fabs(m3 / DRAWS) < 0.0194);
    assert_true(fabs(m4 / DRAWS - 3.0) < 0.049);
    assert_true(fabs(lag / DRAWS) < 0.005);
    assert_true(fabs((double)beyond / DRAWS - 0.05) < 0.0011);
}

/* Distance from the true logarithm, in units of the last place of a double. */
static double log_error_ulp(double x)
{
    long double truth = logl((long double)x);
    double computed = dcpn_portable_log(x), rounded = (double)truth;
    if (rounded == 0.0) return computed == 0.0 ? 0.0 : HUGE_VAL;
    double ulp = nextafter(fabs(rounded), HUGE_VAL) - fabs(rounded);
    return (double)(fabsl((long double)computed - truth) / (long double)ulp);
}

static void log_is_right_to_an_ulp(void **state)
{
    (void)state;
    struct rng rng;
    double worst = 0.0;
    dcpn_rng_seed(&rng, 19);
    for (int i = 0; i < 300000; i++) {
        double u = dcpn_rng_uniform(&rng) + 0x1p-60;
        worst = fmax(worst, log_error_ulp(u));                                /* where the polar method needs it */
        worst = fmax(worst, log_error_ulp(1.0 + (u - 0.5) * 0x1p-10));        /* near its zero */
        worst = fmax(worst, log_error_ulp(ldexp(u, (int)(i % 2000) - 1000))); /* over the whole range */
    }
    assert_true(worst < 1.0);
}

static void log_is_right_at_the_edges(void **state)
{
    (void)state;
    static const double edges[] = {0x1p-1074,
                                   0x1p-1022,
                                   0x1.fffffffffffffp+1023,
                                   0.5,
                                   2.0,
                                   0.70710678118654752,
                                   0.70710678118654746,
                                   1.4142135623730951,
                                   0x1.fffffffffffffp-1,
                                   0x1.0000000000001p0};
    assert_true(dcpn_portable_log(1.0) == 0.0);
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) assert_true(log_error_ulp(edges[i]) < 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(xoshiro_matches_the_published_sequence),
        cmocka_unit_test(the_seed_fills_the_state_by_splitmix64),
        cmocka_unit_test(seeding_again_forgets_the_spare_normal),
        cmocka_unit_test(different_seeds_give_different_numbers),
        cmocka_unit_test(uniform_lies_in_the_unit_interval_and_is_flat),
        cmocka_unit_test(below_stays_below_and_is_flat),
        cmocka_unit_test(below_is_not_biased_by_the_remainder),
        cmocka_unit_test(normal_has_the_moments_and_the_tail_of_a_normal),
        cmocka_unit_test(log_is_right_to_an_ulp),
        cmocka_unit_test(log_is_right_at_the_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
