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

enum { MOST = 60 };

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_is_what_sorting_says)};
    return cmocka_run_group_tests_name("unit.select", tests, NULL, NULL);
}
