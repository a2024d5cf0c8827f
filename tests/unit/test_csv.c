/* SPDX-License-Identifier: BSD-3-Clause */
/* Comma- and tab-separated values: what is read, what is refused and with which words, what is written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "scratch.h"
#include "reading.h"

static const struct format *const csv = &dcpn_format_csv, *const tsv = &dcpn_format_tsv;

static void assert_names(const dcpn_dataset *dataset, const char *const *names)
{
    assert_non_null(dataset->feature_names);
    for (int64_t j = 0; j < dataset->features; j++) assert_string_equal(dataset->feature_names[j], names[j]);
}

/* Two rows (1, 2) and (3, 4) with labels 5 and 6, in all the ways to write them. */
static void test_ways_to_write_the_same(void **state)
{
    static const struct {
        const char *text, *label_column;
        int is_named;
    } cases[] = {
        {"1,2,5\n3,4,6\n", NULL, 0},
        {"1,2,5\n3,4,6", NULL, 0},
        {"1;2;5\r\n3;4;6\r\n", NULL, 0},
        {"1\t2\t5\n3\t4\t6\n", NULL, 0},
        {"\xEF\xBB\xBF# comment, with a comma\n\n 1 , 2,5 \n\n3,4 , 6\n  \r\n", NULL, 0},
        {"\"1\",\"2\",\"5\"\n\"3\",\"4\",\"6\"\n", NULL, 0},
        {"1,5,2\n3,6,4\n", "2", 0},
        {"5,1,2\n6,3,4\n", "1", 0},
        {"1.0,2e0,5\n3,+4,6\n", NULL, 0},
        {"a,b,c\n1,2,5\n3,4,6\n", "c", 1},
        {"\xEF\xBB\xBF"
         "a,b,c\n1,2,5\n3,4,6\n",
         "c", 1},
        {"\xEF\xBB\xBF\xEF\xBB\xBF" /* a program put a mark before a text that had one */
         "a,b,c\n1,2,5\n3,4,6\n",
         "3", 1},
        {"a,label,b\n1,5,2\n3,6,4\n", NULL, 1},
        {"Y,a,b\n5,1,2\n6,3,4\n", NULL, 1},
        {"\"a\", \"b\" ,\"target\"\r\n1,2,5\r\n3,4,6\r\n", NULL, 1},
        {"y,a,b\n1,2,5\n3,4,6\n", "b", 2},                                     /* the option counts, not the name */
        {"y,0,1\n1,5,2\n3,6,4\n", "1", 3},                                     /* a name before a number */
        {",a,b,label\n0,1,2,5\n1,3,4,6\n", NULL, 1},                           /* pandas numbers the rows */
        {"\"\",\"a\",\"b\",\"label\"\n\"r1\",1,2,5\n\"r2\",3,4,6\n", NULL, 1}, /* R's write.csv names them */
        {"a,b,label\nr1,1,2,5\nr2,3,4,6\n", NULL, 1},       /* R's write.table has no name for them */
        {"a,b,label\n1,1,2,5\n2,3,4,6\n", NULL, 1},         /* ... or numbers, without quotes */
        {"a,b,label\n\"7\",1,2,5\n\"9\",3,4,6\n", NULL, 1}, /* ... of some rows of many */
        {"\" 1\",\"2 \",5\n3,4,6\n", NULL, 0},
        {"sep=;\n1;2;5\n3;4;6\n", NULL, 0}, /* Excel */
        {"\xEF\xBB\xBFSEP=,\r\na,b,y\r\n1,2,5\r\n3,4,6\r\n", NULL, 1},
        {"# a comment\nsep=\t\n1\t2\t5\n3\t4\t6\n", NULL, 0},
        {"True,2,5\n3,4,6\n", "3", 0},
        {"1,2,5,\n3,4,6,\n", NULL, 0}, /* a separator behind each field, the last one too */
        {"1;2;5;\r\n3;4;6; \r\n\r\n", NULL, 0},
        {"1\t2\t5\t\n3\t4\t6\t", NULL, 0},
        {"a,b,y,\n1,2,5,\n3,4,6,\n", NULL, 1},
        {"label,a,b,\"\"\n5,1,2,\n6,3,4,\n", NULL, 1},
        {",a,b,label,\n0,1,2,5,\n1,3,4,6,\n", NULL, 1},
        {"1,5,2,\n3,6,4,\n", "2", 0},
    };
    const double expected[] = {1, 2, 3, 4}, labels[] = {5, 6}, other[] = {1, 5, 3, 6}, other_labels[] = {2, 4};
    const char *const names[] = {"a", "b"}, *const y_names[] = {"y", "a"}, *const numbers[] = {"y", "0"};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const dcpn_read_options options = {.table.label_column = cases[k].label_column};
        dcpn_dataset *dataset = accept_text(csv, cases[k].text, &options);
        assert_data(dataset, 2, 2, cases[k].is_named == 3 ? other : expected);
        assert_labels(dataset, cases[k].is_named == 3 ? other_labels : labels);
        assert_null(dataset->label_names);
        assert_int_equal(dataset->index_base, 1);
        if (cases[k].is_named == 0)
            assert_null(dataset->feature_names);
        else
            assert_names(dataset, cases[k].is_named == 2 ? y_names : cases[k].is_named == 3 ? numbers : names);
        dcpn_dataset_free(dataset);
    }
}

