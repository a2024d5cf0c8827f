/* SPDX-License-Identifier: BSD-3-Clause */
/* LIBSVM text and lists of numbers: what is read, what is refused and with which words, what is written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <fcntl.h>
#include <float.h>
#include <locale.h>
#include <math.h>

#include "base/context.h"
#include "dcpn/data.h"
#include "faulty_allocator.h"
#include "matrix/sparse.h"
#include "scratch.h"

static dcpn_context *context;
static char last_warning[DCPN_ERROR_LENGTH];

static void keep_warning(void *user, dcpn_log_level level, const char *message)
{
    (void)user;
    if (level == DCPN_LOG_WARNING) strcpy(last_warning, message);
}

static int setup(void **state)
{
    context = dcpn_context_new(NULL);
    dcpn_context_set_log(context, keep_warning, NULL);
    last_warning[0] = '\0';
    return enter_scratch(state);
}

static int teardown(void **state)
{
    dcpn_context_free(context);
    return leave_scratch(state);
}

static dcpn_dataset *read_text(const char *text, const dcpn_read_options *options)
{
    dcpn_dataset *dataset;
    put_text("data", text);
    dcpn_status status = dcpn_read_libsvm(context, "data", options, &dataset);
    if (status != DCPN_OK) fail_msg("'%s' was refused: %s", text, dcpn_last_error(context));
    return dataset;
}

/* The dense rows, by products with unit vectors. */
static void assert_matrix(const dcpn_dataset *dataset, int64_t rows, int64_t columns, const double *expected)
{
    double x[16] = {0}, u[16];
    assert_int_equal(dataset->rows, rows);
    assert_int_equal(dataset->features, columns);
    assert_int_equal(dcpn_matrix_rows(dataset->matrix), rows);
    assert_int_equal(dcpn_matrix_columns(dataset->matrix), columns);
    for (int64_t j = 0; j < columns; j++) {
        x[j] = 1.0;
        dcpn_matrix_apply(dataset->matrix, x, u);
        x[j] = 0.0;
        for (int64_t i = 0; i < rows; i++) assert_true(u[i] == expected[i * columns + j]);
    }
}

static void test_reads_rows(void **state)
{
    const double expected[] = {0.5, 0, -2, 0, 3e-5, 0, 0, 0, 0};
    (void)state;
    dcpn_dataset *dataset = read_text("\xEF\xBB\xBF# a comment\r\n"
                                      "+1 1:0.5 3:-2 # another: 7:7\r\n"
                                      "\r\n   \t\n"
                                      "-1 qid:3\t2:3e-5  \n"
                                      "  2.5\n",
                                      NULL);
    assert_matrix(dataset, 3, 3, expected);
    assert_true(dataset->labels[0] == 1.0 && dataset->labels[1] == -1.0 && dataset->labels[2] == 2.5);
    assert_int_equal(dataset->index_base, 1);
    assert_string_equal(last_warning, "");
    dcpn_dataset_free(dataset);
}

static void test_indices_may_come_in_any_order(void **state)
{
    const double expected[] = {1, 2, 3, 4};
    (void)state;
    dcpn_dataset *dataset = read_text("1 4:4 1:1 3:3 2:2\n", NULL);
    assert_matrix(dataset, 1, 4, expected);
    dcpn_dataset_free(dataset);
}

static void test_index_base(void **state)
{
    const double from_0[] = {5, 6}, from_1[] = {0, 5};
    const dcpn_read_options base_0 = {.indexing = DCPN_INDEX_FROM_0}, zeros = {0};
    (void)state;
    dcpn_dataset *dataset = read_text("1 1:6 0:5\n", NULL);
    assert_int_equal(dataset->index_base, 0);
    assert_matrix(dataset, 1, 2, from_0);
    dcpn_dataset_free(dataset);

    dataset = read_text("1 2:5\n", &zeros); /* the defaults, like no options */
    assert_int_equal(dataset->index_base, 1);
    assert_matrix(dataset, 1, 2, from_1);
    dcpn_dataset_free(dataset);

    dataset = read_text("1 2:5\n", NULL);
    assert_int_equal(dataset->index_base, 1);
    assert_matrix(dataset, 1, 2, from_1);
    dcpn_dataset_free(dataset);

    dataset = read_text("1 1:5\n", &base_0);
    assert_int_equal(dataset->index_base, 0);
    assert_matrix(dataset, 1, 2, from_1);
    dcpn_dataset_free(dataset);
}

