/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of a table that are left out, and those that are asked for by their names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "scratch.h"
#include "reading.h"

static const struct format *const csv = &dcpn_format_csv;
static const double ROWS[] = {1, 2, 3, 4}, LABELS[] = {5, 6}, NO_LABELS[] = {NAN, NAN};

static void assert_names(const dcpn_dataset *dataset, const char *first, const char *second)
{
    assert_string_equal(dataset->feature_names[0], first);
    assert_string_equal(dataset->feature_names[1], second);
}

/* Two rows (1, 2) and (3, 4) with labels 5 and 6, and columns among them that hold anything. */
static void test_ignored_columns_may_hold_anything(void **state)
{
    static const struct {
        const char *text, *ignore, *label_column;
    } cases[] = {
        {"a,b,y\n1,2,5\n3,4,6\n", NULL, NULL},
        {"a,b,y\n1,2,5\n3,4,6\n", "", NULL},
        {"day,a,b,y\n2024-01-02,1,2,5\n?,3,4,6\n", "day", NULL},
        {"a,day,b,y\n1,2024-01-02,2,5\n3,x,4,6\n", "2", NULL},
        {"a,day,b,y,town\n1,2024-01-02,2,5,Nice\n3,,4,6,\"\"\n", " town , day ", NULL},
        {"a,2,b,y\n1,x,2,5\n3,y,4,6\n", "2", NULL},     /* a name before a number */
        {"a,b,z,day\n1,2,5,x\n3,4,6,y\n", "day", NULL}, /* the last of the others holds the labels */
        {"day,a,z,b\nx,1,5,2\ny,3,6,4\n", "day", "z"},
        {"label,a,b,y\nx,1,2,5\ny,3,4,6\n", "label", NULL},    /* of two usual names the one that is left */
        {"no,a,no,b,y\nx,1,x,2,5\nx,3,x,4,6\n", "no", NULL},   /* all of that name */
        {",a,day,b,y\nr1,1,x,2,5\nr2,3,x,4,6\n", "day", NULL}, /* names of rows are left out already */
        {"a,day,b,y,\n1,x,2,5,\n3,x,4,6,\n", "day", NULL},
        {"0,0,0,0,0,0,0,0,a,b,y\n0,0,0,0,0,0,0,0,1,2,5\n0,0,0,0,0,0,0,0,3,4,6\n", "1,2,3,4,5,6,7,8", NULL},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const dcpn_read_options options = {.ignore = cases[k].ignore, .label_column = cases[k].label_column};
        dcpn_dataset *dataset = accept_text(csv, cases[k].text, &options);
        assert_data(dataset, 2, 2, ROWS);
        assert_labels(dataset, LABELS);
        assert_names(dataset, "a", "b");
        dcpn_dataset_free(dataset);
    }
}

static void test_without_a_header_columns_have_numbers(void **state)
{
    const dcpn_read_options options = {.ignore = "1"};
    (void)state;
    dcpn_dataset *dataset = accept_text(csv, "x,1,2,5\ny,3,4,6\n", &options);
    assert_data(dataset, 2, 2, ROWS);
    assert_labels(dataset, LABELS);
    dcpn_dataset_free(dataset);
}

/* What a model uses is found by its names, whatever stands beside it. */
static void test_wanted_columns_are_the_features(void **state)
{
    static const struct {
        const char *text, *first, *second;
        const double *labels;
    } cases[] = {
        {"a,b,y\n1,2,5\n3,4,6\n", "a", "b", LABELS},
        {"b,a,y\n1,2,5\n3,4,6\n", "b", "a", LABELS}, /* in the order of the file */
        {"c,a,b,y\nx,1,2,5\ny,3,4,6\n", "a", "b", LABELS},
        {"c,a,d,b,z\n9,1,NA,2,5\n9,3,x,4,6\n", "a", "b", LABELS}, /* the last column */
        {"z,a,b\n5,1,2\n6,3,4\n", "a", "b", NO_LABELS},           /* the last column is a feature */
        {"c,d,a,b\n5,7,1,2\n6,7,3,4\n", "a", "b", NO_LABELS},
        {"\"a\",\"b\",\"say \"\"y\"\"\",y\n1,2,0,5\n3,4,0,6\n", "a", "b", LABELS},
    };
    char a[] = "a", b[] = "b", *const wanted[] = {a, b};
    const dcpn_read_options options = {.at_least = 7, .unlabelled = 1, .wanted = wanted, .wanted_count = 2};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        dcpn_dataset *dataset = accept_text(csv, cases[k].text, &options);
        assert_data(dataset, 2, 2, ROWS);
        assert_labels(dataset, cases[k].labels);
        assert_names(dataset, cases[k].first, cases[k].second);
        dcpn_dataset_free(dataset);
    }
}

