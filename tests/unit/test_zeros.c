/* SPDX-License-Identifier: BSD-3-Clause */
/* A value that is 0, of either sign and however it came to be, is no entry: not in what is read, and not in what is
 * written, whatever the formats on the way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>

#include "dcpn/dcpn.h"
#include "scratch.h"
#include "with_context.h"

enum { ROWS = 3, COLUMNS = 6, ENTRIES = 3 };

static const double expected[ROWS][COLUMNS] = {{1, 0, 0, 0, 0, 0}, {0, 2.5, 0, 0, 0, 0}, {0, 0, -3, 0, 0, 0}};

/* The same numbers, with zeros of all kinds written out. */
static const struct {
    const char *path, *text;
} texts[] = {
    {"a.csv", "1,0,-0.0,0,0,-0,1\n0,2.5,0,-1e-400,0,0e9,0\n-0,0,-3,0,0,-0.0,1\n"},
    {"a.tsv", "1\t-0.0\t0\t0\t0\t0\t1\n0\t2.5\t0\t0\t0\t-0\t0\n0\t0\t-3\t0\t0\t0\t1\n"},
    {"a.svm", "1 1:1 6:-0\n0 2:2.5 3:-0.0 6:0\n1 2:1e-400 3:-3 6:-0.0\n"},
    {"a.mtx",
     "%%MatrixMarket matrix coordinate real general\n3 6 6\n1 1 1\n2 2 2.5\n3 3 -3\n1 6 -0.0\n2 6 0\n3 5 -0\n"},
    {"b.mtx",
     "%%MatrixMarket matrix array real general\n3 6\n1\n0\n-0\n0\n2.5\n0\n-0.0\n0\n-3\n0\n0\n0\n0\n0\n0\n-0\n0\n0\n"},
};

static const char *const written[] = {"w.svm", "w.csv", "w.tsv", "w.mtx", "w.npy", "w.npz", "w.dcpn"};
enum { WRITTEN = sizeof written / sizeof *written };

static dcpn_dataset *read_file(const char *path, dcpn_storage storage, dcpn_value_type type)
{
    char labels[64];
    dcpn_dataset *data = NULL;
    snprintf(labels, sizeof labels, "%s.labels", path);
    const dcpn_read_options options = {.labels_path = access(labels, R_OK) == 0 ? labels : NULL,
                                       .storage = storage,
                                       .value_type = type,
                                       .unlabelled = 1};
    if (dcpn_read(context, path, &options, &data) != DCPN_OK) fail_msg("%s", dcpn_last_error(context));
    return data;
}

static void assert_expected(const char *path, const dcpn_dataset *data)
{
    int64_t columns[COLUMNS], entries = 0;
    double values[COLUMNS];
    if (data->features != COLUMNS || data->rows != ROWS) fail_msg("%s: not %d x %d", path, ROWS, COLUMNS);
    for (int64_t i = 0; i < ROWS; i++) {
        int64_t count = dcpn_matrix_row(data->matrix, i, columns, values);
        for (int64_t k = 0; k < count; k++)
            if (values[k] != expected[i][columns[k]] || values[k] == 0.0)
                fail_msg("%s: %g in row %d, column %d", path, values[k], (int)i + 1, (int)columns[k] + 1);
        entries += count;
    }
    int64_t stored = dcpn_matrix_is_dense(data->matrix) ? ROWS * COLUMNS : ENTRIES;
    if (entries != ENTRIES || dcpn_matrix_entries(data->matrix) != stored)
        fail_msg("%s: %d entries, %d stored", path, (int)entries, (int)dcpn_matrix_entries(data->matrix));
}

static void assert_read(const char *path)
{
    for (int storage = DCPN_STORAGE_AUTO; storage <= DCPN_STORAGE_DENSE; storage++)
        for (int type = DCPN_FLOAT64; type <= DCPN_FLOAT32; type++) {
            dcpn_dataset *data = read_file(path, (dcpn_storage)storage, (dcpn_value_type)type);
            assert_expected(path, data);
            dcpn_dataset_free(data);
        }
}

/* To every format, and from each of those to every format. */
static void assert_written(const dcpn_dataset *data, int farther)
{
    for (size_t k = 0; k < WRITTEN; k++) {
        char path[80];
        snprintf(path, sizeof path, "%d-%s", farther, written[k]);
        assert_int_equal(dcpn_write(data, path, NULL), DCPN_OK);
        assert_read(path);
        if (!farther) continue;
        dcpn_dataset *again = read_file(path, DCPN_STORAGE_AUTO, DCPN_FLOAT64);
        assert_written(again, 0);
        dcpn_dataset_free(again);
    }
}

static void zeros_of_texts_are_no_entries(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        put_text(texts[k].path, texts[k].text);
        assert_read(texts[k].path);
        dcpn_dataset *data = read_file(texts[k].path, DCPN_STORAGE_AUTO, DCPN_FLOAT64);
        assert_written(data, 1);
        dcpn_dataset_free(data);
    }
}

/* A caller's arrays are taken as they are; what is written of them has no zeros, and the last column none twice. */
static void zeros_of_callers_are_not_written(void **state)
{
    static const int64_t pointers[] = {0, 3, 5, 8};
    static const int32_t indices[] = {0, 3, 5, 1, 5, 2, 4, 5};
    static const double doubles[] = {1, 0, -0.0, 2.5, 0, -3, -0.0, 0};
    static const float floats[] = {1, 0, -0.0f, 2.5, 0, -3, -0.0f, 0};
    double labels[ROWS] = {1, 0, 1};
    (void)state;
    for (int type = DCPN_FLOAT64; type <= DCPN_FLOAT32; type++) {
        const dcpn_compressed arrays = {ROWS,
                                        COLUMNS,
                                        pointers,
                                        indices,
                                        DCPN_INT32,
                                        type == DCPN_FLOAT64 ? (const void *)doubles : floats,
                                        type == DCPN_FLOAT64 ? DCPN_FLOAT64 : DCPN_FLOAT32,
                                        NULL};
        dcpn_dataset data = {.labels = labels, .rows = ROWS, .features = COLUMNS, .index_base = 1, .context = context};
        assert_int_equal(dcpn_matrix_csr(context, &arrays, DCPN_BORROW, &data.matrix), DCPN_OK);
        assert_written(&data, 1);
        dcpn_matrix_free(data.matrix);
    }
}

/* Too small for single precision is 0 there. */
static void what_becomes_zero_is_no_entry(void **state)
{
    (void)state;
    put_text("s.csv", "1,0,0,0,1e-60,0,1\n0,2.5,0,0,0,0,0\n0,-1e-60,-3,0,0,0,1\n");
    dcpn_dataset *data = read_file("s.csv", DCPN_STORAGE_SPARSE, DCPN_FLOAT32);
    assert_expected("s.csv", data);
    dcpn_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(zeros_of_texts_are_no_entries, setup, teardown),
        cmocka_unit_test_setup_teardown(zeros_of_callers_are_not_written, setup, teardown),
        cmocka_unit_test_setup_teardown(what_becomes_zero_is_no_entry, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