static void test_zeros_count_for_the_columns_alone(void **state)
{
    const double expected[] = {0, 2, 0, 0};
    (void)state;
    dcpn_dataset *dataset = read_text("1 1:0 2:2 4:-0.0\n", NULL);
    assert_matrix(dataset, 1, 4, expected);
    assert_int_equal(dcpn_matrix_entries(dataset->matrix), 1);
    dcpn_dataset_free(dataset);
}

static void test_features_option(void **state)
{
    const dcpn_read_options five = {.features = 5};
    const double expected[] = {1, 0, 0, 0, 0};
    (void)state;
    dcpn_dataset *dataset = read_text("1 1:1\n", &five);
    assert_matrix(dataset, 1, 5, expected);
    dcpn_dataset_free(dataset);
    dataset = read_text("1 5:1\n", &five);
    dcpn_dataset_free(dataset);
}

static void test_float32(void **state)
{
    const dcpn_read_options single = {.value_type = DCPN_FLOAT32};
    const double expected[] = {(double)0.1f, 0, 2};
    (void)state;
    dcpn_dataset *dataset = read_text("1 1:0.1 2:1e-300 3:2\n", &single);
    assert_matrix(dataset, 1, 3, expected);
    dcpn_dataset_free(dataset);
}

static dcpn_value_type type_kept(const char *text, int narrow)
{
    const dcpn_read_options options = {.narrow = narrow, .storage = DCPN_STORAGE_SPARSE};
    struct compressed_both both;
    dcpn_dataset *dataset = read_text(text, &options);
    assert_true(dcpn_sparse_both(dataset->matrix, &both));
    assert_int_equal(both.by_row.value_type, both.by_column.value_type);
    dcpn_value_type type = both.by_row.value_type;
    dcpn_dataset_free(dataset);
    return type;
}

static void test_only_what_stays_the_same_is_narrowed(void **state)
{
    const dcpn_read_options narrow = {.narrow = 1};
    const double expected[] = {3, 0.5, -16777216, 0};
    (void)state;
    dcpn_dataset *dataset = read_text("1 1:3 2:0.5\n-1 1:-16777216\n", &narrow);
    assert_matrix(dataset, 2, 2, expected);
    dcpn_dataset_free(dataset);
    assert_int_equal(type_kept("1 1:3 2:0.5\n-1 1:-16777216\n", 1), DCPN_FLOAT32);
    assert_int_equal(type_kept("1 1:3 2:0.5\n-1 1:-16777216\n", 0), DCPN_FLOAT64);
    assert_int_equal(type_kept("1 1:3 2:0.5\n-1 1:-16777217\n", 1), DCPN_FLOAT64);
    assert_int_equal(type_kept("1 1:3 2:0.1\n", 1), DCPN_FLOAT64);
    assert_int_equal(type_kept("1 1:1e39 2:1\n", 1), DCPN_FLOAT64);
}

static void test_warns_of_a_missing_line_end(void **state)
{
    (void)state;
    dcpn_dataset *dataset = read_text("1 1:1\n-1 1:1", NULL);
    assert_int_equal(dataset->rows, 2);
    assert_contains(last_warning, "data: line 2 ends without a line end: was it truncated?");
    dcpn_dataset_free(dataset);
}

struct refusal {
    const char *text, *fragment;
};