static void test_a_usual_name_of_a_label_may_be_a_feature(void **state)
{
    char x[] = "x", y[] = "y", *const wanted[] = {x, y};
    const dcpn_read_options options = {.unlabelled = 1, .wanted = wanted, .wanted_count = 2},
                            wrong = {.unlabelled = 1, .wanted = wanted, .wanted_count = 2, .label_column = "x"};
    (void)state;
    dcpn_dataset *dataset = accept_text(csv, "x,y,z\n1,2,5\n3,4,6\n", &options);
    assert_data(dataset, 2, 2, ROWS);
    assert_labels(dataset, NO_LABELS);
    dcpn_dataset_free(dataset);
    refuse_text(csv, "x,y,z\n1,2,5\n", &wrong, "found the labels in a column that the model uses, expected another");
}

/* Names that stand twice tell no column from another. */
static void test_wanted_names_that_stand_twice_leave_all_columns_in(void **state)
{
    char a[] = "a", *const twice[] = {a, a};
    const dcpn_read_options one = {.wanted = twice, .wanted_count = 1}, two = {.wanted = twice, .wanted_count = 2};
    (void)state;
    dcpn_dataset *dataset = accept_text(csv, "a,a,y\n1,2,5\n3,4,6\n", &one);
    assert_data(dataset, 2, 2, ROWS);
    dcpn_dataset_free(dataset);
    dataset = accept_text(csv, "a,b,y\n1,2,5\n3,4,6\n", &two);
    assert_data(dataset, 2, 2, ROWS);
    dcpn_dataset_free(dataset);
}

static void test_refusals(void **state)
{
    char a[] = "a", *const wanted[] = {a};
    const dcpn_read_options day = {.ignore = "day"}, all = {.ignore = "a,b"},
                            label = {.ignore = "y", .label_column = "y"}, model = {.wanted = wanted, .wanted_count = 1};
    (void)state;
    refuse_text(csv, "a,b,y\n1,2,5\n", &day,
                "found no column 'day' to ignore, expected a name of the header or a number from 1 to 3");
    refuse_text(csv, "1,2,5\n", &day, "found no column 'day' to ignore");
    refuse_text(csv, "a,b,y\n1,2,5\n", &all, "found no column beside the labels and those left out, expected features");
    refuse_text(csv, "a,b,y\n1,2,5\n", &label, "found no column named 'y'");
    refuse_text(csv, "b,y\n1,5\n", &model, "found no column named 'a', expected one, which the model uses");
    refuse_text(csv, "A,y\n1,5\n", &model, "found no column named 'a', only one like it ('A'), expected one");
    refuse_text(csv, "a,y\nx,5\n", &model, "line 2, column 1: found 'x' in field 1 ('a'), expected a number");
    refuse_text(csv, "Patients\n\na,b,y\n1,2,5\n", NULL, "is there a title above the header? Remove it");
}

static void test_bad_luck(void **state)
{
    static const char text[] = "day,\"a\",b,label\nx,1,\"\",p\ny,3,4,q\n";
    char a[] = "a", *const wanted[] = {a};
    const dcpn_read_options options = {.ignore = "day", .wanted = wanted, .wanted_count = 1};
    (void)state;
    fail_every_allocation(csv, text, strlen(text), &options);
    survive_damage(csv, text, strlen(text), &options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ignored_columns_may_hold_anything),
        cmocka_unit_test(test_without_a_header_columns_have_numbers),
        cmocka_unit_test(test_wanted_columns_are_the_features),
        cmocka_unit_test(test_a_usual_name_of_a_label_may_be_a_feature),
        cmocka_unit_test(test_wanted_names_that_stand_twice_leave_all_columns_in),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_bad_luck),
    };
    return cmocka_run_group_tests(tests, setup_reading, teardown_reading);
}
