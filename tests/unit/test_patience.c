/* SPDX-License-Identifier: BSD-3-Clause */
/* When a path has gone far enough, on curves whose ends are counted by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "selection/patience.h"

/* How many values are seen until it is over; 0: it is not. */
static int64_t see_all(struct patience *patience, const double *values, int64_t count)
{
    for (int64_t k = 0; k < count; k++) {
        dcpn_patience_see(patience, values[k]);
        if (dcpn_patience_is_over(patience)) return k + 1;
    }
    return 0;
}

static void ends_when_worse_for_long(void **state)
{
    /* the best gains 1, so that clearly worse is above 1.05: the sixth to the eighth value */
    const double values[] = {2.0, 1.5, 1.0, 1.04, 1.05, 1.06, 1.07, 1.3, 1.0};
    struct patience patience = dcpn_patience_new(3, 100, 0);
    (void)state;
    assert_int_equal(see_all(&patience, values, 9), 8);
}

static void larger_may_be_better(void **state)
{
    const double values[] = {0.5, 0.9, 0.95, 0.92, 0.91, 0.90, 0.89};
    struct patience patience = dcpn_patience_new(2, 100, 1);
    (void)state;
    assert_int_equal(see_all(&patience, values, 7), 5);
}

static void begins_again_after_a_good_value(void **state)
{
    const double values[] = {2.0, 1.0, 1.5, 1.5, 0.9, 1.5, 1.5, 1.0, 1.5, 1.5, 1.5};
    struct patience patience = dcpn_patience_new(3, 100, 0);
    (void)state;
    assert_int_equal(see_all(&patience, values, 11), 8); /* 1.0 is above 0.9 + 0.05 * 1.1 */
    patience = dcpn_patience_new(3, 100, 0);
    assert_int_equal(see_all(&patience, values, 7), 0);
}

static void what_is_not_defined_says_nothing(void **state)
{
    const double values[] = {NAN, 2.0, 1.0, NAN, 1.5, NAN, 1.5, 1.5};
    struct patience patience = dcpn_patience_new(3, 100, 0);
    (void)state;
    assert_int_equal(see_all(&patience, values, 8), 8);
}

static void the_first_may_be_the_best(void **state)
{
    const double values[] = {1.0, 1.0, 1.1, 1.2};
    struct patience patience = dcpn_patience_new(2, 100, 0);
    (void)state;
    assert_int_equal(see_all(&patience, values, 4), 4);
}

static void usual_patience_is_a_share_of_the_grid(void **state)
{
    (void)state;
    assert_int_equal(dcpn_patience_new(0, 100, 0).limit, 20);
    assert_int_equal(dcpn_patience_new(0, 10, 0).limit, 5);
    assert_int_equal(dcpn_patience_new(7, 100, 0).limit, 7);
    struct patience endless = dcpn_patience_new(-1, 100, 0);
    for (int k = 0; k < 1000; k++) dcpn_patience_see(&endless, (double)k);
    assert_false(dcpn_patience_is_over(&endless));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_when_worse_for_long),         cmocka_unit_test(larger_may_be_better),
        cmocka_unit_test(begins_again_after_a_good_value),  cmocka_unit_test(what_is_not_defined_says_nothing),
        cmocka_unit_test(the_first_may_be_the_best),        cmocka_unit_test(usual_patience_is_a_share_of_the_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
