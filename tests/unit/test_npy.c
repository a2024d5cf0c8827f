/* SPDX-License-Identifier: BSD-3-Clause */
/* NumPy array files: what is read, what is refused and with which words, what is written. Files of NumPy's own are read
 * by tests/formats. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "scratch.h"
#include "reading.h"

static const struct format *const format = &dcpn_format_npy;
static const dcpn_read_options unlabelled = {.unlabelled = 1};

static char file[65536];

/* A file with that version, header and data; its size. */
static size_t make(int version, const char *header, const void *data, size_t size)
{
    size_t length = strlen(header), start = version == 1 ? 10 : 12;
    memcpy(file, "\x93NUMPY", 6);
    file[6] = (char)version;
    file[7] = 0;
    file[8] = (char)(length & 0xFF);
    file[9] = (char)(length >> 8);
    if (version > 1) file[10] = file[11] = 0;
    memcpy(file + start, header, length);
    if (size) memcpy(file + start + length, data, size);
    return start + length + size;
}

static void test_types(void **state)
{
    static const struct {
        const char *type;
        unsigned char bytes[32];
        size_t size;
        double expected[4]; /* of a 2 x 2 array by rows */
    } cases[] = {
        {"<f8", {[6] = 0xF0, 0x3F, [14] = 0x00, 0xC0, [22] = 0xE0, 0x3F}, 32, {1, -2, 0.5, 0}},
        {">f8", {[0] = 0x3F, 0xF0, [8] = 0xC0, 0x00, [16] = 0x3F, 0xE0}, 32, {1, -2, 0.5, 0}},
        {"<f4", {[2] = 0x80, 0x3F, [7] = 0xC0, [11] = 0x3F}, 16, {1, -2, 0.5, 0}},
        {">f4", {[0] = 0x3F, 0x80, [4] = 0xC0, [8] = 0x3F}, 16, {1, -2, 0.5, 0}},
        {"<f2", {0x00, 0x3C, 0x00, 0xC0, 0xFF, 0x7B, 0x01, 0x00}, 8, {1, -2, 65504, 0x1p-24}},
        {">f2", {0x3C, 0x00, 0xC0, 0x00, 0x04, 0x00, 0x80, 0x00}, 8, {1, -2, 0x1p-14, -0.0}},
        {"|i1", {1, 0xFE, 0x80, 0}, 4, {1, -2, -128, 0}},
        {"|u1", {1, 0xFE, 0x80, 0}, 4, {1, 254, 128, 0}},
        {"|b1", {1, 0, 1, 0}, 4, {1, 0, 1, 0}},
        {"<i2", {1, 0, 0xFE, 0xFF, 0, 1}, 8, {1, -2, 256, 0}},
        {">i2", {0, 1, 0xFF, 0xFE, 1, 0}, 8, {1, -2, 256, 0}},
        {"<u2", {1, 0, 0xFE, 0xFF, 0, 1}, 8, {1, 65534, 256, 0}},
        {"<i4", {1, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF, 0, 1}, 16, {1, -2, 256, 0}},
        {">u4", {0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFE, 0, 0, 1}, 16, {1, 4294967294, 256, 0}},
        {"<i8", {[0] = 1, [8] = 0xFE, 255, 255, 255, 255, 255, 255, 255, 0, 1}, 32, {1, -2, 256, 0}},
        {">u8", {[7] = 1, [8] = 0x80, [22] = 1}, 32, {1, 0x1p63, 256, 0}},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int fortran = 0; fortran < 2; fortran++) {
            char header[128];
            const double *e = cases[k].expected, columns[] = {e[0], e[2], e[1], e[3]};
            snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': %s, 'shape': (2, 2), }    \n",
                     cases[k].type, fortran ? "True" : "False");
            size_t size = make(1 + (int)k % 3, header, cases[k].bytes, cases[k].size);
            dcpn_dataset *dataset = accept_bytes(format, file, size, &unlabelled);
            assert_data(dataset, 2, 2, fortran ? columns : e);
            dcpn_dataset_free(dataset);
        }
}