/* The last column is left out where it is empty in every line, and nowhere else. */
static void test_separators_at_line_ends(void **state)
{
    static const char *const refused[][2] = {
        {"a,b,y,\n1,2,5,\n3,4,6\n", "line 2, column 7: found nothing in field 4 (nothing), a missing value"},
        {"a,b,y,\n1,2,5,\n3,4,6,7\n", "line 2, column 7: found nothing in field 4 (nothing), a missing value"},
        {"a,b,y,\n1,2,5,\n3,4,\n", "line 3, column 1: found 3 fields, expected 4"},
        {"a,b,y,\n1,2,5,\n3,4,6,,\n", "line 3, column 8: found more than 4 fields, expected 4"},
        {"a,b,y,,\n1,2,5,,\n3,4,6,,\n", "line 2, column 7: found nothing in field 4"},
        {"a,b,y,\n1,2,5\n3,4,6\n", "line 2, column 1: found 3 fields, expected 4, as in the header"},
        {"id,b,y\n1,2,5,\n2,4,6,\n", "found 4 fields, expected 3, as in the header; end either all lines in a sep"},
        {"1,\n2,\n", "found one column, expected features and a label"},
    };
    const dcpn_read_options zero = {.table.missing = "zero"}, two = {.at_least = 2, .unlabelled = 1},
                            fourth = {.table.label_column = "4"};
    const double expected[] = {1, 2, 3, 4}, with_zeros[] = {1, 2, 0, 3, 4, 7}, nothing[] = {NAN, NAN};
    (void)state;
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) refuse_text(csv, refused[k][0], NULL, refused[k][1]);
    refuse_text(csv, "a,b,y,\n1,2,5,\n3,4,\n", &zero, "line 3, column 1: found 3 fields, expected 4");
    refuse_text(csv, "1,2,5,\n3,4,6,\n", &fourth, "found no header, and 3 columns");
    dcpn_dataset *dataset = accept_text(csv, "a,b,y,\n1,2,5,\n3,4,6,7\n", &zero); /* a column without a name */
    assert_data(dataset, 2, 3, with_zeros);
    dcpn_dataset_free(dataset);
    dataset = accept_text(csv, "1,2,\n3,4,\n", &two); /* as many columns as a model has features */
    assert_data(dataset, 2, 2, expected);
    assert_labels(dataset, nothing);
    assert_contains(last_message, "all of its 2 columns count as features, none of them as the labels");
    dcpn_dataset_free(dataset);
    dataset = accept_text(csv, "a,b,y,\n1,2,5,\n3,4,6,\n", NULL);
    assert_data(dataset, 2, 2, expected);
    assert_contains(last_message, "every line ends in a separator: the last column, empty and without a name, is left");
    dcpn_dataset_free(dataset);
}

