/* SPDX-License-Identifier: BSD-3-Clause */
/* Large tables: in pieces on all threads, with little memory, row by row when they are checked, without memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "scratch.h"
#include "reading.h"

static const struct format *const csv = &dcpn_format_csv, *const tsv = &dcpn_format_tsv;

/* A first row of many fields must not make room for as many in each of the others. */
static void test_short_rows_take_no_memory(void **state)
{
    enum { WIDE = 100000, ROWS = 200000 };
    char *text = malloc(2 * WIDE + 2 * ROWS + 1), *at = text;
    (void)state;
    assert_non_null(text);
    for (int k = 0; k < WIDE; k++) at += sprintf(at, "1%c", k + 1 < WIDE ? ',' : '\n');
    for (int k = 0; k < ROWS; k++) at += sprintf(at, "1\n");
    refuse_bytes(csv, text, (size_t)(at - text), NULL, "line 2, column 1: found 1 field, expected 100000");
    free(text);
}

enum { LARGE_ROWS = 8000, LARGE_FEATURES = 12 };

/* Some chunks, with line ends within quotes. */
static char *large_text(void)
{
    uint64_t seed = 1;
    char *text = malloc((size_t)LARGE_ROWS * LARGE_FEATURES * 24), *at = text;
    assert_non_null(text);
    for (int i = 0; i < LARGE_ROWS; i++) {
        for (int j = 0; j < LARGE_FEATURES; j++) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            at += sprintf(at, "%.*g,", (int)(seed >> 60) + 1, (double)(int64_t)(seed >> 3) * 1e-15);
        }
        at += sprintf(at, i % 3 ? "b\n" : "\"a,\n \"\"c\"\"\"\n");
    }
    return text;
}

static dcpn_dataset *read_with_threads(const char *text, int threads)
{
    dcpn_context_set_threads(context, threads);
    dcpn_dataset *dataset = accept_text(csv, text, NULL);
    dcpn_context_set_threads(context, 1);
    return dataset;
}

static void test_threads_give_the_same_arrays(void **state)
{
    char *text = large_text();
    dcpn_dataset *one = read_with_threads(text, 1);
    (void)state;
    assert_int_equal(one->rows, LARGE_ROWS);
    assert_int_equal(one->label_count, 2);
    assert_string_equal(one->label_names[0], "a,\n \"c\"");
    for (int threads = 2; threads <= 4; threads += 2) {
        dcpn_dataset *several = read_with_threads(text, threads);
        assert_same_dataset(one, several);
        dcpn_dataset_free(several);
    }
    /* An independent reading of the numbers. */
    const char *at = text;
    for (int i = 0; i < LARGE_ROWS; i++) {
        double values[LARGE_FEATURES];
        int64_t columns[LARGE_FEATURES], count = dcpn_matrix_row(one->matrix, i, columns, values), k = 0;
        for (int j = 0; j < LARGE_FEATURES; j++) {
            char *end;
            double expected = strtod(at, &end);
            if (expected != 0.0) assert_true(k < count && columns[k] == j && values[k++] == expected);
            at = end + 1;
        }
        assert_true(one->labels[i] == (i % 3 ? 1.0 : 0.0));
        at = strstr(at, i % 3 ? "b\n" : "\"\"\"\n") + (i % 3 ? 2 : 4);
    }
    dcpn_dataset_free(one);
    free(text);
}

static void test_threads_give_the_same_error(void **state)
{
    char *text = large_text(), first[DCPN_ERROR_LENGTH];
    size_t size = strlen(text);
    (void)state;
    memcpy(strchr(text + 3 * size / 4, '\n') + 1, "1,2,3\n", 6);
    memcpy(strchr(text + size / 2, '\n') + 1, "x", 1);
    for (int threads = 1; threads <= 4; threads++) {
        dcpn_context_set_threads(context, threads);
        refuse_text(csv, text, NULL, "expected a number");
        if (threads == 1) strcpy(first, dcpn_last_error(context));
        assert_string_equal(first, dcpn_last_error(context));
    }
    dcpn_context_set_threads(context, 1);
    free(text);
}

/* ---- Checking -----------------------------------------------------------------------------------------------------*/

struct noted {
    int count;
    char sentences[4][DCPN_ERROR_LENGTH];
};

static void note(void *user, const char *sentence)
{
    struct noted *noted = user;
    assert_true(noted->count < 4);
    strcpy(noted->sentences[noted->count++], sentence);
}

static void test_checks_every_row(void **state)
{
    static const char *const expected[] = {"line 3, column 1: found 2 fields", "line 4, column 3: found 'x' in field 2",
                                           "line 6, column 3: found a quote at the start of field 2"};
    struct noted noted = {.count = 0};
    int64_t count;
    (void)state;
    put_text("data", "a,b,label\n1,2,3\n4,5\n6,x,7\n8,9,1\n1,\"2,3\n4,NA,6\n");
    assert_int_equal(dcpn_check(context, "data", NULL, 3, note, &noted, &count), DCPN_OK);
    assert_int_equal(count, 4);
    assert_int_equal(noted.count, 3);
    for (int k = 0; k < 3; k++) assert_contains(noted.sentences[k], expected[k]);
    noted.count = 0;
    put_text("data", "1,2,3\n4,5,a\n"); /* no row is wrong by itself */
    assert_int_equal(dcpn_check(context, "data", NULL, 3, note, &noted, &count), DCPN_OK);
    assert_int_equal(count, 1);
    assert_contains(noted.sentences[0], "which is text, after labels that are numbers");
    noted.count = 0;
    put_text("data", "label,b,y\n1,2,3\n");
    assert_int_equal(dcpn_check(context, "data", NULL, 3, note, &noted, &count), DCPN_OK);
    assert_int_equal(count, 1);
    assert_contains(noted.sentences[0], "2 columns that may hold the labels");
}

static void test_bad_luck(void **state)
{
    static const char *const texts[] = {
        "a,\"b\",label\n1,,x\n\"2\",4,y\n",
        "0;0;0;0;1,5;x\r\n0;0;0;0;0;\"y\"\"\"\r\n",
    };
    const dcpn_read_options options = {.table.missing = "mean"};
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        fail_every_allocation(csv, texts[k], strlen(texts[k]), &options);
        survive_damage(csv, texts[k], strlen(texts[k]), &options);
        survive_damage(tsv, texts[k], strlen(texts[k]), NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_rows_take_no_memory),
        cmocka_unit_test(test_threads_give_the_same_arrays),
        cmocka_unit_test(test_threads_give_the_same_error),
        cmocka_unit_test(test_checks_every_row),
        cmocka_unit_test(test_bad_luck),
    };
    return cmocka_run_group_tests(tests, setup_reading, teardown_reading);
}
