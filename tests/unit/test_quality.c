/* SPDX-License-Identifier: BSD-3-Clause */
/* How good scores are, by hand: accuracy and AUC of classes, mean squared error and R2 of numbers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "dcpn/dcpn.h"

enum { ROWS = 6 };

static dcpn_quality quality_of(dcpn_model model, const double labels[ROWS], const double scores[ROWS])
{
    dcpn_quality quality;
    model.context = dcpn_context_new(NULL);
    assert_int_equal(dcpn_model_quality(&model, labels, scores, ROWS, &quality), DCPN_OK);
    dcpn_context_free(model.context);
    return quality;
}

/* The pairs (negative, positive): (-1, 2) and (-1, 0.5) are in order, (0.5, 2) too, (0.5, 0.5) is a tie: 3.5 of
 * 4. */
static void classes(void **state)
{
    double both_signs[] = {-1.0, 1.0}, from_zero[] = {0.0, 1.0};
    const dcpn_model model = {.scores = 1, .labels.count = 2, .labels.numbers = both_signs},
                     others = {.scores = 1, .labels.count = 2, .labels.numbers = from_zero};
    const double labels[ROWS] = {-1.0, 1.0, -1.0, 1.0, NAN, 0.0}, scores[ROWS] = {-1.0, 2.0, 0.5, 0.5, 9.0, 9.0};
    const double one[ROWS] = {1.0, NAN, NAN, NAN, NAN, 1.0};
    (void)state;
    dcpn_quality found = quality_of(model, labels, scores);
    assert_int_equal(found.rows, 4);
    assert_int_equal(found.stranger, -1);
    assert_true(found.accuracy == 0.75 && found.auc == 0.875);
    assert_true(isnan(found.mse) && isnan(found.r2));
    found = quality_of(others, labels, scores); /* -1 is none of its classes */
    assert_int_equal(found.stranger, 0);
    assert_true(found.rows == 0 && isnan(found.accuracy));
    found = quality_of(model, one, scores);
    assert_true(found.rows == 2 && found.accuracy == 0.5 && isnan(found.auc));
}

static void numbers(void **state)
{
    const dcpn_model model = {0};
    const double labels[ROWS] = {1.0, 2.0, NAN, 3.0, 6.0, NAN}, scores[ROWS] = {1.0, 3.0, 7.0, 3.0, 4.0, 7.0};
    const double constant[ROWS] = {2.0, 2.0, 2.0, 2.0, 2.0, 2.0}, none[ROWS] = {NAN, NAN, NAN, NAN, NAN, NAN};
    (void)state;
    dcpn_quality found = quality_of(model, labels, scores);
    assert_int_equal(found.rows, 4);
    assert_true(found.mse == 1.25 && fabs(found.r2 - (1.0 - 5.0 / 14.0)) < 1e-15);
    assert_true(isnan(found.accuracy) && isnan(found.auc));
    assert_true(isnan(quality_of(model, constant, scores).r2));
    assert_true(isnan(quality_of(model, none, scores).mse));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(classes), cmocka_unit_test(numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