static void test_quoted_names_and_text_labels(void **state)
{
    const char *const names[] = {"length, in \"cm\"", "two\nlines"}, *const classes[] = {"I. \"x\"", "setosa"};
    const double expected[] = {1, 2, 3, 4, 5, 6}, labels[] = {1, 0, 1};
    (void)state;
    dcpn_dataset *dataset = accept_text(csv,
                                        "\"length, in \"\"cm\"\"\",\"two\nlines\",outcome\n"
                                        "1,2,setosa\n3,4,\"I. \"\"x\"\"\"\n5,6,\"setosa\"\n",
                                        NULL);
    assert_data(dataset, 3, 2, expected);
    assert_labels(dataset, labels);
    assert_names(dataset, names);
    assert_int_equal(dataset->label_count, 2);
    assert_string_equal(dataset->label_names[0], classes[0]);
    assert_string_equal(dataset->label_names[1], classes[1]);
    dcpn_dataset_free(dataset);
    dataset = accept_text(csv, "a,1,2\nb,3,4\na,5,6\n", NULL); /* the only text is the label */
    assert_data(dataset, 3, 2, expected);
    assert_contains(last_message, "labels are taken from column 1, the only text");
    dcpn_dataset_free(dataset);
}

static void test_decimal_commas(void **state)
{
    const double expected[] = {1.5, -2e-3, 3, 4.25}, labels[] = {0, 1};
    (void)state;
    dcpn_dataset *dataset = accept_text(csv, "a;b;label\n1,5;-0,2e-2;0\n3; 4,25 ;1\n", NULL);
    assert_data(dataset, 2, 2, expected);
    assert_labels(dataset, labels);
    dcpn_dataset_free(dataset);
    dataset = accept_text(tsv, "1,5\t-0,2e-2\t0\n\"3\"\t\"4,25\"\t1\n", NULL);
    assert_data(dataset, 2, 2, expected);
    dcpn_dataset_free(dataset);
    refuse_text(csv, "1,5;1\n2.5;1\n", NULL,
                "line 2, column 1: found '2.5' in a field, after numbers with a decimal comma");
    refuse_text(csv, "1.5;1\n2,5;1\n", NULL,
                "line 2, column 1: found '2,5' in a field, after numbers with a decimal point");
    refuse_text(csv, "1;1\n1.234,5;1\n", NULL,
                "found '1.234,5' in field 1, which looks like a decimal comma with thousan");
    refuse_text(csv, "\"1,5\",1\n\"2,5\",1\n", NULL,
                "line 1, column 2: found the label '1,5', which looks like a decimal comma");
    dataset = accept_text(csv, "1;0,5\n2;1,5\n", NULL);
    assert_true(dataset->labels[0] == 0.5 && dataset->labels[1] == 1.5);
    dcpn_dataset_free(dataset);
    refuse_text(csv, "\"1,5\",2,x\n\"2,5\",1,y\n", NULL,
                "line 1, column 2: found '1,5' in field 1, which looks like a decimal comma; w");
}

static void test_missing_values(void **state)
{
    const char *text = "a,b,label\n1,<NA>,1\n#N/A,4,0\n-nan,8,1\n";
    const dcpn_read_options zero = {.table.missing = "zero"}, mean = {.table.missing = "mean"},
                            wrong = {.table.missing = "median"}, refuse = {.table.missing = "refuse"};
    const double zeros[] = {1, 0, 0, 4, 0, 8}, means[] = {1, 6, 1, 4, 1, 8};
    (void)state;
    dcpn_dataset *dataset = accept_text(csv, text, &zero);
    assert_data(dataset, 3, 2, zeros);
    dcpn_dataset_free(dataset);
    dataset = accept_text(csv, text, &mean);
    assert_data(dataset, 3, 2, means);
    dcpn_dataset_free(dataset);
    refuse_text(csv, text, NULL,
                "line 2, column 3: found '<NA>' in field 2 ('b'), a missing value, expected a number; --m");
    refuse_text(csv, text, &refuse, "line 2, column 3");
    refuse_text(csv, text, &wrong, "missing values: found 'median', expected refuse, zero, mean or keep");
    refuse_text(csv, "a,b,label\n1,NaN,1\n2,null,0\n", &mean, "feature 2: found missing values alone");
    refuse_text(csv, "1,2,1\n3,n/a,1\n", NULL, "line 2, column 3: found 'n/a' in field 2, a missing value");
}

