/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrix Market text: what is read, what is refused and with which words, what is written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "scratch.h"
#include "reading.h"

#define BANNER "%%MatrixMarket matrix "

static const struct format *const format = &dcpn_format_matrix_market;
static const dcpn_read_options unlabelled = {.unlabelled = 1};

static void test_coordinates(void **state)
{
    const double expected[] = {0, 2.5, 0, -1e-3, 0, 7}, nothing[] = {NAN, NAN};
    (void)state;
    dcpn_dataset *dataset = accept_text(format,
                                        BANNER "coordinate real general\r\n% a comment\r\n\r\n 2 3 3\r\n"
                                               "2 3 7\r\n%another\n1 2 2.5\n2\t1  -1e-3",
                                        &unlabelled);
    assert_data(dataset, 2, 3, expected);
    assert_labels(dataset, nothing);
    assert_int_equal(dataset->index_base, 1);
    assert_null(dataset->feature_names);
    dcpn_dataset_free(dataset);
}

static void test_kinds_and_symmetries(void **state)
{
    static const struct {
        const char *text;
        double expected[4];
    } cases[] = {
        {"coordinate pattern general\n2 2 2\n1 1\n2 1\n", {1, 0, 1, 0}},
        {"coordinate integer symmetric\n2 2 2\n1 1 4\n2 1 5\n", {4, 5, 5, 0}},
        {"coordinate integer symmetric\n2 2 1\n1 2 5\n", {0, 5, 5, 0}}, /* the upper triangle will do */
        {"coordinate real skew-symmetric\n2 2 1\n2 1 5\n", {0, -5, 5, 0}},
        {"coordinate pattern symmetric\n2 2 1\n2 1\n", {0, 1, 1, 0}},
        {"coordinate real general\n2 2 0\n", {0, 0, 0, 0}},
        {"coordinate real general\n2 2 1\n1 1 0\n", {0, 0, 0, 0}},
        {"array real general\n2 2\n1\n2\n3\n4\n", {1, 3, 2, 4}},
        {"ARRAY Integer GENERAL\n2 2\n1\n2\n3\n4", {1, 3, 2, 4}},
        {"array real symmetric\n2 2\n1\n2\n4\n", {1, 2, 2, 4}},
        {"array double skew-symmetric\n2 2\n2\n", {0, -2, 2, 0}},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[256];
        snprintf(text, sizeof text, "%s%s", BANNER, cases[k].text);
        for (int single = 0; single < 2; single++) {
            const dcpn_read_options options = {.unlabelled = 1, .value_type = single ? DCPN_FLOAT32 : DCPN_FLOAT64};
            dcpn_dataset *dataset = accept_text(format, text, &options);
            assert_data(dataset, 2, 2, cases[k].expected);
            dcpn_dataset_free(dataset);
        }
    }
}

