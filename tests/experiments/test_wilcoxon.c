/* SPDX-License-Identifier: BSD-3-Clause */
/* Wilcoxon's signed-rank test, against full enumeration and against other software. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "wilcoxon.h"

static const double zeros[40];

static double test_of(int pairs, const double *differences)
{
    return dcpn_exp_wilcoxon(pairs, differences, zeros);
}

static void assert_close(double found, double expected)
{
    assert_true(fabs(found - expected) <= 1e-12 * expected);
}

/* The share of all sign patterns of the ranks 1..n whose smaller rank sum is no larger than the given one's. */
static double enumerated(int n, unsigned signs)
{
    int total = n * (n + 1) / 2, as_extreme = 0, given = 0;
    for (int i = 0; i < n; i++) given += (signs >> i & 1) ? i + 1 : 0;
    given = given < total - given ? given : total - given;
    for (unsigned pattern = 0; pattern < 1u << n; pattern++) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += (pattern >> i & 1) ? i + 1 : 0;
        as_extreme += (sum < total - sum ? sum : total - sum) <= given;
    }
    return (double)as_extreme / (double)(1u << n);
}

static void exact_values_are_those_of_full_enumeration(void **state)
{
    (void)state;
    for (int n = 1; n <= 12; n++)
        for (unsigned signs = 0; signs < 1u << n; signs += n < 8 ? 1 : 97) {
            double differences[12];
            for (int i = 0; i < n; i++) differences[i] = (signs >> i & 1) ? 0.5 * (i + 1) : -0.5 * (i + 1);
            assert_close(test_of(n, differences), enumerated(n, signs));
        }
}

/* Darwin's maize, 15 pairs; the sum of the negative ranks is 24. SciPy 1.17.1. */
static void a_published_example(void **state)
{
    (void)state;
    const double differences[] = {6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75};
    assert_close(test_of(15, differences), 0.041259765625);
}

static void thirty_pairs(void **state)
{
    (void)state;
    double differences[30];
    for (int i = 0; i < 30; i++) differences[i] = 0.1 * (i + 1);
    assert_close(test_of(30, differences), 1.862645149230957e-09); /* 2 / 2^30 */
    differences[3] = -differences[3];
    differences[7] = -differences[7];
    differences[20] = -differences[20];
    assert_close(test_of(30, differences), 5.973502993583679e-06); /* SciPy 1.17.1 */
}

/* SciPy 1.17.1: wilcoxon(x, method="approx", correction=False) */
static void ties_zeros_and_many_pairs_take_the_normal_approximation(void **state)
{
    (void)state;
    const double ties[] = {1, 1, -1, 2, 2, 3, -3, 4, 5, 5, 0, 0, -2, 6, 7, 8, 9, 10, 11, 12};
    const double with_zeros[] = {0, 0, 0, 1, 2, 3, 4, 5, 6, -7};
    double forty[40];
    for (int i = 0; i < 40; i++) forty[i] = i % 3 == 0 ? -0.1 * (i + 1) : 0.1 * (i + 1);
    assert_close(test_of(20, ties), 0.0019631771414718763);
    assert_close(test_of(10, with_zeros), 0.23672357063785732);
    assert_close(test_of(40, forty), 0.098273979103627);
}

static void equal_samples_do_not_differ(void **state)
{
    (void)state;
    assert_true(test_of(10, zeros) >= 1.0);
}

static void the_order_of_samples_and_pairs_does_not_matter(void **state)
{
    (void)state;
    const double a[] = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
    const double b[] = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
    double back_a[9], back_b[9];
    for (int i = 0; i < 9; i++) {
        back_a[i] = a[8 - i];
        back_b[i] = b[8 - i];
    }
    assert_close(dcpn_exp_wilcoxon(9, a, b), 0.0390625); /* Hollander and Wolfe, depression scale; SciPy 1.17.1 */
    assert_close(dcpn_exp_wilcoxon(9, b, a), 0.0390625);
    assert_close(dcpn_exp_wilcoxon(9, back_a, back_b), 0.0390625);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_values_are_those_of_full_enumeration),
        cmocka_unit_test(a_published_example),
        cmocka_unit_test(thirty_pairs),
        cmocka_unit_test(ties_zeros_and_many_pairs_take_the_normal_approximation),
        cmocka_unit_test(equal_samples_do_not_differ),
        cmocka_unit_test(the_order_of_samples_and_pairs_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