/* Columns without names have numbers, which a long row of is no data. */
static void test_headers_that_count(void **state)
{
    const double expected[] = {1, 2, 3, 4};
    (void)state;
    dcpn_dataset *dataset = accept_text(csv, "0,1,2,3,4,5,6,7,8,9\n9,9,9,9,9,9,9,9,9,9\n", NULL);
    assert_int_equal(dataset->rows, 1);
    assert_string_equal(dataset->feature_names[8], "8");
    assert_contains(last_message, "labels are taken from column 10 ('9'), the last");
    dcpn_dataset_free(dataset);
    dataset = accept_text(csv, "1,2,0\n3,4,0\n", NULL);
    assert_data(dataset, 2, 2, expected);
    dcpn_dataset_free(dataset);
    dataset = accept_text(csv, "1,2,3\n3,4,0\n", NULL);
    assert_data(dataset, 2, 2, expected);
    dcpn_dataset_free(dataset);
}

static void test_a_first_feature_without_a_name_is_not_written(void **state)
{
    (void)state;
    dcpn_dataset *dataset = accept_text(csv, "y,,b\n5,1,2\n6,3,4\n", NULL);
    assert_int_equal(dataset->features, 2);
    assert_int_equal(csv->write(dataset, "unnamed.csv"), DCPN_DATA);
    assert_contains(dcpn_last_error(context), "unnamed.csv: found no name for the first feature");
    dcpn_dataset_free(dataset);
}