static void test_refusals(void **state)
{
    static const char *const cases[][2] = {
        {"coordinate complex general\n1 1 1\n1 1 1 0\n", "line 1, column 34: found 'complex', expected real numbers"},
        {"coordinate real hermitian\n1 1 1\n1 1 1\n", "found 'hermitian', expected real numbers"},
        {"vector real general\n", "found 'vector', expected the form: coordinate, array"},
        {"coordinate real\n1 1 0\n", "found the end of the line, expected the symmetry: general, symmetric or skew"},
        {"coordinate real general 7\n1 1 0\n", "found '7', expected the end of the line after the symmetry"},
        {"array pattern general\n1 1\n1\n", "only for the coordinate form"},
        {"coordinate real general\n", "expected the size"},
        {"coordinate real general\n2 2\n1 1 1\n",
         "line 2, column 4: found the end of the line, expected the number of "},
        {"coordinate real general\n2 x 1\n1 1 1\n", "line 2, column 3: found 'x', expected the number of columns"},
        {"coordinate real general\n2 2147483648 1\n1 1 1\n", "found '2147483648', expected the number of columns"},
        {"coordinate real general\n0 2 1\n1 1 1\n", "expected the number of rows, a whole number from 1"},
        {"coordinate real general\n2 2 100000000000\n1 1 1\n",
         "announces 100000000000 entries, but the file has room "},
        {"coordinate real general\n2 2 9223372036854775807\n1 1 1\n", "expected the number of entries"},
        {"coordinate real general\n2000000000 2 1\n1 1 1\n", "announces 2000000000 rows in a file of"},
        {"coordinate real general\n2 2000000000 1\n1 1 1\n", "--features with that number accepts it"},
        {"array real general\n2000000000 2000000000\n1\n", "room for at most 1"},
        {"coordinate real general\n2 2 2\n1 1 1\n           \n", "found 1 entries, expected 2, as its header says"},
        {"coordinate real general\n2 2 1\n1 1 1\n2 2 2\n", "line 4, column 1: found '2', expected the end of the file"},
        {"coordinate real general\n2 2 1\n3 1 1\n",
         "line 3, column 1: found '3', expected the row, a whole number from 1"},
        {"coordinate real general\n2 2 1\n1 0 1\n", "line 3, column 3: found '0', expected the column"},
        {"coordinate real general\n2 2 1\n1 1.5 1\n", "found '1.5', expected the column"},
        {"coordinate real general\n2 2 1\n1 1 x\n", "line 3, column 5: found 'x', expected a value"},
        {"coordinate real general\n2 2 1\n1 1 1,5\n", "found '1,5', which looks like a decimal comma"},
        {"coordinate real general\n2 2 1\n1 1 1.5z\n", "found '1.5z', expected a value"},
        {"coordinate real general\n2 2 1\n1 1   \n", "found the end of the line, expected a value"},
        {"coordinate real general\n2 2 1\n1 1 nan\n", "found 'nan', expected a value that is finite"},
        {"coordinate real general\n2 2 1\n1 1 -inf\n", "found '-inf', expected a value that is finite"},
        {"coordinate real general\n2 2 1\n1 1 1e999\n", "at most 1.8e308, the largest double"},
        {"coordinate real general\n2 2 1\n1 1 1 1\n", "expected the end of the line after the value"},
        {"coordinate pattern general\n2 2 1\n1 1 1\n", "expected the end of the line after the column"},
        {"coordinate real general\n2 2 3\n1 1 1\n2 2 1\n1 1 1\n",
         "line 5, column 1: found row 1, column 1 for the second"},
        {"coordinate real symmetric\n2 2 2\n2 1 1\n\n1 2 1\n",
         "line 5, column 1: found row 1, column 2 for the second"},
        {"coordinate real symmetric\n2 3 1\n1 1 1\n", "expected as many of both"},
        {"coordinate real skew-symmetric\n2 2 1\n1 1 1\n", "found an entry on the diagonal"},
        {"array real general\n2 2\n1\n2\n3\n \n", "found 3 entries, expected 4"},
        {"array real general\n2 2\n1\n2\n3 4\n   5\n", "line 5, column 3: found '4', expected the end of the line"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[256];
        snprintf(text, sizeof text, "%s%s", BANNER, cases[k][0]);
        refuse_text(format, text, &unlabelled, cases[k][1]);
    }
    refuse_text(format, "%%MatrixMarket vector\n", &unlabelled, "expected: %%MatrixMarket matrix");
    refuse_text(format, "", &unlabelled, "expected: %%MatrixMarket matrix");
    const dcpn_read_options single = {.unlabelled = 1, .value_type = DCPN_FLOAT32};
    refuse_text(format, BANNER "array real general\n1 1\n1e39\n", &single, "3.4e38, the largest float32");
}

static void test_number_of_features(void **state)
{
    const double padded[] = {1, 0, 0};
    const dcpn_read_options three = {.features = 3, .unlabelled = 1}, two = {.features = 1, .unlabelled = 1},
                            many = {.features = 1 << 25, .unlabelled = 1}, at_least = {.at_least = 3, .unlabelled = 1};
    const char *text = BANNER "coordinate real general\n1 2 1\n1 1 1\n";
    (void)state;
    dcpn_dataset *dataset = accept_text(format, text, &three);
    assert_data(dataset, 1, 3, padded);
    dcpn_dataset_free(dataset);
    dataset = accept_text(format, text, &at_least);
    assert_data(dataset, 1, 3, padded);
    dcpn_dataset_free(dataset);
    refuse_text(format, text, &two, "found 2 features, expected 1");
    refuse_text(format, BANNER "array real general\n1 2\n1\n1\n", &three, "found 2 features, expected 3");
    text = BANNER "coordinate real general\n1 33554432 1\n1 1 1\n"; /* as its own refusal advises */
    refuse_text(format, text, &unlabelled, "--features with that number accepts it");
    dcpn_dataset_free(accept_text(format, text, &many));
}

/* Classes and names go to files of lines: one that would not read back is refused before anything is written. */
static void test_what_no_line_holds_is_not_written(void **state)
{
    static const struct {
        const char *text, *fragment;
    } cases[] = {
        {"a,y\n1,x\n2,\"#1\"\n", "out.labels: found '#1', which would not read back from a line of it"},
        {"a,y\n1,x\n2,\" b\"\n", "out.labels: found ' b'"},
        {"a,y\n1,x\n2,\"b\t\"\n", "out.labels: found 'b?'"},
        {"a,y\n1,x\n2,\"b\nc\"\n", "out.labels: found 'b?c'"},
        {"a,y\n1,x\n2,\"3 4\"\n", "out.labels: found '3 4'"},
        {"\" a\",y\n1,x\n2,b\n", "out.names: found ' a', which would not read back"},
        {"\"a \",y\n1,x\n2,b\n", "out.names: found 'a '"},
        {"\"a\nb\",y\n1,x\n2,b\n", "out.names: found 'a?b'"},
        {"a,,y\n1,1,x\n2,2,b\n", "out.names: found nothing"},
    };
    static const struct format *const writers[] = {&dcpn_format_matrix_market, &dcpn_format_npy};
    int files = files_here();
    (void)state;
    for (size_t k = 0; k < 2 * sizeof cases / sizeof *cases; k++) {
        dcpn_dataset *dataset = accept_text(&dcpn_format_csv, cases[k / 2].text, NULL);
        assert_int_equal(writers[k % 2]->write(dataset, "out"), DCPN_DATA);
        assert_contains(dcpn_last_error(context), cases[k / 2].fragment);
        dcpn_dataset_free(dataset);
    }
    assert_int_equal(files_here(), files);
    dcpn_dataset *dataset = accept_text(&dcpn_format_csv, "\"#a\",y\n1,x #\n2,3 b\n", NULL);
    assert_int_equal(writers[0]->write(dataset, "out"), DCPN_OK);
    dcpn_dataset_free(dataset);
    const dcpn_read_options beside = {.labels_path = "out.labels", .names_path = "out.names"};
    assert_int_equal(dcpn_read(context, "out", &beside, &dataset), DCPN_OK);
    assert_string_equal(dataset->label_names[0], "3 b");
    assert_string_equal(dataset->label_names[1], "x #");
    assert_string_equal(dataset->feature_names[0], "#a");
    dcpn_dataset_free(dataset);
}

static void test_labels(void **state)
{
    const dcpn_read_options options = {.labels_path = "labels"};
    const dcpn_read_options holes = {.labels_path = "labels", .unlabelled = 1};
    const double numbers[] = {1, -1, 2.5}, classes[] = {1, 0, 1}, with_hole[] = {1, NAN, 0};
    const char *text = BANNER "array real general\n3 1\n1\n1\n1\n";
    (void)state;
    refuse_text(format, text, NULL, "data: found no labels, expected one for each of 3 rows; give them with --labels");

    put_text("labels", "\xEF\xBB\xBF+1\r\n\n# comment\n  -1 \n2.5");
    dcpn_dataset *dataset = accept_text(format, text, &options);
    assert_labels(dataset, numbers);
    assert_null(dataset->label_names);
    dcpn_dataset_free(dataset);

    put_text("labels", "spam\nham and eggs\nspam\n");
    dataset = accept_text(format, text, &options);
    assert_labels(dataset, classes);
    assert_int_equal(dataset->label_count, 2);
    assert_string_equal(dataset->label_names[0], "ham and eggs");
    assert_string_equal(dataset->label_names[1], "spam");
    dcpn_dataset_free(dataset);

    put_text("labels", "b\n?\na\n");
    dataset = accept_text(format, text, &holes);
    assert_labels(dataset, with_hole);
    dcpn_dataset_free(dataset);
    refuse_text(format, text, &options, "labels: line 2, column 1: found the label '?', a missing value");

    put_text("labels", "1\n2\n");
    refuse_text(format, text, &options, "labels: found 2 labels, expected 3, one for each row of data");
    put_text("labels", "1\n2\nx y\n");
    refuse_text(format, text, &options, "labels: line 3, column 1: found the label 'x y', which is text, after");
    put_text("labels", "x\n2\ny\n");
    refuse_text(format, text, &options, "labels: line 2, column 1: found the label '2', which is a number, after");
    put_text("labels", "1\n2\ninf\n");
    refuse_text(format, text, &options, "found the label 'inf', expected a finite number");
    put_bytes("labels", "1\n2\n3\0\n", 7);
    refuse_text(format, text, &options, "line 3, column 2: found a zero byte");
}

/* Many classes, so that the table of the names grows. */
static void test_many_classes(void **state)
{
    enum { COUNT = 1000 };
    const dcpn_read_options options = {.labels_path = "labels"};
    char line[64], *text = calloc(COUNT + 2, 64), *labels = calloc(COUNT + 2, 64), *end = labels;
    (void)state;
    strcat(text, BANNER "coordinate real general\n1000 1 0\n");
    for (int i = 0; i < COUNT; i++) end += sprintf(end, "class %d\n", (i * 7919) % COUNT);
    put_text("labels", labels);
    dcpn_dataset *dataset = accept_text(format, text, &options);
    assert_int_equal(dataset->label_count, COUNT);
    for (int k = 1; k < COUNT; k++) assert_true(strcmp(dataset->label_names[k - 1], dataset->label_names[k]) < 0);
    for (int i = 0; i < COUNT; i++) {
        snprintf(line, sizeof line, "class %d", (i * 7919) % COUNT);
        assert_string_equal(dataset->label_names[(int)dataset->labels[i]], line);
    }
    dcpn_dataset_free(dataset);
    free(text);
    free(labels);
}

static void test_writes_what_it_reads(void **state)
{
    static const char *const texts[] = {
        BANNER "coordinate real general\n3 4 3\n3 1 0.1\n1 2 -1e-300\n1 4 5\n",
        BANNER "array real general\n3 2\n0.1\n2\n3\n0\n1e300\n-7\n",
    };
    const dcpn_read_options with_labels = {.labels_path = "labels"}, back = {.labels_path = "out.mtx.labels"};
    (void)state;
    put_text("labels", "b\na\nb\n");
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        dcpn_dataset *dataset = accept_text(format, texts[k], &with_labels);
        assert_int_equal(format->write(dataset, "out.mtx"), DCPN_OK);
        dcpn_dataset *again = read_back(format, "out.mtx", &back);
        assert_same_dataset(dataset, again);
        assert_int_equal(dcpn_matrix_entries(dataset->matrix), dcpn_matrix_entries(again->matrix));
        dcpn_dataset_free(again);
        dcpn_dataset_free(dataset);
    }
}