static const struct refusal refusals[] = {
    {"", "data: found no rows in 0 lines"},
    {"\n# nothing\n  \n", "data: found no rows in 3 lines"},
    {"1\n-1\n", "data: found no feature in 2 rows"},
    {"1 1:nan\n", "data: line 1, column 5: found 'nan', expected a value, a number that is finite"},
    {"1 1:-Inf\n", "line 1, column 5: found '-Inf', expected a value, a number that is finite"},
    {"1 1:1e999\n", "line 1, column 5: found '1e999', expected a value, a number of at most 1.8e308"},
    {"nan 1:1\n", "line 1, column 1: found 'nan', expected a label, a number that is finite"},
    {"1 1:1\n2 1:1 3:3 1:2\n", "line 2, column 11: found feature 1 for the second time"},
    {"1 1:1 1:1\n", "line 1, column 7: found feature 1 for the second time"},
    {"1 1:0 1:0\n", "found feature 1 for the second time"},
    {"1 -3:1\n", "line 1, column 3: found '-3:1', expected a feature number that is not negative"},
    {"1 1.5:1\n", "line 1, column 3: found '1.5:1', expected a whole feature number"},
    {"1 1e3:1\n", "expected a whole feature number"},
    {"1 2147483647:1\n", "expected a feature number of at most 2147483646, the limit for now"},
    {"1 99999999999999999999:1\n", "expected a feature number of at most 2147483646"},
    {"1 5\n", "line 1, column 3: found '5', expected index:value"},
    {"1 2:3 x:1\n", "line 1, column 7: found 'x:1', expected index:value"},
    {"1 :5\n", "found ':5', expected index:value"},
    {"1 3:\n", "line 1, column 5: found '3:', expected a value right after the colon"},
    {"1 3: 4\n", "found '3:', expected a value right after the colon"},
    {"1 3 :4\n", "found '3', expected index:value"},
    {"1 3:abc\n", "line 1, column 5: found 'abc', expected a value, a number"},
    {"1 3:1x\n", "line 1, column 6: found '3:1x', expected a blank after the value"},
    {"1 3:1:2\n", "line 1, column 6: found '3:1:2', expected a blank"},
    {"1 3:0x10\n", "found '3:0x10', expected a blank"},
    {"1 3:0,5\n", "line 1, column 6: found '3:0,5', which looks like a decimal comma"},
    {"1,5 3:1\n", "line 1, column 2: found '1,5', which looks like a decimal comma"},
    {"1,2,3\n", "line 1, column 1: this looks like CSV"},
    {"label;x;y\n1;2;3\n", "this looks like CSV"},
    {"1, 2, 3\n", "this looks like CSV"},
    {"? 1:1\n", "found '?', an unlabelled row"},
    {"yes 1:1\n", "line 1, column 1: found 'yes', expected a label"},
    {"1:1 2:1\n", "found a feature where the row starts, expected a label"},
    {"1x 1:1\n", "found '1x', expected a blank after the label"},
    {"1 qid:x 1:1\n", "line 1, column 3: found a qid that is not a whole number"},
    {"1 qid:1.5 1:1\n", "found a qid"},
    {"1 1:1 qid:1\n", "found 'qid:1', expected index:value"},
    {"1 \x01\x7f\xff:1\n", "found '???:1', expected index:value"},
    {"1 1:aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffff\n", "...', expected a value"},
};

static void assert_refused(const dcpn_read_options *options, const char *fragment)
{
    dcpn_dataset *dataset;
    if (dcpn_read_libsvm(context, "data", options, &dataset) != DCPN_DATA) fail_msg("not refused: %s", fragment);
    assert_null(dataset);
    assert_contains(dcpn_last_error(context), fragment);
}

static void test_refusals(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++) {
        put_text("data", refusals[k].text);
        assert_refused(NULL, refusals[k].fragment);
    }
}

static void test_refusals_that_name_an_option(void **state)
{
    const dcpn_read_options base_1 = {.indexing = DCPN_INDEX_FROM_1}, two = {.features = 2};
    const dcpn_read_options single = {.value_type = DCPN_FLOAT32};
    (void)state;
    put_text("data", "1 0:1\n");
    assert_refused(
        &base_1,
        "line 1, column 3: found feature 0, expected numbers from 1 on; fitting with index-base 0 accepts it");
    put_text("data", "1 1:1\n1 2:1 7:1 3:1\n");
    assert_refused(&two, "line 2, column 7: found feature 7, expected numbers from 1 to 2; features 7 or more");
    put_text("data", "1 0:1 2:1\n");
    assert_refused(&two, "found feature 2, expected numbers from 0 to 1; features 3 or more");
    put_text("data", "1 1:1e39\n");
    assert_refused(&single, "line 1, column 5: found '1e39', expected a value of at most 3.4e38");
}

static void test_zero_bytes(void **state)
{
    const char bytes[] = "1 1:1\n1 1:\0001\n";
    (void)state;
    put_bytes("data", bytes, sizeof bytes - 1);
    assert_refused(NULL, "data: line 2, column 5: found a zero byte");
}

static void test_missing_file(void **state)
{
    dcpn_dataset *dataset;
    (void)state;
    assert_int_equal(dcpn_read_libsvm(context, "nowhere", NULL, &dataset), DCPN_IO);
    assert_contains(dcpn_last_error(context), "nowhere: cannot be read: No such file");
}