/* The name of the labels tells that numbers beside it are names, unless it is a class itself. */
static void test_headers_of_numbers(void **state)
{
    static const struct {
        const char *text, *label_column, *label_name;
        int64_t rows;
        const char *first_class;
    } cases[] = {
        {"1001,1002,class\n1,2,tumor\n3,4,normal\n", NULL, NULL, 2, "normal"},
        {"1001,1002,class\n1,2,tumor\n3,4,normal\n", "class", NULL, 2, "normal"},
        {"1001,1002,\"class\"\n1,2,\"a,b\"\n3,4,c\n", NULL, NULL, 2, "a,b"},
        {"1001,1002,state\n1,2,tumor\n3,4,normal\n", "state", NULL, 2, "normal"},
        {"1001,1002,state\n1,2,tumor\n3,4,normal\n", NULL, "state", 2, "normal"}, /* of a model */
        {"1001,1002,class\nr1,1,2,tumor\nr2,3,4,normal\n", NULL, NULL, 2, "normal"},
        {"1001,1002,state\n1,2,tumor\n3,4,normal\n", NULL, NULL, 3, "normal"},
        {"1,2,y\n3,4,n\n", NULL, NULL, 2, "n"},
        {"1,2,y\n3,4,x\n5,6,y\n", NULL, NULL, 3, "x"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const dcpn_read_options options = {.table.label_column = cases[k].label_column,
                                           .table.label_name = cases[k].label_name};
        dcpn_dataset *dataset = accept_text(csv, cases[k].text, &options);
        assert_int_equal(dataset->rows, cases[k].rows);
        assert_int_equal(dataset->features, 2);
        assert_string_equal(dataset->label_names[0], cases[k].first_class);
        dcpn_dataset_free(dataset);
    }
    const dcpn_read_options of_a_class = {.table.label_column = "b"};
    refuse_text(csv, "1,2,b\n3,4,a\n5,6,b\n", &of_a_class, "found no header, and 3 columns");
}

/* Sparse, because most fields are 0: the same means. */
/* pandas and R write truth values as words; a row of them is no header, and as labels they are classes. */
static void test_truth_values(void **state)
{
    const double expected[] = {1, 2, 0, 4}, labels[] = {0, 1}, without_header[] = {1, 0, 0, 1};
    (void)state;
    dcpn_dataset *dataset = accept_text(csv, "a,b,y\nTrue,2,0\nFalse,4,1\n", NULL);
    assert_data(dataset, 2, 2, expected);
    dcpn_dataset_free(dataset);
    dataset = accept_text(csv, "a,b,y\nTRUE,2,FALSE\n\"FALSE\",4,TRUE\n", NULL);
    assert_data(dataset, 2, 2, expected);
    assert_labels(dataset, labels);
    assert_string_equal(dataset->label_names[1], "TRUE");
    dcpn_dataset_free(dataset);
    dataset = accept_text(csv, "true,false,true\nfalse,true,false\n", NULL);
    assert_data(dataset, 2, 2, without_header);
    dcpn_dataset_free(dataset);
    dataset = accept_text(csv, "0,0,0,0,True,1\n0,False,0,0,0,0\n", NULL); /* stored sparse */
    assert_int_equal(dcpn_matrix_entries(dataset->matrix), 1);
    dcpn_dataset_free(dataset);
    refuse_text(csv, "a,b,y\nYes,2,0\nNo,4,1\n", NULL, "found 'Yes' in field 1 ('a'), expected a number");
}

static void test_zero_bytes_and_carriage_returns(void **state)
{
    (void)state;
    refuse_bytes(csv, "a,b,y\n1,2,x\0\n3,4,x\n", 19, NULL,
                 "line 2, column 5: found the label 'x?', with a zero byte, expected text");
    refuse_bytes(csv, "a\0,b,y\n1,2,0\n3,4,1\n", 19, NULL, "line 1, column 2: found a zero byte in a name");
    refuse_text(csv, "a,b,y\r1,2,0\r3,4,1\r\n", NULL, "end in a carriage return alone");
    refuse_text(csv, "1,2,3\r4,5,6", NULL, "end in a carriage return alone");
}

static void test_missing_values_among_zeros(void **state)
{
    const char *text = "0,0,0,0,0,1\n0,,0,0,0,1\n0,4,0.0,0,0,0\n0,0,0,0,-0,0\n";
    const dcpn_read_options zero = {.table.missing = "zero"},
                            mean = {.table.missing = "mean", .value_type = DCPN_FLOAT32};
    const double zeros[20] = {[11] = 4}, means[20] = {[6] = 4.0F / 3.0F, [11] = 4};
    (void)state;
    dcpn_dataset *dataset = accept_text(csv, text, &zero);
    assert_data(dataset, 4, 5, zeros);
    assert_int_equal(dcpn_matrix_entries(dataset->matrix), 1); /* -0 is none */
    dcpn_dataset_free(dataset);
    dataset = accept_text(csv, text, &mean);
    assert_data(dataset, 4, 5, means);
    assert_int_equal(dcpn_matrix_entries(dataset->matrix), 2);
    dcpn_dataset_free(dataset);
}

static void test_storage(void **state)
{
    const double quarter[] = {0, 0, 5, 0, 0, 0, 0, 3}, more[] = {0, 0, 5, 0, 0, 1, 0, 3};
    (void)state;
    dcpn_dataset *dataset = accept_text(csv, "0,0,5,0,1\n0,0,0,3,1\n", NULL);
    assert_data(dataset, 2, 4, quarter);
    assert_int_equal(dcpn_matrix_entries(dataset->matrix), 2);
    dcpn_dataset_free(dataset);
    dataset = accept_text(csv, "0,0,5,0,1\n0,1,0,3,1\n", NULL);
    assert_data(dataset, 2, 4, more);
    assert_int_equal(dcpn_matrix_entries(dataset->matrix), 8);
    dcpn_dataset_free(dataset);
}

static void test_labels_elsewhere(void **state)
{
    const dcpn_read_options file = {.labels_path = "labels"},
                            both = {.labels_path = "labels", .table.label_column = "a"},
                            two = {.at_least = 2, .unlabelled = 1}, strict = {.at_least = 2}, holes = {.unlabelled = 1},
                            three = {.features = 3};
    const double expected[] = {1, 2, 3, 4}, labels[] = {1, 0}, nothing[] = {NAN, NAN}, hole[] = {NAN, 2};
    (void)state;
    put_text("labels", "yes\nno\n");
    dcpn_dataset *dataset = accept_text(csv, "1,2\n3,4\n", &file);
    assert_data(dataset, 2, 2, expected);
    assert_labels(dataset, labels);
    dcpn_dataset_free(dataset);
    refuse_text(csv, "a,b\n1,2\n3,4\n", &both, "found both a column and a file for the labels");
    dataset = accept_text(csv, "1,2\n3,4\n", &two); /* as many columns as the model has features */
    assert_data(dataset, 2, 2, expected);
    assert_labels(dataset, nothing);
    dcpn_dataset_free(dataset);
    refuse_text(csv, "1,2\n3,4\n", &strict,
                "found no labels, expected one for each of 2 rows; give them with --labels FILE");
    refuse_text(csv, "a,label\n1,2\n3,4\n", &strict, "found 1 features, expected 2; add the columns");
    refuse_text(csv, "1,2\n3,4\n", &three, "found 1 features, expected 3");
    refuse_text(csv, "1,2,3,4,5\n", &three, "found 4 features, expected 3");
    dataset = accept_text(csv, "1,2,?\n3,4,2\n", &holes);
    assert_labels(dataset, hole);
    dcpn_dataset_free(dataset);
    refuse_text(csv, "1,2,\n3,4,2\n", NULL, "line 1, column 5: found the label nothing, a missing value");
}

static void test_refusals(void **state)
{
    static const char *const cases[][2] = {
        {"", "found no rows"},
        {"\n  \r\n# x\n", "found no rows"},
        {"a,b,label\n", "found no rows, expected one a line after the header"},
        {"1\n2\n", "found one column, expected features and a label"},
        {"1,2,3\n4,5\n", "line 2, column 1: found 2 fields, expected 3, as in the first row"},
        {"1,2,3\n4,5,6,7\n", "line 2, column 7: found more than 3 fields, expected 3"},
        {"1,2,3\n4,5,6\n7\n", "line 3, column 1: found 1 field, expected 3"},
        {"a,b,c,d\n1,2\n3,4\n", "line 2, column 1: found 2 fields, expected 4, as in the header"},
        {"a,b,label\n1,5,2,0\n3,5,4,1\n", "line 2, column 1: found 4 fields, expected 3, as in the header; name every "
                                          "column, and write numbers with a decimal point"},
        {"a,b\n1,2,0\n3,4,1\n", "found 3 fields, expected 2, as in the header"}, /* the label has no name */
        {"a,b,label\n1,2,0,\n2,4,1,\n4,5,1,\n", "found 4 fields, expected 3, as in the header"},
        {"1,2,3\n4,red,6\n", "line 2, column 3: found 'red' in field 2, expected a number"},
        {"a,b,y\n1,2,3\n4,red,6\n", "line 3, column 3: found 'red' in field 2 ('b'), expected a number"},
        {"1,2,3\n4,5x,6\n", "found '5x' in field 2, expected a number"},
        {"1,2,3\n4,5 5,6\n", "found '5 5' in field 2, expected a number"},
        {"1,2,3\n4,inf,6\n", "found 'inf' in field 2, expected a number that is finite"},
        {"1,2,3\n4,1e999,6\n", "found '1e999' in field 2, expected a number of at most 1.8e308"},
        {"1,2,3\n4,\"5\"x,6\n", "line 2, column 6: found text behind the closing quote of field 2"},
        {"1,2,3\n4,5\"x\",6\n", "line 2, column 4: found a quote inside field 2"},
        {"1,2,3\n4,\"5,6\n7,8,9\n", "line 2, column 3: found a quote at the start of field 2 that is never closed"},
        {"\"1,2,3\n", "line 1, column 1: found a quote at the start of field 1 that is never closed"},
        {"1,2,a\n4,5,6\n", "line 2, column 5: found the label '6', which is a number, after labels that are text"},
        {"1,2,3\n4,5,a\n", "line 2, column 5: found the label 'a', which is text, after labels that are numbers"},
        {"label,b,y\n1,2,3\n", "found 2 columns that may hold the labels: 'label', 'y', expected one"},
        {"a,Status,b,outcome\n1,2,3,4\n",
         "found 2 columns that may hold the labels: 'Status', 'outcome', expected one"},
        {"a,b,c\n1,2,3\n",
         "expected to be told which one holds the labels: --label-column NAME or NUMBER, one of 'a', 'b', 'c'"},
        {"a,b,c\n1,x,3\n", "--label-column NAME or NUMBER; perhaps 'b', the only one of text?"},
        {"1,2,3\r4,5,6\r", "end in a carriage return alone"},
    };
    const dcpn_read_options none = {.table.label_column = "z"}, seven = {.table.label_column = "7"},
                            twice = {.table.label_column = "a"};
    const dcpn_read_options single = {.value_type = DCPN_FLOAT32};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) refuse_text(csv, cases[k][0], NULL, cases[k][1]);
    refuse_text(csv, "a,b\n1,2\n", &none,
                "found no column named 'z', expected one of those in the header; --label-column");
    refuse_text(csv, "1,2\n1,2\n", &none, "found no header, and 2 columns");
    refuse_text(csv, "a,b\n1,2\n", &seven, "found no column named '7'");
    refuse_text(csv, "a,a\n1,2\n", &twice, "found 2 columns named 'a', expected one");
    refuse_text(csv, "1,1e39,3\n", &single, "3.4e38, the largest float32");
    refuse_bytes(csv, "1,2,3\n4,5\0,6\n", 13, NULL, "line 2, column 3: found a zero byte in field 2");
}