static void test_sniffs(void **state)
{
    (void)state;
    assert_int_equal(format->sniff("%%MatrixMarket matrix", 21), 100);
    assert_int_equal(format->sniff("%%matrixmarket\n", 15), 100);
    assert_int_equal(format->sniff("%%Matrix", 8), 0);
    assert_int_equal(format->sniff("", 0), 0);
}

static void test_bad_luck(void **state)
{
    const char *sparse = BANNER "coordinate real symmetric\n3 3 3\n3 1 0.1\n2 2 -1e-300\n1 1 5\n";
    const char *dense = BANNER "array real general\n2 2\n1\n2\n3\n4\n";
    const dcpn_read_options options = {.labels_path = "labels"};
    (void)state;
    put_text("labels", "b\na\nb\n");
    fail_every_allocation(format, sparse, strlen(sparse), &options);
    fail_every_allocation(format, dense, strlen(dense), &unlabelled);
    survive_damage(format, sparse, strlen(sparse), &unlabelled);
    survive_damage(format, dense, strlen(dense), &unlabelled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coordinates),
        cmocka_unit_test(test_kinds_and_symmetries),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_number_of_features),
        cmocka_unit_test(test_what_no_line_holds_is_not_written),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_many_classes),
        cmocka_unit_test(test_writes_what_it_reads),
        cmocka_unit_test(test_sniffs),
        cmocka_unit_test(test_bad_luck),
    };
    return cmocka_run_group_tests(tests, setup_reading, teardown_reading);
}
