/* SPDX-License-Identifier: BSD-3-Clause */
/* How a matrix that is read is kept: the same numbers, sparse or dense, by itself or as asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scratch.h"

#include "reading.h"

#include "base/rng.h"

enum { ROWS = 133, COLUMNS = 150 };

static double numbers[ROWS * COLUMNS];
static char text[ROWS * COLUMNS * 16];

/* A LIBSVM text in which about `share` of 1000 entries are there; rows backwards if asked for. */
static int64_t draw(int share, int backwards)
{
    struct rng rng;
    int64_t entries = 0;
    char *out = text;
    dcpn_rng_seed(&rng, 7);
    for (int i = 0; i < ROWS; i++) {
        out += sprintf(out, "%d", i % 2);
        for (int k = 0; k < COLUMNS; k++) {
            int j = backwards ? COLUMNS - 1 - k : k;
            int value = dcpn_rng_uniform(&rng) * 1000.0 < share ? (i * 31 + j * 17) % 97 - 48 : 0;
            if (j == COLUMNS - 1 && value == 0) value = 1;
            numbers[i * COLUMNS + j] = value / 8.0;
            if (value == 0) continue;
            out += sprintf(out, " %d:%.3f", j + 1, value / 8.0);
            entries++;
        }
        *out++ = '\n';
    }
    *out = '\0';
    return entries;
}

static void assert_numbers(const dcpn_dataset *data)
{
    static int64_t columns[COLUMNS];
    static double values[COLUMNS], row[COLUMNS];
    assert_int_equal(data->rows, ROWS);
    assert_int_equal(data->features, COLUMNS);
    for (int i = 0; i < ROWS; i++) {
        int64_t count = dcpn_matrix_row(data->matrix, i, columns, values);
        memset(row, 0, sizeof row);
        for (int64_t k = 0; k < count; k++) row[columns[k]] = values[k];
        assert_memory_equal(row, numbers + i * COLUMNS, sizeof row);
    }
}

static dcpn_dataset *read_file(const char *path, dcpn_storage storage, dcpn_value_type type, int threads)
{
    const dcpn_read_options options = {.storage = storage, .value_type = type};
    dcpn_dataset *data = NULL;
    dcpn_context_set_threads(context, threads);
    if (dcpn_read(context, path, &options, &data) != DCPN_OK) fail_msg("%s", dcpn_last_error(context));
    return data;
}

static void assert_storage(const char *path, dcpn_storage storage, int is_dense)
{
    for (int k = 0; k < 4; k++) {
        dcpn_dataset *data = read_file(path, storage, k & 1 ? DCPN_FLOAT32 : DCPN_FLOAT64, k & 2 ? 3 : 1);
        assert_int_equal(dcpn_matrix_is_dense(data->matrix), is_dense);
        assert_numbers(data);
        dcpn_dataset_free(data);
    }
}

static void test_libsvm(void **state)
{
    static const struct {
        int share, backwards, is_dense;
    } cases[] = {{1000, 0, 1}, {1000, 1, 1}, {600, 0, 1}, {600, 1, 1}, {400, 0, 0}, {50, 1, 0}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        draw(cases[k].share, cases[k].backwards);
        put_text("data.svm", text);
        assert_storage("data.svm", DCPN_STORAGE_AUTO, cases[k].is_dense);
        assert_storage("data.svm", DCPN_STORAGE_DENSE, 1);
        assert_storage("data.svm", DCPN_STORAGE_SPARSE, 0);
    }
}

/* Whatever a format prefers, the option has its way. */
static void test_all_formats(void **state)
{
    static const char *const files[] = {"d.csv", "d.tsv", "d.npz", "d.dcpn", "d.svm"};
    (void)state;
    for (int share = 50; share <= 1000; share += 950) {
        draw(share, 0);
        put_text("data.svm", text);
        dcpn_dataset *data = read_file("data.svm", DCPN_STORAGE_AUTO, DCPN_FLOAT64, 1);
        for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
            assert_int_equal(dcpn_write(data, files[k], NULL), DCPN_OK);
            assert_storage(files[k], DCPN_STORAGE_AUTO, share == 1000);
            assert_storage(files[k], DCPN_STORAGE_DENSE, 1);
            assert_storage(files[k], DCPN_STORAGE_SPARSE, 0);
        }
        dcpn_dataset_free(data);
    }
}

static size_t in_use, most_in_use;

static void *count_allocation(void *user, size_t bytes)
{
    size_t *block = malloc(bytes + 2 * sizeof(max_align_t));
    (void)user;
    if (!block) return NULL;
    *block = bytes;
    in_use += bytes;
    if (in_use > most_in_use) most_in_use = in_use;
    return (char *)block + sizeof(max_align_t);
}

static void count_release(void *user, void *memory)
{
    (void)user;
    if (!memory) return;
    size_t *block = (size_t *)(void *)((char *)memory - sizeof(max_align_t));
    in_use -= *block;
    free(block);
}

/* While a dense text is read there is never more in use than 2.5 times what remains. */
static void test_memory(void **state)
{
    const dcpn_allocator counting = {count_allocation, count_release, NULL};
    dcpn_dataset *data = NULL;
    (void)state;
    for (int share = 500; share <= 1000; share += 250) {
        draw(share, 0);
        put_text("data.svm", text);
        dcpn_context *own = dcpn_context_new(&counting);
        most_in_use = 0;
        assert_int_equal(dcpn_read(own, "data.svm", NULL, &data), DCPN_OK);
        assert_true(dcpn_matrix_is_dense(data->matrix));
        assert_true((double)most_in_use <= 2.5 * (double)in_use);
        dcpn_dataset_free(data);
        dcpn_context_free(own);
        assert_int_equal(in_use, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_libsvm, setup_reading, teardown_reading),
        cmocka_unit_test_setup_teardown(test_all_formats, setup_reading, teardown_reading),
        cmocka_unit_test_setup_teardown(test_memory, setup_reading, teardown_reading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