/* ---- Writing ------------------------------------------------------------------------------------------------------*/

static void test_writes_what_it_reads(void **state)
{
    static const char *const texts[] = {
        "0.1,1e-300,-5,7\n0,3,2,8\n",
        "a,\"b, \"\"c\"\"\n\",\" d\",label\n0.1,2,3,x\n4,5,6,\"y,\tz\"\n",
        "0,0,0,0,1,0\n0,0,0,0,0,1\n",
    };
    const struct format *const formats[] = {csv, tsv};
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        for (size_t f = 0; f < 2; f++) {
            dcpn_dataset *dataset = accept_text(csv, texts[k], NULL);
            assert_int_equal(formats[f]->write(dataset, "out"), DCPN_OK);
            dcpn_dataset *again = read_back(formats[f], "out", NULL);
            assert_same_dataset(dataset, again);
            if (dataset->feature_names)
                assert_same_names(dataset, again);
            else
                assert_string_equal(again->feature_names[2], "x3");
            dcpn_dataset_free(again);
            dcpn_dataset_free(dataset);
        }
}

static void test_sniffs(void **state)
{
    static const struct {
        const char *text;
        int is_csv, is_tsv;
    } cases[] = {
        {"1,2,3\n4,5,6\n", 1, 0},
        {"a;b;c\n1,5;2,5;3\n", 1, 0},
        {"1\t2\t3\n4\t5\t6\n", 0, 1},
        {"# c\n\na,\"b\tc\"\n1,2", 1, 0},
        {"1 1:2 2:3\n", 0, 0},
        {"1\t1:2\t2:3\n", 0, 0},
        {"1 1:2,5\n", 0, 0},
        {"1\n2\n", 0, 0},
        {"", 0, 0},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        size_t size = strlen(cases[k].text);
        assert_int_equal(csv->sniff(cases[k].text, size) > 0, cases[k].is_csv);
        assert_int_equal(tsv->sniff(cases[k].text, size) > 0, cases[k].is_tsv);
    }
    assert_int_equal(csv->sniff("1,\0,2\n", 6), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ways_to_write_the_same),
        cmocka_unit_test(test_separators_at_line_ends),
        cmocka_unit_test(test_quoted_names_and_text_labels),
        cmocka_unit_test(test_decimal_commas),
        cmocka_unit_test(test_missing_values),
        cmocka_unit_test(test_truth_values),
        cmocka_unit_test(test_zero_bytes_and_carriage_returns),
        cmocka_unit_test(test_missing_values_among_zeros),
        cmocka_unit_test(test_headers_that_count),
        cmocka_unit_test(test_headers_of_numbers),
        cmocka_unit_test(test_a_first_feature_without_a_name_is_not_written),
        cmocka_unit_test(test_storage),
        cmocka_unit_test(test_labels_elsewhere),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_writes_what_it_reads),
        cmocka_unit_test(test_sniffs),
    };
    return cmocka_run_group_tests(tests, setup_reading, teardown_reading);
}
