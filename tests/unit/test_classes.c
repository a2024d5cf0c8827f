/* SPDX-License-Identifier: BSD-3-Clause */
/* One class of a data set against the other, or against all others. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "dcpn/data.h"
#include "scratch.h"
#include "with_context.h"

/* A data set as dcpn_read leaves it, from text. */
static dcpn_dataset *read_text(const char *text)
{
    const dcpn_read_options options = {.unlabelled = 1};
    dcpn_dataset *dataset;
    assert_int_equal(dcpn_write_text(context, "classes.txt", text, strlen(text)), DCPN_OK);
    assert_int_equal(dcpn_read(context, "classes.txt", &options, &dataset), DCPN_OK);
    return dataset;
}

static void expect_classes(const dcpn_dataset *dataset, const char *negative, const char *positive)
{
    assert_int_equal(dataset->label_count, 2);
    assert_string_equal(dataset->label_names[0], negative);
    assert_string_equal(dataset->label_names[1], positive);
}

static void one_of_three_numbers(void **state)
{
    (void)state;
    dcpn_dataset *dataset = read_text("-1 1:1\n0 1:2\n? 1:3\n1 1:4\n0 1:5\n");
    assert_int_equal(dcpn_dataset_set_positive(dataset, "0.0"), DCPN_OK);
    expect_classes(dataset, "not 0", "0");
    assert_true(isnan(dataset->labels[2]));
    const double expected[] = {0.0, 1.0, NAN, 0.0, 1.0};
    for (int i = 0; i < 5; i++) assert_true(i == 2 || dataset->labels[i] == expected[i]);
    dcpn_dataset_free(dataset);
}

static void the_smaller_of_two(void **state)
{
    (void)state;
    dcpn_dataset *dataset = read_text("2 1:1\n1.5 1:2\n2 1:4\n");
    assert_int_equal(dcpn_dataset_set_positive(dataset, "1.5"), DCPN_OK);
    expect_classes(dataset, "2", "1.5");
    assert_true(dataset->labels[0] == 0.0 && dataset->labels[1] == 1.0 && dataset->labels[2] == 0.0);
    dcpn_dataset_free(dataset);
}

/* What it made can be turned once more. */
static void texts_and_again(void **state)
{
    (void)state;
    dcpn_dataset *dataset = read_text("x,class\n1,b\n2,a\n3,c\n");
    assert_int_equal(dcpn_dataset_set_positive(dataset, "c"), DCPN_OK);
    expect_classes(dataset, "not c", "c");
    assert_int_equal(dcpn_dataset_set_positive(dataset, "not c"), DCPN_OK);
    expect_classes(dataset, "c", "not c");
    assert_true(dataset->labels[0] == 1.0 && dataset->labels[1] == 1.0 && dataset->labels[2] == 0.0);
    dcpn_dataset_free(dataset);
}

/* Rows without a label stay so, and an order that is not whole changes nothing. */
static void texts_in_an_order(void **state)
{
    static const char *const order[] = {"low", "middle", "high"}, *const twice[] = {"low", "low", "high"},
                             *const strange[] = {"low", "middle", "top"};
    (void)state;
    dcpn_dataset *dataset = read_text("x,class\n1,high\n2,?\n3,low\n3,middle\n1,low\n");
    assert_int_equal(dcpn_dataset_order_classes(dataset, twice, 3), DCPN_USAGE);
    assert_int_equal(dcpn_dataset_order_classes(dataset, strange, 3), DCPN_DATA);
    assert_int_equal(dcpn_dataset_order_classes(dataset, order, 2), DCPN_USAGE);
    assert_true(!dataset->are_ordered && dataset->labels[0] == 0.0 && dataset->labels[3] == 2.0);
    assert_int_equal(dcpn_dataset_order_classes(dataset, order, 3), DCPN_OK);
    assert_true(dataset->are_ordered && dataset->labels[0] == 2.0 && dataset->labels[2] == 0.0);
    assert_true(isnan(dataset->labels[1]) && dataset->labels[3] == 1.0 && dataset->labels[4] == 0.0);
    for (int k = 0; k < 3; k++) assert_string_equal(dataset->label_names[k], order[k]);
    dcpn_dataset_free(dataset);
    dataset = read_text("1 1:1\n2 1:2\n");
    assert_int_equal(dcpn_dataset_order_classes(dataset, order, 3), DCPN_USAGE);
    dcpn_dataset_free(dataset);
}

static void the_same_classes_in_other_data(void **state)
{
    char a[] = "not 3", b[] = "3", c[] = "7", *rest[] = {a, b}, *two[] = {c, b};
    int64_t stranger;
    (void)state;
    dcpn_dataset *dataset = read_text("3 1:1\n? 1:2\n7 1:3\n1 1:3\n");
    assert_int_equal(dcpn_dataset_match_classes(dataset, two, 2, &stranger), DCPN_OK);
    assert_int_equal(stranger, 3);
    assert_true(dataset->labels[0] == 3.0 && dataset->labels[2] == 7.0); /* nothing is changed */
    assert_int_equal(dcpn_dataset_match_classes(dataset, rest, 2, &stranger), DCPN_OK);
    assert_int_equal(stranger, -1);
    assert_true(dataset->labels[0] == 1.0 && dataset->labels[2] == 0.0 && dataset->labels[3] == 0.0);
    assert_true(isnan(dataset->labels[1]));
    dcpn_dataset_free(dataset);
}

static void refused_and_unchanged(void **state)
{
    (void)state;
    dcpn_dataset *dataset = read_text("1 1:1\n2 1:2\n3 1:3\n4 1:1\n5 1:1\n6 1:1\n7 1:1\n8 1:1\n9 1:1\n");
    assert_int_equal(dcpn_dataset_set_positive(dataset, "ten"), DCPN_DATA);
    assert_string_equal(dcpn_last_error(context),
                        "labels: found 1, 2, 3, 4, 5, 6, 7, 8 ..., expected some rows of the class 'ten'");
    assert_int_equal(dcpn_dataset_set_positive(dataset, ""), DCPN_DATA);
    assert_null(dataset->label_names);
    assert_true(dataset->labels[8] == 9.0);
    dcpn_dataset_free(dataset);
    dataset = read_text("1 1:1\n? 1:2\n1 1:3\n");
    assert_int_equal(dcpn_dataset_set_positive(dataset, "1"), DCPN_DATA);
    dcpn_dataset_free(dataset);
    dataset = read_text("? 1:1\n");
    assert_int_equal(dcpn_dataset_set_positive(dataset, "1"), DCPN_DATA);
    assert_non_null(strstr(dcpn_last_error(context), "found none"));
    dcpn_dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_of_three_numbers, setup, teardown),
        cmocka_unit_test_setup_teardown(the_smaller_of_two, setup, teardown),
        cmocka_unit_test_setup_teardown(texts_and_again, setup, teardown),
        cmocka_unit_test_setup_teardown(texts_in_an_order, setup, teardown),
        cmocka_unit_test_setup_teardown(the_same_classes_in_other_data, setup, teardown),
        cmocka_unit_test_setup_teardown(refused_and_unchanged, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
