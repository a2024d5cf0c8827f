/* SPDX-License-Identifier: BSD-3-Clause */
/* What is counted and found several numbers at a time, beside one at a time. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/rng.h"
#include "base/vector.h"

enum { MOST = 40 };

static int64_t count_one_by_one(int64_t n, const double *a)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) count += a[i] != 0.0;
    return count;
}

static void nonzeros_are_counted_and_found(void **state)
{
    static const double values[] = {0.0, -0.0, 0.0, 0.0, 1.0, -1e-310, 0.0, 0.0, NAN, INFINITY};
    struct rng rng;
    double a[MOST];
    (void)state;
    dcpn_rng_seed(&rng, 7);
    for (int trial = 0; trial < 500; trial++) {
        int64_t n = (int64_t)dcpn_rng_below(&rng, MOST + 1), kinds = trial % 3 == 0 ? 4 : 10; /* some are all 0 */
        for (int64_t i = 0; i < n; i++) a[i] = values[dcpn_rng_below(&rng, (uint64_t)kinds)];
        assert_int_equal(dcpn_count_nonzeros(n, a), count_one_by_one(n, a));
        for (int64_t from = 0; from <= n; from++) {
            int64_t found = dcpn_next_nonzero(n, a, from);
            assert_true(found >= from && found <= n);
            assert_int_equal(count_one_by_one(found - from, a + from), 0);
            assert_true(found == n || a[found] != 0.0);
        }
    }
}

static void one_that_is_not_finite_is_seen_anywhere(void **state)
{
    const double bad[] = {NAN, INFINITY, -INFINITY};
    double a[MOST] = {0.0};
    float b[MOST] = {0.0F};
    (void)state;
    for (int64_t n = 0; n <= MOST; n++) {
        for (int64_t i = 0; i < n; i++) a[i] = i % 2 ? -1.7e308 : 5e-324;
        for (int64_t i = 0; i < n; i++) b[i] = i % 2 ? -3e38F : 1e-45F;
        assert_true(dcpn_all_finite(n, a));
        assert_true(dcpn_all_finite_single(n, b));
        for (int64_t i = 0; i < n; i++) {
            double good = a[i];
            float good_single = b[i];
            a[i] = bad[i % 3];
            b[i] = (float)bad[i % 3];
            assert_false(dcpn_all_finite(n, a));
            assert_false(dcpn_all_finite_single(n, b));
            a[i] = good;
            b[i] = good_single;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nonzeros_are_counted_and_found),
        cmocka_unit_test(one_that_is_not_finite_is_seen_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
