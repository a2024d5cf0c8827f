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
        {"a,2,b,y\n1,x,2,5\n3,y,4,6\n", "2", NULL}, /* a name before a number */
        {"a,b,z,day\n1,2,5,x\n3,4,6,y\n", "day", "z"},
        {"day,a,z,b\nx,1,5,2\ny,3,6,4\n", "day", "z"},
        {"label,a,b,y\nx,1,2,5\ny,3,4,6\n", "label", NULL},    /* of two usual names the one that is left */
        {"no,a,no,b,y\nx,1,x,2,5\nx,3,x,4,6\n", "no", NULL},   /* all of that name */
        {",a,day,b,y\nr1,1,x,2,5\nr2,3,x,4,6\n", "day", NULL}, /* names of rows are left out already */
        {"a,day,b,y,\n1,x,2,5,\n3,x,4,6,\n", "day", NULL},
        {"0,0,0,0,0,0,0,0,a,b,y\n0,0,0,0,0,0,0,0,1,2,5\n0,0,0,0,0,0,0,0,3,4,6\n", "1,2,3,4,5,6,7,8", NULL},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const dcpn_read_options options = {.table.ignore = cases[k].ignore,
                                           .table.label_column = cases[k].label_column};
        dcpn_dataset *dataset = accept_text(csv, cases[k].text, &options);
        assert_data(dataset, 2, 2, ROWS);
        assert_labels(dataset, LABELS);
        assert_names(dataset, "a", "b");
        dcpn_dataset_free(dataset);
    }
}

static void test_without_a_header_columns_have_numbers(void **state)
{
    const dcpn_read_options options = {.table.ignore = "1"};
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
        {"c,a,d,b,z\n9,1,NA,2,5\n9,3,x,4,6\n", "a", "b", NO_LABELS}, /* nothing tells that z is one */
        {"z,a,b\n5,1,2\n6,3,4\n", "a", "b", NO_LABELS},              /* the last column is a feature */
        {"c,d,a,b\n5,7,1,2\n6,7,3,4\n", "a", "b", NO_LABELS},
        {"\"a\",\"b\",\"say \"\"y\"\"\",y\n1,2,0,5\n3,4,0,6\n", "a", "b", LABELS},
    };
    char a[] = "a", b[] = "b", *const wanted[] = {a, b};
    const dcpn_read_options options = {.at_least = 7, .unlabelled = 1, .table.wanted = wanted, .table.wanted_count = 2};
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
    const dcpn_read_options options = {.unlabelled = 1, .table.wanted = wanted, .table.wanted_count = 2},
                            wrong = {.unlabelled = 1,
                                     .table.wanted = wanted,
                                     .table.wanted_count = 2,
                                     .table.label_column = "x"};
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
    const dcpn_read_options one = {.table.wanted = twice, .table.wanted_count = 1},
                            two = {.table.wanted = twice, .table.wanted_count = 2};
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
    const dcpn_read_options day = {.table.ignore = "day"}, all = {.table.ignore = "a,b"},
                            label = {.table.ignore = "y", .table.label_column = "y"},
                            model = {.table.wanted = wanted, .table.wanted_count = 1};
    (void)state;
    refuse_text(csv, "a,b,y\n1,2,5\n", &day,
                "found no column 'day', expected a name of the header or a number from 1 to 3");
    refuse_text(csv, "1,2,5\n", &day, "found no column 'day'");
    refuse_text(csv, "a,b,y\n1,2,5\n", &all, "found no column beside the labels and those left out, expected features");
    refuse_text(csv, "a,b,y\n1,2,5\n", &label, "found no column named 'y'");
    refuse_text(csv, "b,y\n1,5\n", &model, "found no column named 'a', expected one, which the model uses");
    refuse_text(csv, "A,y\n1,5\n", &model, "found no column named 'a', only one like it ('A'), expected one");
    refuse_text(csv, "a,y\nx,5\n", &model, "line 2, column 1: found 'x' in field 1 ('a'), expected a number");
    refuse_text(csv, "Patients\n\na,b,y\n1,2,5\n", NULL, "is there a title above the header? Remove it");
}

/* ---- The column that names the rows ---- */

static void assert_row_names(const dcpn_dataset *dataset, const char *first, const char *second)
{
    assert_non_null(dataset->row_names);
    assert_string_equal(dataset->row_names[0], first);
    assert_string_equal(dataset->row_names[1], second);
}

