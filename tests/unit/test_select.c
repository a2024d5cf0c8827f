/* SPDX-License-Identifier: BSD-3-Clause */
/* The k-th largest, against sorting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "base/select.h"

enum { MOST = 60, MANY = 9001 };

static int descending(const void *first, const void *second)
{
    double a = *(const double *)first, b = *(const double *)second;
    return (a < b) - (a > b);
}

static void compare_with_sorting(const double *values, int64_t count)
{
    double sorted[MOST], work[MOST];
    memcpy(sorted, values, (size_t)count * sizeof *values);
    qsort(sorted, (size_t)count, sizeof *sorted, descending);
    for (int64_t k = 1; k <= count; k++) {
        memcpy(work, values, (size_t)count * sizeof *values);
        assert_true(dcpn_kth_largest(work, count, k) == sorted[k - 1]);
    }
}

/* Few distinct values, so that there are many ties; ordered and reversed rows among them. */
static void it_is_what_sorting_says(void **state)
{
    struct rng rng;
    double values[MOST];
    (void)state;
    dcpn_rng_seed(&rng, 1);
    for (int trial = 0; trial < 200; trial++) {
        int64_t count = 1 + trial % MOST;
        int distinct = 1 + trial % 9;
        for (int64_t i = 0; i < count; i++) values[i] = (double)(int)(dcpn_rng_uniform(&rng) * distinct);
        compare_with_sorting(values, count);
        qsort(values, (size_t)count, sizeof *values, descending);
        compare_with_sorting(values, count);
    }
}

/* A sample of many numbers is looked at first: it may see what is typical, or nothing but the least or the largest. */
static void many_are_as_few(void **state)
{
    static double values[MANY], sorted[MANY], work[MANY];
    const int64_t places[] = {1, 2, 300, 900, MANY / 2, MANY - 1, MANY};
    struct rng rng;
    (void)state;
    dcpn_rng_seed(&rng, 2);
    for (int trial = 0; trial < 24; trial++) {
        int64_t step = 1 + trial % 24;
        for (int64_t i = 0; i < MANY; i++) {
            values[i] = trial % 3 ? dcpn_rng_uniform(&rng) : (double)(int)(dcpn_rng_uniform(&rng) * 5.0);
            if (i % step == 0) values[i] += trial % 2 ? 10.0 : -10.0;
        }
        memcpy(sorted, values, sizeof values);
        qsort(sorted, MANY, sizeof *sorted, descending);
        for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
            memcpy(work, values, sizeof values);
            assert_true(dcpn_kth_largest(work, MANY, places[k]) == sorted[places[k] - 1]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_is_what_sorting_says), cmocka_unit_test(many_are_as_few)};
    return cmocka_run_group_tests_name("unit.select", tests, NULL, NULL);
}
