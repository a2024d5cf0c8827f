/* SPDX-License-Identifier: BSD-3-Clause */
/* What labels decide: the loss that suits them, whether a loss can take them, and the weights of their classes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "dcpn/dcpn.h"

static char ANT[] = "ant", BEE[] = "bee", CAT[] = "cat";

static dcpn_dataset of(double *labels, int64_t rows)
{
    return (dcpn_dataset){.labels = labels, .rows = rows};
}

static dcpn_dataset named(double *labels, int64_t rows, char **names, int64_t count)
{
    return (dcpn_dataset){.labels = labels, .rows = rows, .label_names = names, .label_count = count};
}

static void labels_say_which_loss_suits(void **state)
{
    double measured[] = {0.5, 2.0, NAN, -1.0}, counted[] = {1.0, 2.0, 3.0, 2.0}, two[] = {0.5, 1.5, 0.5, NAN},
           classes[] = {3.0, 1.0, 2.0, 3.0, 2.0, 1.0}, zeros[] = {-1.0, 0.0, 1.0, 1.0, 0.0, -1.0},
           endless[] = {0.5, 2.0, INFINITY, 1.0};
    char *names[] = {ANT, BEE, CAT};
    const dcpn_dataset sets[] = {of(measured, 4),
                                 of(counted, 4),
                                 of(two, 4),
                                 of(endless, 4),
                                 of(classes, 6),
                                 of(zeros, 6),
                                 named(classes, 6, names, 3),
                                 named(two, 4, names, 2)};
    const char *const losses[] = {"squared",     "logistic", "logistic",    "logistic",
                                  "multinomial", "logistic", "multinomial", "logistic"};
    (void)state;
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++)
        assert_string_equal(dcpn_loss_for_labels(&sets[k]), losses[k]);
    assert_string_equal(dcpn_loss_for_labels(NULL), "logistic");
}

static void assert_says(dcpn_context *context, dcpn_status status, const char *words)
{
    assert_int_equal(status, DCPN_DATA);
    if (!strstr(dcpn_last_error(context), words)) fail_msg("found: %s", dcpn_last_error(context));
}

static void texts_are_two_classes_or_refused(void **state)
{
    dcpn_context *context = dcpn_context_new(NULL);
    double labels[] = {0.0, 1.0, 1.0, 0.0}, third[] = {0.0, 1.0, 2.0, 0.0};
    char *names[] = {ANT, BEE, CAT};
    const dcpn_dataset two = named(labels, 4, names, 2), three = named(third, 4, names, 3), numbers = of(third, 4);
    (void)state;
    assert_int_equal(dcpn_labels_check(context, &two, "logistic"), DCPN_OK);
    assert_int_equal(dcpn_labels_check(context, &numbers, "logistic"), DCPN_OK); /* the solver refuses them */
    assert_says(context, dcpn_labels_check(context, &two, "squared"), "texts, like ant, expected numbers");
    assert_says(context, dcpn_labels_check(context, &three, "logistic"), "3 classes (ant, bee, cat), expected two");
    dcpn_context_free(context);
}

static void folds_need_two_rows_of_each_class(void **state)
{
    dcpn_context *context = dcpn_context_new(NULL);
    double rare[] = {0.0, 1.0, 0.0, 0.0}, common[] = {0.0, 1.0, 1.0, 0.0}, zeros[] = {-1.0, 0.0, 1.0, 1.0, -1.0};
    char *names[] = {ANT, BEE};
    const dcpn_dataset one_bee = named(rare, 4, names, 2), two_bees = named(common, 4, names, 2), numbers = of(rare, 4),
                       halves = of(zeros, 5);
    (void)state;
    assert_says(context, dcpn_labels_check_folds(context, &one_bee, "logistic"), "the class bee has 1 row");
    assert_says(context, dcpn_labels_check_folds(context, &numbers, "logistic"), "the class 1 has 1 row");
    assert_int_equal(dcpn_labels_check_folds(context, &numbers, "squared"), DCPN_OK);
    assert_int_equal(dcpn_labels_check_folds(context, &two_bees, "logistic"), DCPN_OK);
    assert_int_equal(dcpn_labels_check_folds(context, &halves, "logistic"), DCPN_OK); /* 0 is no label here */
    dcpn_context_free(context);
}

/* By hand: the rows with a label weigh 1 + 2 + 5 = 8, so that each of the two classes is to weigh 4. */
static void classes_weigh_what_they_are_given(void **state)
{
    dcpn_context *context = dcpn_context_new(NULL);
    const double y[] = {-1.0, 1.0, 0.0, 1.0, NAN}, pair[] = {0.5, 3.0}, three[] = {1.0, 2.0, 3.0, 1.0, NAN},
                 each[] = {2.0, 3.0, 5.0}, of_three[] = {2.0, 6.0, 35.0, 10.0, 9.0};
    const double weighed[] = {0.5, 6.0, 7.0, 15.0, 9.0}, balanced[] = {4.0, 8.0 / 7.0, 7.0, 20.0 / 7.0, 9.0};
    double given[] = {1.0, 2.0, 7.0, 5.0, 9.0}, even[] = {1.0, 2.0, 7.0, 5.0, 9.0};
    (void)state;
    assert_int_equal(dcpn_class_weights(context, y, 5, pair, 2, given), DCPN_OK);
    assert_int_equal(dcpn_class_weights(context, y, 5, NULL, 0, even), DCPN_OK);
    for (int i = 0; i < 5; i++) {
        assert_true(given[i] == weighed[i]);
        assert_true(fabs(even[i] - balanced[i]) <= 1e-15 * balanced[i]);
    }
    assert_says(context, dcpn_class_weights(context, three, 5, pair, 2, given), "found 2, expected one for each of 3");
    double many[] = {1.0, 2.0, 7.0, 5.0, 9.0}, same[] = {1.0, 2.0, 7.0, 5.0, 9.0};
    assert_int_equal(dcpn_class_weights(context, three, 5, each, 3, many), DCPN_OK);
    assert_int_equal(dcpn_class_weights(context, three, 5, NULL, 0, same), DCPN_OK);
    for (int i = 0; i < 5; i++) assert_true(many[i] == of_three[i]);
    /* all labelled rows weigh 15, so that each class is to weigh 5 */
    assert_true(fabs(same[0] + same[3] - 5.0) <= 1e-14 && fabs(same[1] - 5.0) <= 1e-14 && fabs(same[2] - 5.0) <= 1e-14);
    dcpn_context_free(context);
}

static void paths_start_with_comparable_columns(void **state)
{
    dcpn_settings usual = dcpn_settings_default(), paths = dcpn_settings_for_paths();
    (void)state;
    assert_true(paths.intercept && paths.standardize);
    assert_string_equal(paths.scale, "mean");
    paths.intercept = paths.standardize = 0;
    paths.scale = usual.scale;
    assert_memory_equal(&paths, &usual, sizeof usual);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_say_which_loss_suits),         cmocka_unit_test(texts_are_two_classes_or_refused),
        cmocka_unit_test(folds_need_two_rows_of_each_class),   cmocka_unit_test(classes_weigh_what_they_are_given),
        cmocka_unit_test(paths_start_with_comparable_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