static void test_refusals(void **state)
{
    static const char zeros[128];
    static const struct {
        const char *header;
        size_t size;
        const char *fragment;
    } cases[] = {
        {"{'descr': '|O', 'fortran_order': False, 'shape': (2, 2), }", 32,
         "objects are never loaded, since that would"},
        {"{'descr': '<c16', 'fortran_order': False, 'shape': (1, 1), }", 16, "found an array of type '<c16', expected"},
        {"{'descr': '<f3', 'fortran_order': False, 'shape': (1, 1), }", 2, "found an array of type '<f3', expected"},
        {"{'descr': '<f', 'fortran_order': False, 'shape': (1, 1), }", 2, "found an array of type '<f', expected"},
        {"{'descr': '', 'fortran_order': False, 'shape': (1, 1), }", 2, "found an array of type nothing, expected"},
        {"{'descr': '<U3', 'fortran_order': False, 'shape': (1, 1), }", 12, "found an array of texts"},
        {"{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1, 1), }", 8, "found an array of records"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }", 31,
         "found 31 bytes for the array, expected 32"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }", 33, "found 1 bytes behind the array"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000, 100000), }", 32,
         "expected 800000000000; the file"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", 0,
         "expected more than 92233"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999, 1), }", 8,
         "expected more than 92233"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 2), }", 32, "expected the length of a dimension"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }", 32, "found an array of 1 dimensions, expected 2"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (), }", 8, "found an array of 0 dimensions, expected 2"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2, 1), }", 32, "found an array of 3 dimensions"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (0, 2), }", 0, "found 0 rows and 2 columns"},
        {"{'descr': '<f8', 'fortran_order': Maybe, 'shape': (2, 2), }", 32, "expected True or False"},
        {"{'descr': '<f8', 'shape': (2, 2), }", 32, "expected descr, fortran_order and shape"},
        {"{'descr': '<f8', 'order': 'C', 'shape': (2, 2), }", 32, "expected descr, fortran_order or shape"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), ", 32,
         "expected a text in quotes; the file is damaged"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2 2), }", 32, "expected a comma or a parenthesis"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), } os.system()", 32,
         "expected the end of the header"},
        {"import os", 32, "byte 10 of the header: found 'import os', expected a dictionary"},
        {"", 32, "expected a dictionary"},
    };
    const double nan_inside[] = {1, NAN}, large[] = {1, 1e39};
    const dcpn_read_options single = {.unlabelled = 1, .value_type = DCPN_FLOAT32};
    const char *row = "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }";
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        refuse_bytes(format, file, make(1, cases[k].header, zeros, cases[k].size), &unlabelled, cases[k].fragment);
    refuse_bytes(format, file, make(1, row, nan_inside, 16), &unlabelled,
                 "row 1, column 2: found nan, expected a finite");
    refuse_bytes(format, file, make(1, row, large, 16), &single, "row 1, column 2: found 1e39, expected a value of at");
    refuse_bytes(format, file, make(4, row, large, 16), &unlabelled, "found version 4 of NumPy's format");
    refuse_bytes(format, file, make(1, row, large, 16), NULL, "found no labels, expected one for each of 1 rows");
    make(2, row, large, 16);
    file[11] = 1;
    refuse_bytes(format, file, 100, &unlabelled, "found the end of the file within the header");
    refuse_bytes(format, file, 11, &unlabelled, "found the end of the file within the header");
    refuse_bytes(format, "\x93NUMP", 5, &unlabelled, "found no NumPy array");
}

enum { LONG = 130, BROAD = 40 };

/* Makes the file of an array of LONG x BROAD floats or doubles, by rows or by columns. */
static size_t make_large(int is_double, int fortran, const double *numbers)
{
    static float singles[LONG * BROAD];
    char header[128];
    for (int k = 0; k < LONG * BROAD; k++) singles[k] = (float)numbers[k];
    snprintf(header, sizeof header, "{'descr': '<f%d', 'fortran_order': %s, 'shape': (%d, %d), }\n", is_double ? 8 : 4,
             fortran ? "True" : "False", LONG, BROAD);
    return is_double ? make(1, header, numbers, LONG * BROAD * sizeof(double))
                     : make(1, header, singles, sizeof singles);
}

static void assert_large(const dcpn_dataset *dataset, int fortran)
{
    int64_t columns[BROAD];
    double values[BROAD];
    for (int i = 0; i < LONG; i++) {
        assert_int_equal(dcpn_matrix_row(dataset->matrix, i, columns, values), BROAD);
        for (int j = 0; j < BROAD; j++) assert_true(values[j] == 1 + (fortran ? i + j * LONG : i * BROAD + j));
    }
}

/* More than one piece, by several threads; of two values that are not finite the one in the upper row is told. */
static void test_pieces(void **state)
{
    static double numbers[LONG * BROAD];
    dcpn_read_options options = unlabelled;
    (void)state;
    dcpn_context_set_threads(context, 3);
    for (int how = 0; how < 8; how++) {
        int is_double = how & 1, fortran = how >> 1 & 1;
        for (int k = 0; k < LONG * BROAD; k++) numbers[k] = k + 1;
        options.value_type = how >> 2 ? DCPN_FLOAT32 : DCPN_FLOAT64;
        dcpn_dataset *dataset = accept_bytes(format, file, make_large(is_double, fortran, numbers), &options);
        assert_large(dataset, fortran);
        dcpn_dataset_free(dataset);
        numbers[fortran ? 70 + 3 * LONG : 70 * BROAD + 3] = NAN;
        numbers[fortran ? 65 + 30 * LONG : 65 * BROAD + 30] = INFINITY;
        refuse_bytes(format, file, make_large(is_double, fortran, numbers), &options,
                     "row 66, column 31: found inf, expected a finite");
    }
    dcpn_context_set_threads(context, 1);
}

