/* SPDX-License-Identifier: BSD-3-Clause */
/* Repeated folds, and folds of classes whose names are exchanged. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "support/problems_cv.h"

enum { REPEATS = 3 };

static dcpn_cv *repeated(const dcpn_problem *problem, const char *loss, int64_t repeats)
{
    dcpn_settings settings = problems_settings(loss, "l1", NULL, NULL);
    dcpn_cv_options options = {.folds = FOLDS, .repeats = repeats, .seed = 5, .rule = "min", .patience = -1};
    settings.intercept = 1;
    settings.tol = 1e-8;
    options.path.lambda_count = LAMBDAS;
    options.path.min_ratio = 0.05;
    return cv_of(problem, &settings, &options);
}

static const double *values_at(const dcpn_cv *cv, int64_t point, int m)
{
    return cv->value + (point * DCPN_MEASURES + m) * cv->folds;
}

/* The first repeat is the cross-validation without repeats, the others are other draws. */
static void the_first_repeat_is_that_of_one(void **state)
{
    (void)state;
    dcpn_cv *once = repeated(of_numbers, "squared", 1), *often = repeated(of_numbers, "squared", REPEATS);
    assert_int_equal(once->folds, FOLDS);
    assert_int_equal(often->folds, REPEATS * FOLDS);
    assert_int_equal(often->draw.repeats, REPEATS);
    for (int64_t k = 0; k < LAMBDAS; k++)
        assert_memory_equal(values_at(once, k, 0), values_at(often, k, 0), FOLDS * sizeof(double));
    assert_true(memcmp(values_at(often, LAMBDAS - 1, 0), values_at(often, LAMBDAS - 1, 0) + FOLDS,
                       FOLDS * sizeof(double)) != 0);
    assert_memory_equal(once->held_out->fold, often->held_out->fold, ROWS * sizeof(int64_t));
    for (int64_t r = 0; r < REPEATS; r++) {
        int64_t rows = 0;
        for (int64_t f = 0; f < FOLDS; f++) rows += often->sizes[r * FOLDS + f];
        assert_int_equal(rows, ROWS);
    }
    dcpn_cv_free(once);
    dcpn_cv_free(often);
}

/* The mean is that over all folds, and its error is divided by the folds of one repeat, less 1. */
static void means_and_errors(void **state)
{
    (void)state;
    dcpn_cv *cv = repeated(of_numbers, "squared", REPEATS);
    double least = INFINITY;
    int64_t best = -1;
    for (int64_t k = 0; k < LAMBDAS; k++) {
        const double *value = values_at(cv, k, cv->measured.chooses);
        double total = 0.0, mean = 0.0, squares = 0.0;
        for (int64_t f = 0; f < REPEATS * FOLDS; f++) total += cv->weights[f];
        for (int64_t f = 0; f < REPEATS * FOLDS; f++) mean += cv->weights[f] * value[f] / total;
        for (int64_t f = 0; f < REPEATS * FOLDS; f++) squares += cv->weights[f] * pow(value[f] - mean, 2.0) / total;
        problems_assert_close(cv->mean[k * DCPN_MEASURES + cv->measured.chooses], mean, 1e-12, "mean");
        problems_assert_close(cv->se[k * DCPN_MEASURES + cv->measured.chooses], sqrt(squares / (FOLDS - 1)), 1e-9,
                              "se");
        if (mean < least) best = k;
        least = fmin(least, mean);
    }
    assert_int_equal(cv->choice.chosen.point, best);
    dcpn_cv_free(cv);
}

/* Which class is called positive changes neither folds nor what they say. */
static void names_of_classes_have_no_say(void **state)
{
    double swapped[ROWS];
    dcpn_problem *other = NULL;
    (void)state;
    double first = data.classes[0];
    for (int64_t i = 0; i < ROWS; i++) swapped[i] = data.classes[i] == first ? 1.0 : 0.0;
    assert_int_equal(dcpn_problem_new(context, A, swapped, &other), DCPN_OK);
    dcpn_cv *cv[2];
    double sign = 0.0;
    for (int side = 0; side < 2; side++) {
        cv[side] = repeated(other, "logistic", 2);
        for (int64_t i = 0; i < ROWS; i++) swapped[i] = 1.0 - swapped[i];
        dcpn_problem_free(other);
        assert_int_equal(dcpn_problem_new(context, A, swapped, &other), DCPN_OK);
    }
    assert_memory_equal(cv[0]->held_out->fold, cv[1]->held_out->fold, ROWS * sizeof(int64_t));
    assert_memory_equal(cv[0]->sizes, cv[1]->sizes, (size_t)cv[0]->folds * sizeof(int64_t));
    for (int64_t i = 0; i < LAMBDAS; i++)
        for (int64_t f = 0; f < cv[0]->folds; f++)
            problems_assert_close(values_at(cv[0], i, 0)[f], values_at(cv[1], i, 0)[f], 1e-6, "deviance");
    for (int64_t i = 0; i < ROWS; i++) {
        problems_assert_close(cv[0]->held_out->score[0][i], -cv[1]->held_out->score[0][i], 1e-4, "score");
        sign += fabs(cv[0]->held_out->score[0][i]);
    }
    assert_true(sign > 1.0);
    dcpn_cv_free(cv[0]);
    dcpn_cv_free(cv[1]);
    dcpn_problem_free(other);
}

static void files_keep_repeats(void **state)
{
    char *text, *again;
    dcpn_results *results = NULL;
    (void)state;
    dcpn_cv *cv = repeated(of_numbers, "squared", REPEATS);
    assert_int_equal(dcpn_cv_json(cv, NULL, NULL, &text), DCPN_OK);
    assert_int_equal(dcpn_results_parse(context, "text", text, strlen(text), &results), DCPN_OK);
    assert_int_equal(results->cv->draw.repeats, REPEATS);
    assert_int_equal(dcpn_cv_json(results->cv, &results->provenance, NULL, &again), DCPN_OK);
    assert_memory_equal(text, again, (size_t)(strstr(text, "\"timing\"") - text));
    dcpn_results_free(results);
    dcpn_free(context, text);
    dcpn_free(context, again);
    dcpn_cv_free(cv);
}

static void refusals(void **state)
{
    int64_t fold_of[ROWS];
    dcpn_cv *cv = NULL;
    (void)state;
    for (int64_t i = 0; i < ROWS; i++) fold_of[i] = i % FOLDS;
    dcpn_cv_options options = {.folds = FOLDS, .repeats = -1};
    assert_int_equal(dcpn_cv_run(context, of_numbers, NULL, &options, &cv), DCPN_USAGE);
    options = (dcpn_cv_options){.folds = FOLDS, .repeats = 2, .fold_of = fold_of};
    assert_int_equal(dcpn_cv_run(context, of_numbers, NULL, &options, &cv), DCPN_USAGE);
    assert_non_null(strstr(dcpn_last_error(context), "folds that are given"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_repeat_is_that_of_one),
        cmocka_unit_test(means_and_errors),
        cmocka_unit_test(names_of_classes_have_no_say),
        cmocka_unit_test(files_keep_repeats),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("problems.repeats", tests, setup, teardown);
}