static void test_standard_input_has_a_name(void **state)
{
    dcpn_dataset *dataset;
    (void)state;
    put_text("data", "1 1:x\n");
    int saved = dup(STDIN_FILENO), source = open("data", O_RDONLY);
    assert_true(dup2(source, STDIN_FILENO) >= 0);
    dcpn_status status = dcpn_read_libsvm(context, "-", NULL, &dataset);
    dup2(saved, STDIN_FILENO);
    close(saved);
    close(source);
    assert_int_equal(status, DCPN_DATA);
    assert_contains(dcpn_last_error(context), "standard input: line 1, column 5: found 'x'");
}

/* Longer than any block of the reader, and with rows that lie across the ends of blocks. */
static void test_long_lines(void **state)
{
    enum { WIDE = 200000, ROWS = 60000 };
    FILE *file = fopen("data", "w");
    dcpn_dataset *dataset;
    (void)state;
    assert_non_null(file);
    fputs("1", file);
    for (int j = 1; j <= WIDE; j++) fprintf(file, " %d:1", j);
    fputs("\n", file);
    for (int i = 1; i < ROWS; i++) fprintf(file, "%d 1:2 %d:3\n", i % 7, 2 + i % 1000);
    fclose(file);
    assert_int_equal(dcpn_read_libsvm(context, "data", NULL, &dataset), DCPN_OK);
    assert_int_equal(dataset->rows, ROWS);
    assert_int_equal(dataset->features, WIDE);
    assert_int_equal(dcpn_matrix_entries(dataset->matrix), WIDE + 2 * (ROWS - 1));
    for (int i = 1; i < ROWS; i++) assert_true(dataset->labels[i] == (double)(i % 7));
    dcpn_dataset_free(dataset);
}

static void test_written_text_reads_back(void **state)
{
    static const char text[] = "-1 0:0.1 2:-1e-300\n0.30000000000000004\n3 1:123456789\n";
    (void)state;
    dcpn_dataset *dataset = read_text(text, NULL);
    assert_int_equal(dcpn_write_libsvm(dataset, "copy"), DCPN_OK);
    char *copy = get_text_of("copy");
    assert_string_equal(copy, text);
    free(copy);
    assert_int_equal(dcpn_write_libsvm(dataset, "no/copy"), DCPN_IO);
    dcpn_dataset_free(dataset);
}

/* Features that are 0 everywhere, the last one and that of index 0, are said in the first row. */
static void test_written_text_keeps_features_and_base(void **state)
{
    static const struct {
        const char *text, *written;
        dcpn_indexing indexing;
        int64_t features, base;
    } cases[] = {
        {"1 1:1 9:0\n-1 3:1\n", "1 1:1 9:0\n-1 3:1\n", DCPN_INDEX_DETECT, 9, 1},
        {"1 0:0 2:1\n-1 1:1\n", "1 0:0 2:1\n-1 1:1\n", DCPN_INDEX_DETECT, 3, 0},
        {"1 2:1\n-1 1:1 4:0\n", "1 0:0 2:1 4:0\n-1 1:1\n", DCPN_INDEX_FROM_0, 5, 0},
        {"1 0:0\n-1\n", "1 0:0\n-1\n", DCPN_INDEX_DETECT, 1, 0},
        {"1\n-1 1:0\n", "1 1:0\n-1\n", DCPN_INDEX_DETECT, 1, 1},
        {"1 1:1\n-1 3:1\n", "1 1:1\n-1 3:1\n", DCPN_INDEX_DETECT, 3, 1},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const dcpn_read_options options = {.indexing = cases[k].indexing};
        dcpn_dataset *dataset = read_text(cases[k].text, &options);
        assert_int_equal(dcpn_write_libsvm(dataset, "copy"), DCPN_OK);
        dcpn_dataset_free(dataset);
        char *copy = get_text_of("copy");
        assert_string_equal(copy, cases[k].written);
        dataset = read_text(copy, NULL);
        assert_int_equal(dataset->features, cases[k].features);
        assert_int_equal(dataset->index_base, cases[k].base);
        dcpn_dataset_free(dataset);
        free(copy);
    }
}