static void test_writes_what_it_reads(void **state)
{
    const double values[] = {0.1, -0.0, 1e-300, 5e300, 0, 7};
    const dcpn_read_options labelled = {.labels_path = "labels"}, back = {.labels_path = "out.npy.labels"};
    (void)state;
    put_text("labels", "-1\n2.5\n");
    size_t size = make(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }\n", values, sizeof values);
    dcpn_dataset *dataset = accept_bytes(format, file, size, &labelled);
    assert_int_equal(format->write(dataset, "out.npy"), DCPN_OK);
    dcpn_dataset *again = read_back(format, "out.npy", &back);
    assert_same_dataset(dataset, again);
    dcpn_dataset_free(again);
    dcpn_dataset_free(dataset);
}

/* X.npy and y.npy, as NumPy's users have them. */
static void test_labels_in_an_array(void **state)
{
    const double values[] = {1, 2, 3, 4}, labels[] = {-1, 2.5}, three[] = {1, 2, 3};
    const dcpn_read_options labelled = {.labels_path = "y.npy"};
    const char *matrix = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }\n";
    (void)state;
    put_bytes("y.npy", file,
              make(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }\n", labels, sizeof labels));
    dcpn_dataset *dataset = accept_bytes(format, file, make(1, matrix, values, sizeof values), &labelled);
    assert_memory_equal(dataset->labels, labels, sizeof labels);
    dcpn_dataset_free(dataset);
    put_bytes("y.npy", file, make(1, "{'descr': '|S3', 'fortran_order': False, 'shape': (2, 1), }\n", "catdog", 6));
    dataset = accept_bytes(format, file, make(1, matrix, values, sizeof values), &labelled);
    assert_string_equal(dataset->label_names[(int)dataset->labels[1]], "dog");
    dcpn_dataset_free(dataset);
    put_bytes("y.npy", file,
              make(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }\n", three, sizeof three));
    refuse_bytes(format, file, make(1, matrix, values, sizeof values), &labelled,
                 "y.npy: found 3 labels in 1 dimensions, expected 2");
}

static void refuse_numbers(const char *header, const void *data, size_t size, const char *fragment)
{
    double *numbers;
    int64_t count;
    put_bytes("w.npy", file, make(1, header, data, size));
    assert_int_equal(dcpn_read_numbers(context, "w.npy", &numbers, &count), DCPN_DATA);
    assert_contains(dcpn_last_error(context), fragment);
    assert_null(numbers);
}

static void test_weights_in_an_array(void **state)
{
    const float weights[] = {1, 0.5F, 3};
    const double infinite[] = {1, HUGE_VAL, 2, 3};
    double *numbers;
    int64_t count;
    (void)state;
    put_bytes("w.npy", file,
              make(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }\n", weights, sizeof weights));
    assert_int_equal(dcpn_read_numbers(context, "w.npy", &numbers, &count), DCPN_OK);
    assert_int_equal(count, 3);
    for (int k = 0; k < 3; k++) assert_true(numbers[k] == (double)weights[k]);
    dcpn_free(context, numbers);
    refuse_numbers("{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }\n", infinite, sizeof infinite,
                   "w.npy: element 1: found inf");
    refuse_numbers("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }\n", infinite, sizeof infinite,
                   "found an array of 2 dimensions with 4 numbers");
    refuse_numbers("{'descr': '|S2', 'fortran_order': False, 'shape': (2,), }\n", "abcd", 4, "with 2 texts");
    refuse_numbers("{'descr': '<f8', 'fortran_order': False, 'shape': (0,), }\n", infinite, 0, "with 0 numbers");
}

static void test_bad_luck(void **state)
{
    const float values[] = {1, 2, 3, 4};
    const dcpn_read_options labelled = {.labels_path = "labels"};
    (void)state;
    put_text("labels", "a\nb\n");
    size_t size = make(2, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }\n", values, sizeof values);
    fail_every_allocation(format, file, size, &labelled);
    survive_damage(format, file, size, &unlabelled);
    assert_int_equal(format->sniff(file, size), 100);
    assert_int_equal(format->sniff(file, 5), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_writes_what_it_reads),
        cmocka_unit_test(test_labels_in_an_array),
        cmocka_unit_test(test_weights_in_an_array),
        cmocka_unit_test(test_bad_luck),
    };
    return cmocka_run_group_tests(tests, setup_reading, teardown_reading);
}
