/* SPDX-License-Identifier: BSD-3-Clause */
/* Folds and subsamples: every row once, strata spread evenly, the same from the same seed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "dcpn/dcpn.h"
#include "selection/folds.h"

enum { ROWS = 103 };

static void make_strata(double *strata)
{
    for (int i = 0; i < ROWS; i++) strata[i] = i % 7 == 0 ? 2.5 : i % 11 == 0 ? -1.0 : 0.0;
}

static void strata_are_spread(void **state)
{
    dcpn_context *context = dcpn_context_new(NULL);
    double strata[ROWS];
    int64_t fold_of[ROWS];
    (void)state;
    make_strata(strata);
    for (int64_t folds = 2; folds <= 10; folds++) {
        int64_t sizes[10] = {0}, of_stratum[10] = {0}, rare = 0;
        assert_int_equal(dcpn_folds_draw(context, strata, ROWS, folds, 3, fold_of), DCPN_OK);
        for (int i = 0; i < ROWS; i++) {
            assert_in_range(fold_of[i], 0, folds - 1);
            sizes[fold_of[i]]++;
            rare += strata[i] == 2.5;
            of_stratum[fold_of[i]] += strata[i] == 2.5;
        }
        for (int64_t f = 0; f < folds; f++) {
            assert_in_range(sizes[f], ROWS / folds, ROWS / folds + 1);
            assert_in_range(of_stratum[f], rare / folds, rare / folds + 1);
        }
    }
    dcpn_context_free(context);
}

static void the_seed_decides(void **state)
{
    dcpn_context *context = dcpn_context_new(NULL);
    int64_t a[ROWS], b[ROWS], c[ROWS];
    (void)state;
    assert_int_equal(dcpn_folds_draw(context, NULL, ROWS, 5, 1, a), DCPN_OK);
    assert_int_equal(dcpn_folds_draw(context, NULL, ROWS, 5, 1, b), DCPN_OK);
    assert_int_equal(dcpn_folds_draw(context, NULL, ROWS, 5, 2, c), DCPN_OK);
    assert_memory_equal(a, b, sizeof a);
    assert_true(memcmp(a, c, sizeof a) != 0);
    dcpn_context_free(context);
}

/* Rows of the stratum NaN are in no fold, and in every subsample. */
static void rows_without_a_stratum_are_in_no_fold(void **state)
{
    dcpn_context *context = dcpn_context_new(NULL);
    double strata[ROWS];
    int64_t fold_of[ROWS], order[ROWS], drawn[ROWS], labelled = 0, of_them = 0;
    (void)state;
    make_strata(strata);
    for (int i = 0; i < ROWS; i++)
        if (i % 2) strata[i] = NAN;
    assert_int_equal(dcpn_folds_draw(context, strata, ROWS, 4, 3, fold_of), DCPN_OK);
    for (int i = 0; i < ROWS; i++) {
        labelled += !isnan(strata[i]);
        assert_true(isnan(strata[i]) ? fold_of[i] == -1 : fold_of[i] >= 0 && fold_of[i] < 4);
    }
    int64_t count = dcpn_draw_subsample(strata, ROWS, 0.5, 3, SUBSAMPLE_DRAWN, order, drawn);
    for (int64_t k = 0; k < count; k++) of_them += isnan(strata[drawn[k]]) != 0;
    assert_int_equal(of_them, ROWS - labelled);
    assert_in_range(count - of_them, labelled / 2 - 2, labelled / 2 + 2);
    assert_int_equal(dcpn_folds_draw(context, strata, ROWS, labelled + 1, 3, fold_of), DCPN_USAGE);
    dcpn_context_free(context);
}

static void infinite_numbers_are_strata(void **state)
{
    dcpn_context *context = dcpn_context_new(NULL);
    const double strata[] = {-INFINITY, 0.0, INFINITY, -INFINITY, INFINITY, 0.0};
    int64_t fold_of[6], order[6], drawn[6];
    (void)state;
    assert_int_equal(dcpn_folds_draw(context, strata, 6, 2, 1, fold_of), DCPN_OK);
    assert_int_equal(fold_of[0] + fold_of[3], 1);
    assert_int_equal(fold_of[1] + fold_of[5], 1);
    assert_int_equal(fold_of[2] + fold_of[4], 1);
    assert_int_equal(dcpn_draw_subsample(strata, 6, 0.5, 1, SUBSAMPLE_DRAWN, order, drawn), 3);
    dcpn_context_free(context);
}

static void wrong_counts_are_refused(void **state)
{
    dcpn_context *context = dcpn_context_new(NULL);
    int64_t fold_of[ROWS];
    (void)state;
    assert_int_equal(dcpn_folds_draw(context, NULL, ROWS, 1, 1, fold_of), DCPN_USAGE);
    assert_int_equal(dcpn_folds_draw(context, NULL, ROWS, ROWS + 1, 1, fold_of), DCPN_USAGE);
    assert_int_equal(dcpn_folds_draw(context, NULL, ROWS, ROWS, 1, fold_of), DCPN_OK);
    dcpn_context_free(context);
}

static void subsamples_keep_the_shares(void **state)
{
    double strata[ROWS];
    int64_t order[ROWS], drawn[ROWS], all = 0, rare = 0, seen[ROWS] = {0};
    (void)state;
    make_strata(strata);
    for (int i = 0; i < ROWS; i++) all += strata[i] == 2.5;
    int64_t count = dcpn_draw_subsample(strata, ROWS, 0.5, 9, SUBSAMPLE_DRAWN, order, drawn);
    assert_in_range(count, ROWS / 2 - 1, ROWS / 2 + 2);
    for (int64_t i = 0; i < count; i++) {
        assert_int_equal(seen[drawn[i]]++, 0);
        if (i > 0) assert_true(drawn[i] > drawn[i - 1]);
        rare += strata[drawn[i]] == 2.5;
    }
    assert_int_equal(rare, (all + 1) / 2);
}

/* The two sides of a draw have every row once, but a row that is a stratum of its own, and those in no stratum,
 * twice. */
static void the_rest_of_a_draw(void **state)
{
    double strata[ROWS];
    int64_t order[ROWS], drawn[ROWS], rest[ROWS], times[ROWS] = {0};
    (void)state;
    make_strata(strata);
    strata[50] = 77.0;
    strata[60] = NAN;
    int64_t count = dcpn_draw_subsample(strata, ROWS, 0.5, 9, SUBSAMPLE_DRAWN, order, drawn);
    int64_t left = dcpn_draw_subsample(strata, ROWS, 0.5, 9, SUBSAMPLE_REST, order, rest);
    for (int64_t i = 0; i < count; i++) times[drawn[i]]++;
    for (int64_t i = 0; i < left; i++) times[rest[i]]++;
    for (int i = 0; i < ROWS; i++) assert_int_equal(times[i], i == 50 || i == 60 ? 2 : 1);
    assert_in_range(count - left, 0, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strata_are_spread),
        cmocka_unit_test(the_seed_decides),
        cmocka_unit_test(rows_without_a_stratum_are_in_no_fold),
        cmocka_unit_test(infinite_numbers_are_strata),
        cmocka_unit_test(wrong_counts_are_refused),
        cmocka_unit_test(subsamples_keep_the_shares),
        cmocka_unit_test(the_rest_of_a_draw),
    };
    return cmocka_run_group_tests_name("unit.folds", tests, NULL, NULL);
}