static void test_numbers(void **state)
{
    static const struct refusal cases[] = {
        {"1\n2 3\n", "data: line 2, column 3: found '3' after the number"},
        {"0,5\n", "found ',5' after the number"},
        {"x\n", "line 1, column 1: found 'x', expected a number"},
        {"1\ninf\n", "line 2, column 1: found 'inf', expected a number that is finite"},
        {"# none\n", "data: found no number"},
    };
    double *numbers;
    int64_t count;
    (void)state;
    put_text("data", "1.5\n# two\n\n  -2e3 \r\n0.25\n");
    assert_int_equal(dcpn_read_numbers(context, "data", &numbers, &count), DCPN_OK);
    assert_int_equal(count, 3);
    assert_true(numbers[0] == 1.5 && numbers[1] == -2000.0 && numbers[2] == 0.25);
    dcpn_free(context, numbers);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        put_text("data", cases[k].text);
        assert_int_equal(dcpn_read_numbers(context, "data", &numbers, &count), DCPN_DATA);
        assert_contains(dcpn_last_error(context), cases[k].fragment);
        assert_null(numbers);
    }
}

static void test_numbers_that_would_not_read_back_are_not_written(void **state)
{
    static const struct {
        double numbers[3];
        int64_t count;
        dcpn_status status;
        const char *fragment;
    } cases[] = {
        {{1, NAN, 2}, 3, DCPN_DATA, "out: number 2: found nan, expected a finite one"},
        {{1, 2, INFINITY}, 3, DCPN_DATA, "out: number 3: found inf"},
        {{-INFINITY}, 1, DCPN_DATA, "out: number 1: found -inf"},
        {{1}, 0, DCPN_USAGE, "out: found 0 numbers to write, expected one or more"},
        {{1}, -1, DCPN_USAGE, "out: found -1 numbers to write"},
    };
    const double edge[] = {DBL_MAX, -DBL_TRUE_MIN, 0.1};
    double *numbers;
    int64_t count;
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_int_equal(dcpn_write_numbers(context, "out", cases[k].numbers, cases[k].count), cases[k].status);
        assert_contains(dcpn_last_error(context), cases[k].fragment);
        assert_int_equal(files_here(), 0);
    }
    assert_int_equal(dcpn_write_numbers(context, "out", edge, 3), DCPN_OK);
    assert_int_equal(dcpn_read_numbers(context, "out", &numbers, &count), DCPN_OK);
    assert_int_equal(count, 3);
    assert_memory_equal(numbers, edge, sizeof edge);
    dcpn_free(context, numbers);
}

static void test_every_failed_allocation_is_survived(void **state)
{
    dcpn_status status = DCPN_MEMORY;
    (void)state;
    FILE *file = fopen("data", "w");
    for (int i = 0; i < 1000; i++) fprintf(file, "1 1:1 2:2\n");
    fclose(file);
    for (int64_t k = 2; status != DCPN_OK; k++) { /* the first call makes the context */
        struct faulty faulty = {.fails_at = k};
        const dcpn_allocator allocator = {allocate_faulty, release_faulty, &faulty};
        dcpn_context *other = dcpn_context_new(&allocator);
        dcpn_dataset *dataset;
        status = dcpn_read_libsvm(other, "data", NULL, &dataset);
        if (status == DCPN_OK) status = dcpn_write_libsvm(dataset, "copy");
        if (status != DCPN_OK) assert_int_equal(status, DCPN_MEMORY);
        dcpn_dataset_free(dataset);
        dcpn_context_free(other);
        assert_int_equal(faulty.out, 0);
        assert_in_range(k, 2, 200);
    }
    assert_int_equal(files_here(), 2);
}

#define TEST(NAME) cmocka_unit_test_setup_teardown(NAME, setup, teardown)

int main(void)
{
    setlocale(LC_NUMERIC, ""); /* as a host program may do */
    const struct CMUnitTest tests[] = {
        TEST(test_reads_rows),
        TEST(test_indices_may_come_in_any_order),
        TEST(test_index_base),
        TEST(test_zeros_count_for_the_columns_alone),
        TEST(test_features_option),
        TEST(test_float32),
        TEST(test_only_what_stays_the_same_is_narrowed),
        TEST(test_warns_of_a_missing_line_end),
        TEST(test_refusals),
        TEST(test_refusals_that_name_an_option),
        TEST(test_zero_bytes),
        TEST(test_missing_file),
        TEST(test_standard_input_has_a_name),
        TEST(test_long_lines),
        TEST(test_written_text_reads_back),
        TEST(test_written_text_keeps_features_and_base),
        TEST(test_numbers),
        TEST(test_numbers_that_would_not_read_back_are_not_written),
        TEST(test_every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