static void test_ids_are_kept_out_of_the_features(void **state)
{
    static const struct {
        const char *text, *id, *name, *first, *second;
    } cases[] = {
        {"id,a,b,y\np 1,1,2,5\n\"q,\"\"2\"\"\",3,4,6\n", "id", NULL, "p 1", "q,\"2\""},
        {"a,id,b,y\n1,7,2,5\n3,8,4,6\n", "2", NULL, "7", "8"},
        {"a,b,y,id\n1,2,5,\n3,4,6,x\n", NULL, "id", "", "x"},
        {",a,b,y\nr1,1,2,5\nr2,3,4,6\n", NULL, NULL, "r1", "r2"},
        {",a,id,b,y\nr1,1,s1,2,5\nr2,3,s2,4,6\n", "id", NULL, "s1", "s2"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const dcpn_read_options options = {.table.id_column = cases[k].id, .table.id_name = cases[k].name};
        dcpn_dataset *dataset = accept_text(csv, cases[k].text, &options);
        assert_data(dataset, 2, 2, ROWS);
        assert_labels(dataset, LABELS);
        assert_names(dataset, "a", "b");
        assert_row_names(dataset, cases[k].first, cases[k].second);
        dcpn_dataset_free(dataset);
    }
    const dcpn_read_options absent = {.table.id_name = "id"}, wrong = {.table.id_column = "id"};
    dcpn_dataset *dataset = accept_text(csv, "a,b,y\n1,2,5\n3,4,6\n", &absent);
    assert_null(dataset->row_names);
    dcpn_dataset_free(dataset);
    refuse_text(csv, "a,b,y\n1,2,5\n", &wrong, "found 0 columns 'id' to name the rows, expected one");
    refuse_text(csv, "id,id,y\n1,2,5\n", &wrong, "found 2 columns 'id' to name the rows, expected one");
}

static void test_labels_that_are_optional_are_not_guessed_among_numbers(void **state)
{
    const dcpn_read_options options = {.table.label_optional = 1, .unlabelled = 1};
    (void)state;
    dcpn_dataset *dataset = accept_text(csv, "a,b\n1,2\n3,4\n", &options);
    assert_data(dataset, 2, 2, ROWS);
    assert_labels(dataset, NO_LABELS);
    dcpn_dataset_free(dataset);
}

static void test_gaps_are_counted(void **state)
{
    const int64_t expected[] = {1, 0, 3};
    const char *const how[] = {"zero", "mean"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        const dcpn_read_options options = {.table.missing = how[k]};
        dcpn_dataset *dataset = accept_text(csv, "a,b,c,y\n,2,NA,1\n3,4,7,2\n5,6,?,2\n0,1,,2\n", &options);
        for (int j = 0; j < 3; j++) assert_int_equal(dataset->gaps[j], expected[j]);
        assert_contains(last_message, "found 4 missing values in 2 of 3 columns (3 in 'c', 1 in 'a'), which count as");
        dcpn_dataset_free(dataset);
    }
    dcpn_dataset *dataset = accept_text(csv, "a,y\n1,2\n", NULL);
    assert_null(dataset->gaps);
    dcpn_dataset_free(dataset);
}

/* "control" stands behind "case" in the alphabet. */
static void test_the_positive_class_is_the_one_whose_word_says_so(void **state)
{
    static const char *const pairs[][2] = {
        {"control", "case"},      {"no", "yes"},     {"healthy", "Disease"},
        {"negative", "positive"}, {"alive", "dead"}, {"benign", "malignant"},
        {"not ill", "ill"},       {"N", "Y"},        {"virginica", "setosa"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        char text[100];
        int is_known = k + 1 < sizeof pairs / sizeof *pairs; /* the last are words of which none says it */
        for (int first = 0; first < 2; first++) {
            snprintf(text, sizeof text, "a,y\n1,%s\n2,%s\n", pairs[k][first], pairs[k][!first]);
            dcpn_dataset *dataset = accept_text(csv, text, NULL);
            assert_string_equal(dataset->label_names[is_known], pairs[k][1]);
            assert_string_equal(dataset->label_names[!is_known], pairs[k][0]);
            for (int i = 0; i < 2; i++)
                assert_string_equal(dataset->label_names[(int)dataset->labels[i]], pairs[k][i ? !first : first]);
            dcpn_dataset_free(dataset);
        }
    }
}

static void test_bad_luck(void **state)
{
    static const char text[] = "day,\"a\",b,label\nx,1,\"\",p\ny,3,4,q\n";
    char a[] = "a", *const wanted[] = {a};
    const dcpn_read_options options = {
        .table.id_column = "day", .table.missing = "mean", .table.wanted = wanted, .table.wanted_count = 1};
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
        cmocka_unit_test(test_ids_are_kept_out_of_the_features),
        cmocka_unit_test(test_labels_that_are_optional_are_not_guessed_among_numbers),
        cmocka_unit_test(test_gaps_are_counted),
        cmocka_unit_test(test_the_positive_class_is_the_one_whose_word_says_so),
        cmocka_unit_test(test_bad_luck),
    };
    return cmocka_run_group_tests(tests, setup_reading, teardown_reading);
}
