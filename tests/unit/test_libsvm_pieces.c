/* SPDX-License-Identifier: BSD-3-Clause */
/* LIBSVM text in pieces: the same arrays and the same refusal for any number of threads, as naive code has them; and
 * the two parsers of a line accept the same lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>

#include "base/context.h"
#include "base/growing.h"
#include "data/libsvm.h"
#include "matrix/matrix.h"
#include "matrix/sparse.h"
#include "scratch.h"

enum { ROWS = 9000, COLUMNS = 150000, MOST_IN_ROW = 60 };

static dcpn_context *context;
static uint64_t seed;

static uint64_t below(uint64_t limit)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % limit;
}

static int setup(void **state)
{
    context = dcpn_context_new(NULL);
    seed = 20;
    return enter_scratch(state);
}

static int teardown(void **state)
{
    dcpn_context_free(context);
    return leave_scratch(state);
}

/* ---- A file with everything that is allowed, and what it means ----------------------------------------------------*/

static struct truth {
    double labels[ROWS];
    int count[ROWS], first[ROWS];
    int columns[ROWS * MOST_IN_ROW];
    double values[ROWS * MOST_IN_ROW];
    int entries, largest;
} truth;

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void append(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void append(struct text *text, const char *format, ...)
{
    char piece[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    dcpn_text_append(text, piece);
}

/* Writes a value in one of many ways, and returns what the C library makes of it. */
static double append_value(struct text *text)
{
    static const char *const special[] = {"0", "-0", "0.000", "1e-320", "1e300", "+3", ".5", "7.", "1E2", "-1e-2"};
    char number[64];
    switch (below(6)) {
    case 0:
        snprintf(number, sizeof number, "%d", (int)below(10));
        break;
    case 1:
        snprintf(number, sizeof number, "%s", special[below(10)]);
        break;
    case 2:
        snprintf(number, sizeof number, "%.17g", (double)below(1000000007) / 998244353.0);
        break;
    case 3:
        snprintf(number, sizeof number, "-%d.%d", (int)below(100000), (int)below(10000000));
        break;
    case 4:
        snprintf(number, sizeof number, "%d%09d%09d", (int)below(100), (int)below(1000000000), (int)below(1000000000));
        break;
    default:
        snprintf(number, sizeof number, "0.%06d", (int)below(1000000));
    }
    dcpn_text_append(text, number);
    return strtod(number, NULL);
}

static int distinct_columns(int *columns)
{
    int count = (int)below(MOST_IN_ROW), kept = 0;
    for (int k = 0; k < count; k++)
        columns[k] = (int)below(below(2) ? 50 : COLUMNS); /* some columns are in many rows, most in few */
    qsort(columns, (size_t)count, sizeof *columns, by_number);
    for (int k = 0; k < count; k++)
        if (k == 0 || columns[k] != columns[k - 1]) columns[kept++] = columns[k];
    return kept;
}

static void append_row(struct text *text, int row, int base)
{
    int columns[MOST_IN_ROW], count = distinct_columns(columns), unordered = below(10) == 0;
    double values[MOST_IN_ROW];
    truth.labels[row] = (double)below(5) - 2.0;
    append(text, "%s%g%s", below(20) ? "" : " \t", truth.labels[row], below(9) ? "" : " qid:12");
    for (int k = 0; k < count; k++) {
        int at = unordered ? (k * 7 + 3) % count : k; /* meets every one unless 7 divides the count */
        if (count % 7 == 0) at = unordered ? count - 1 - k : k;
        append(text, "%s%d:", below(30) ? " " : " \t ", columns[at] + base);
        values[at] = append_value(text);
        if (columns[at] > truth.largest) truth.largest = columns[at];
    }
    truth.first[row] = truth.entries;
    for (int k = 0; k < count; k++) {
        if (values[k] == 0.0) continue;
        truth.columns[truth.entries] = columns[k];
        truth.values[truth.entries++] = values[k];
    }
    truth.count[row] = truth.entries - truth.first[row];
    append(text, "%s%s", below(15) ? "" : "  # a comment: 1:2, with colons", below(4) ? "\n" : "\r\n");
    if (below(40) == 0) append(text, "%s", below(2) ? "\n  \n" : "# 3:4 only a comment\n");
}

static struct text make_file(int base)
{
    struct text text = {.context = context};
    memset(&truth, 0, sizeof truth);
    for (int row = 0; row < ROWS; row++) append_row(&text, row, base);
    assert_int_equal(text.status, DCPN_OK);
    assert_true(text.length > 5 << 19); /* several pieces */
    return text;
}

static void assert_is_truth(const dcpn_dataset *dataset)
{
    int64_t *columns = malloc(COLUMNS * sizeof *columns);
    double *values = malloc(COLUMNS * sizeof *values);
    assert_int_equal(dataset->rows, ROWS);
    assert_int_equal(dataset->features, truth.largest + 1);
    assert_int_equal(dcpn_matrix_entries(dataset->matrix), truth.entries);
    assert_memory_equal(dataset->labels, truth.labels, sizeof truth.labels);
    for (int row = 0; row < ROWS; row++) {
        int first = truth.first[row], count = truth.count[row];
        assert_int_equal(dcpn_matrix_row(dataset->matrix, row, columns, values), count);
        for (int k = 0; k < count; k++) assert_int_equal(columns[k], truth.columns[first + k]);
        if (count) assert_memory_equal(values, truth.values + first, (size_t)count * sizeof *values);
    }
    free(columns);
    free(values);
}

/* The other orientation: column by column what the rows have, rows ascending. */
static void assert_columns_are_truth(const dcpn_matrix *matrix)
{
    double *r = malloc(ROWS * sizeof *r), *sums = calloc(COLUMNS, sizeof *sums), *g = malloc(COLUMNS * sizeof *g);
    double *sizes = calloc(COLUMNS, sizeof *sizes);
    int64_t *in_column = calloc(COLUMNS, sizeof *in_column);
    for (int row = 0; row < ROWS; row++) {
        r[row] = (double)(row % 17) + 1.0;
        for (int k = truth.first[row]; k < truth.first[row] + truth.count[row]; k++) in_column[truth.columns[k]]++;
    }
    for (int64_t j = 0; j < matrix->columns; j++)
        assert_int_equal(matrix->ops->column_entries(matrix, j), in_column[j]);
    dcpn_matrix_adjoint(matrix, r, g);
    for (int row = 0; row < ROWS; row++)
        for (int k = truth.first[row]; k < truth.first[row] + truth.count[row]; k++) {
            sums[truth.columns[k]] += r[row] * truth.values[k];
            sizes[truth.columns[k]] += fabs(r[row] * truth.values[k]);
        }
    for (int64_t j = 0; j < matrix->columns; j++) assert_true(fabs(g[j] - sums[j]) <= 1e-9 * sizes[j]);
    free(r);
    free(sums);
    free(sizes);
    free(g);
    free(in_column);
}

static void test_any_number_of_threads(void **state)
{
    (void)state;
    for (int base = 0; base <= 1; base++) {
        struct text text = make_file(base);
        put_bytes("data", text.start, text.length);
        for (int threads = 1; threads <= 5; threads += 2) {
            dcpn_dataset *dataset;
            dcpn_context_set_threads(context, threads);
            const dcpn_read_options options = {.indexing = base ? DCPN_INDEX_FROM_1 : DCPN_INDEX_FROM_0};
            assert_int_equal(dcpn_read(context, "data", &options, &dataset), DCPN_OK);
            assert_is_truth(dataset);
            assert_columns_are_truth(dataset->matrix);
            dcpn_dataset_free(dataset);
        }
        dcpn_free(context, text.start);
    }
}

/* ---- Values that are floats ---------------------------------------------------------------------------------------*/

enum { NARROW_ROWS = 40000, NARROW_COLUMNS = 40, KEPT_BY = 8 };

/* Eighths, which are floats; zeros, and lines that are no rows, leave gaps. */
static double eighths(int row, int column)
{
    return (double)((row * 31 + column * 17) % 97 - 48) / 8.0;
}

static struct text make_floats(double last)
{
    struct text text = {.context = context};
    for (int row = 0; row < NARROW_ROWS; row++) {
        append(&text, row % 11 ? "%d" : "# nothing\n\n%d", row % 2);
        for (int j = row % KEPT_BY; j < NARROW_COLUMNS; j += KEPT_BY) append(&text, " %d:%.3f", j + 1, eighths(row, j));
        dcpn_text_append(&text, "\n");
    }
    append(&text, "1 1:%.17g\n", last);
    assert_true(text.length > 3 << 19);
    return text;
}

static void assert_floats(const dcpn_dataset *dataset, double last)
{
    int64_t columns[NARROW_COLUMNS];
    double values[NARROW_COLUMNS];
    assert_int_equal(dataset->rows, NARROW_ROWS + 1);
    for (int row = 0; row < NARROW_ROWS; row++) {
        int64_t count = dcpn_matrix_row(dataset->matrix, row, columns, values), k = 0;
        for (int j = row % KEPT_BY; j < NARROW_COLUMNS; j += KEPT_BY)
            if (eighths(row, j) != 0.0) assert_true(k < count && columns[k] == j && values[k++] == eighths(row, j));
        assert_int_equal(k, count);
        assert_true(dataset->labels[row] == row % 2);
    }
    assert_int_equal(dcpn_matrix_row(dataset->matrix, NARROW_ROWS, columns, values), 1);
    assert_true(values[0] == last);
}

/* All pieces but the last are floats: they become doubles again. */
static void test_one_value_that_is_no_float(void **state)
{
    (void)state;
    for (int k = 0; k < 12; k++) {
        const double last = k % 2 ? 0.1 : 0.5;
        const dcpn_read_options options = {.indexing = DCPN_INDEX_FROM_1,
                                           .narrow = 1,
                                           .storage = k / 2 % 2 ? DCPN_STORAGE_DENSE : DCPN_STORAGE_SPARSE};
        struct text text = make_floats(last);
        struct compressed_both both;
        dcpn_dataset *dataset;
        put_bytes("data", text.start, text.length);
        dcpn_context_set_threads(context, k / 4 + 1);
        assert_int_equal(dcpn_read(context, "data", &options, &dataset), DCPN_OK);
        assert_floats(dataset, last);
        if (dcpn_sparse_both(dataset->matrix, &both))
            assert_int_equal(both.by_row.value_type, k % 2 ? DCPN_FLOAT64 : DCPN_FLOAT32);
        dcpn_dataset_free(dataset);
        dcpn_free(context, text.start);
    }
}

static void append_line(struct text *text, int label, const char *comment)
{
    append(text, "%d 3:4 ", label);
    dcpn_text_append(text, comment);
    dcpn_text_append(text, "\n");
}

/* Ten megabytes of comments, and rows where the pieces that tell how many rows to expect have not looked. */
static struct text make_surprise(const char *last)
{
    enum { COMMENTS = 10000, DENSE_ROWS = 3000 };
    struct text text = {.context = context};
    char comment[1001];
    memset(comment, '#', sizeof comment - 1);
    comment[sizeof comment - 1] = '\0';
    for (int i = 0; i < COMMENTS; i++) append_line(&text, i % 2, comment);
    for (int i = 0; i < DENSE_ROWS; i++) {
        append(&text, "%d", i % 2);
        for (int j = 1; j <= 40; j++) append(&text, " %d:%d", j, i % 8 + 1);
        append(&text, "\n");
    }
    append(&text, "1 1:%s\n", last);
    return text;
}

static void test_more_rows_than_expected(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        const dcpn_read_options options = {.indexing = DCPN_INDEX_FROM_1, .narrow = 1, .storage = DCPN_STORAGE_SPARSE};
        struct text text = make_surprise(k % 2 ? "0.1" : "0.5");
        dcpn_dataset *dataset;
        int64_t columns[40];
        double values[40];
        put_bytes("data", text.start, text.length);
        dcpn_context_set_threads(context, k / 2 + 1);
        assert_int_equal(dcpn_read(context, "data", &options, &dataset), DCPN_OK);
        assert_int_equal(dataset->rows, 13001);
        assert_int_equal(dcpn_matrix_entries(dataset->matrix), 10000 + 40 * 3000 + 1);
        for (int row = 0; row < 13000; row++) {
            int64_t count = dcpn_matrix_row(dataset->matrix, row, columns, values);
            assert_int_equal(count, row < 10000 ? 1 : 40);
            for (int64_t i = 0; i < count; i++) {
                assert_int_equal(columns[i], row < 10000 ? 2 : i);
                assert_true(values[i] == (row < 10000 ? 4.0 : (double)((row - 10000) % 8 + 1)));
            }
            assert_true(dataset->labels[row] == row % 2);
        }
        assert_int_equal(dcpn_matrix_row(dataset->matrix, 13000, columns, values), 1);
        assert_true(values[0] == (k % 2 ? 0.1 : 0.5));
        dcpn_dataset_free(dataset);
        dcpn_free(context, text.start);
    }
}

static void test_first_error_whatever_the_threads(void **state)
{
    struct text text = make_file(1);
    char expected[DCPN_ERROR_LENGTH];
    (void)state;
    for (int wrong = 0; wrong < 12; wrong++) { /* the last of them is the first in the file, at a random place */
        size_t at = text.length - (size_t)(wrong + 1) * text.length / 13 + below(1000);
        while (text.start[at] != '\n') at++;
        text.start[at + 1] = 'x';
        put_bytes("data", text.start, text.length);
        for (int threads = 1; threads <= 5; threads += 2) {
            dcpn_dataset *dataset;
            dcpn_context_set_threads(context, threads);
            assert_int_equal(dcpn_read(context, "data", NULL, &dataset), DCPN_DATA);
            assert_null(dataset);
            if (threads == 1) {
                strcpy(expected, dcpn_last_error(context));
                int64_t line = 2;
                for (size_t i = 0; i < at; i++) line += text.start[i] == '\n';
                char place[64];
                snprintf(place, sizeof place, "data: line %lld, column 1: ", (long long)line);
                assert_int_equal(strncmp(expected, place, strlen(place)), 0);
            }
            assert_string_equal(dcpn_last_error(context), expected);
        }
    }
    dcpn_free(context, text.start);
}

/* ---- The two parsers ----------------------------------------------------------------------------------------------*/

static const char *const words[] = {"1",
                                    "-1",
                                    "+1",
                                    "1:2",
                                    "2:3",
                                    "7:0.5",
                                    "0:1",
                                    "3:-0",
                                    " ",
                                    " ",
                                    " ",
                                    "\t",
                                    "#",
                                    ":",
                                    "?",
                                    "qid:1",
                                    "qid:",
                                    "nan",
                                    "inf",
                                    "1e999",
                                    "1e-999",
                                    ",",
                                    "12345678:1",
                                    "2147483646:1",
                                    ".",
                                    "e5",
                                    "-",
                                    "\r",
                                    "5:1.5",
                                    "9",
                                    "2147483647:1",
                                    "99999999999:1",
                                    "4:x",
                                    "1:1,5",
                                    "8:12345678.12345678",
                                    "6:00000000001",
                                    "10:1234567890123456789012"};

/* Returns its length. */
static size_t make_line(char *line, size_t size)
{
    size_t count = 1 + below(12), length = 0;
    line[0] = '\0';
    for (size_t k = 0; k < count; k++) {
        const char *word = words[below(sizeof words / sizeof *words)];
        length += (size_t)snprintf(line + length, size - length, "%s%s", word, below(3) ? " " : "");
    }
    if (below(10) == 0) line[below(length)] = (char)below(256); /* anything, zero bytes and line ends among them */
    strcpy(line + length, "\n");
    return length + 1;
}

static int fast_accepts(const char *line, size_t length, const dcpn_read_options *options)
{
    double labels[4], values[200];
    int64_t ends[5];
    int32_t indices[200];
    char buffer[1024] = {0};
    struct libsvm_arrays to = {
        .labels = labels, .ends = ends, .indices = indices, .values = values, .value_type = options->value_type};
    struct libsvm_piece piece = {.begin = buffer, .end = buffer + length};
    memcpy(buffer, line, length);
    dcpn_libsvm_count(&piece);
    assert_true(piece.lines <= 4 && piece.room <= 200);
    dcpn_libsvm_parse(&piece, options, &to);
    return !piece.wrong;
}

static int slow_accepts(const char *line, size_t length, const dcpn_read_options *options)
{
    struct content content = {.context = context, .name = "line", .bytes = line, .size = length};
    struct line_reader lines;
    int more;
    dcpn_lines_over(&content, &lines);
    lines.number = 1; /* no byte order mark */
    for (;;) {
        if (dcpn_lines_next(&lines, &more) != DCPN_OK) return 0;
        if (!more) return 1;
        if (dcpn_libsvm_check_line(&lines, options, 0, NULL) != DCPN_OK) return 0;
    }
}

static void test_both_parsers_accept_the_same(void **state)
{
    int accepted = 0;
    (void)state;
    for (int k = 0; k < 300000; k++) {
        char line[600];
        const dcpn_read_options options = {.indexing = (dcpn_indexing)below(3),
                                           .value_type = below(2) ? DCPN_FLOAT64 : DCPN_FLOAT32,
                                           .unlabelled = (int)below(2)};
        size_t length = make_line(line, sizeof line);
        int fast = fast_accepts(line, length, &options);
        if (fast != slow_accepts(line, length, &options))
            fail_msg("'%s': the fast parser %s it, the slow one not: %s", line, fast ? "accepts" : "refuses",
                     dcpn_last_error(context));
        accepted += fast;
    }
    assert_in_range(accepted, 1000, 290000); /* both happen */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_any_number_of_threads, setup, teardown),
        cmocka_unit_test_setup_teardown(test_one_value_that_is_no_float, setup, teardown),
        cmocka_unit_test_setup_teardown(test_more_rows_than_expected, setup, teardown),
        cmocka_unit_test_setup_teardown(test_first_error_whatever_the_threads, setup, teardown),
        cmocka_unit_test_setup_teardown(test_both_parsers_accept_the_same, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
