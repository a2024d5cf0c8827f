/* SPDX-License-Identifier: BSD-3-Clause */
/* NumPy archives: what is read, what is refused and with which words, what is written. Files of NumPy's and SciPy's own
 * are read by tests/formats. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <zlib.h>

#include "scratch.h"
#include "reading.h"

static const struct format *const format = &dcpn_format_npz;
static const dcpn_read_options unlabelled = {.unlabelled = 1};

enum { ROOM = 1 << 14, MOST = 8 };

/* An archive under construction: whole .npy files by their names. */
struct array {
    const char *name;
    char bytes[512];
    size_t size;
};

struct archive {
    struct array arrays[MOST];
    int count;
};

static void add(struct archive *archive, const char *name, const char *type, const char *shape, const void *data,
                size_t size)
{
    struct array *array = &archive->arrays[archive->count++];
    assert_true(archive->count <= MOST);
    array->name = name;
    memcpy(array->bytes, "\x93NUMPY\1", 8);
    int length = sprintf(array->bytes + 10, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n", type, shape);
    array->bytes[8] = (char)length;
    array->bytes[9] = 0;
    memcpy(array->bytes + 10 + length, data, size);
    array->size = 10 + (size_t)length + size;
}

static size_t put(char *to, size_t at, uint64_t number, int bytes)
{
    for (int k = 0; k < bytes; k++) to[at + (size_t)k] = (char)(number >> (8 * k));
    return at + (size_t)bytes;
}

static size_t put_entry(char *to, size_t at, const struct array *array, size_t offset, int is_central)
{
    size_t length = strlen(array->name);
    at = put(to, at, is_central ? 0x02014b50 : 0x04034b50, 4);
    if (is_central) at = put(to, at, 20, 2);
    at = put(to, at, 20, 2);
    at = put(to, at, 0, 8); /* flags, stored, time */
    at = put(to, at, crc32(0, (const Bytef *)array->bytes, (uInt)array->size), 4);
    at = put(to, at, array->size, 4);
    at = put(to, at, array->size, 4);
    at = put(to, at, length, 2);
    at = put(to, at, 0, 2);
    if (is_central) {
        at = put(to, at, 0, 8);
        at = put(to, at, 0, 2);
        at = put(to, at, offset, 4);
    }
    memcpy(to + at, array->name, length);
    return at + length;
}

/* Stored entries, as numpy.savez writes them, but without zip64. */
static size_t build(const struct archive *archive, char to[ROOM])
{
    size_t at = 0, offsets[MOST];
    for (int k = 0; k < archive->count; k++) {
        offsets[k] = at;
        at = put_entry(to, at, &archive->arrays[k], 0, 0);
        memcpy(to + at, archive->arrays[k].bytes, archive->arrays[k].size);
        at += archive->arrays[k].size;
    }
    size_t directory = at;
    for (int k = 0; k < archive->count; k++) at = put_entry(to, at, &archive->arrays[k], offsets[k], 1);
    size_t size = at - directory;
    at = put(to, at, 0x06054b50, 4);
    at = put(to, at, 0, 4);
    at = put(to, at, (uint64_t)archive->count, 2);
    at = put(to, at, (uint64_t)archive->count, 2);
    at = put(to, at, size, 4);
    at = put(to, at, directory, 4);
    return put(to, at, 0, 2);
}

static char bytes[ROOM];

static dcpn_dataset *accept(const struct archive *archive, const dcpn_read_options *options)
{
    return accept_bytes(format, bytes, build(archive, bytes), options);
}

static void refuse(const struct archive *archive, const dcpn_read_options *options, const char *fragment)
{
    refuse_bytes(format, bytes, build(archive, bytes), options, fragment);
}

/* The matrix {{0, 1, 2}, {3, 0, 0}} by rows, and what the tests change in it. */
static struct archive sparse_archive(const char *form)
{
    const int64_t shape[] = {2, 3};
    const int32_t indices[] = {2, 1, 0}, pointers[] = {0, 2, 3}, y[] = {7, -7};
    const double data[] = {2, 1, 3};
    struct archive archive = {.count = 0};
    add(&archive, "indices.npy", "<i4", "(3,)", indices, sizeof indices);
    add(&archive, "indptr.npy", "<i4", "(3,)", pointers, sizeof pointers);
    add(&archive, "format.npy", "|S3", "()", form, 3);
    add(&archive, "shape.npy", "<i8", "(2,)", shape, sizeof shape);
    add(&archive, "data.npy", "<f8", "(3,)", data, sizeof data);
    add(&archive, "y.npy", "<i4", "(2,)", y, sizeof y);
    return archive;
}

static struct archive dense_archive(void)
{
    const float x[] = {1, 2, 3, 4};
    const char y[] = "b\0a\0";
    struct archive archive = {.count = 0};
    add(&archive, "y.npy", "|S2", "(2,)", y, 4);
    add(&archive, "X.npy", "<f4", "(2, 2)", x, sizeof x);
    return archive;
}

/* The elements of an array, to be changed. */
static void set_integer(struct archive *archive, const char *name, int64_t at, int32_t value)
{
    for (int k = 0; k < archive->count; k++) {
        struct array *array = &archive->arrays[k];
        if (strcmp(array->name, name) != 0) continue;
        memcpy(array->bytes + 10 + (unsigned char)array->bytes[8] + 4 * at, &value, 4);
        return;
    }
    fail_msg("no array %s", name);
}

static void replace(struct archive *archive, const char *name, const char *type, const char *shape, const void *data,
                    size_t size)
{
    for (int k = 0; k < archive->count; k++) {
        if (strcmp(archive->arrays[k].name, name) != 0) continue;
        struct archive one = {.count = 0};
        add(&one, name, type, shape, data, size);
        archive->arrays[k] = one.arrays[0];
        return;
    }
    fail_msg("no array %s", name);
}

static void test_sparse(void **state)
{
    const double by_rows[] = {0, 1, 2, 3, 0, 0}, labels[] = {7, -7};
    struct archive archive = sparse_archive("csr");
    (void)state;
    dcpn_dataset *dataset = accept(&archive, NULL);
    assert_data(dataset, 2, 3, by_rows);
    assert_labels(dataset, labels);
    assert_string_equal(last_message, "");
    dcpn_dataset_free(dataset);

    const double by_columns[] = {0, 0, 3, 0, 2, 0};
    const int32_t indices[] = {1, 0}, pointers[] = {0, 0, 1, 2};
    const double data[] = {2, 3};
    archive = sparse_archive("csc");
    replace(&archive, "indices.npy", "<i4", "(2,)", indices, sizeof indices);
    replace(&archive, "indptr.npy", "<i4", "(4,)", pointers, sizeof pointers);
    replace(&archive, "data.npy", "<f8", "(2,)", data, sizeof data);
    dataset = accept(&archive, NULL);
    assert_data(dataset, 2, 3, by_columns);
    dcpn_dataset_free(dataset);
}

static void test_coordinates_add_up(void **state)
{
    const double expected[] = {5, 0, 0, 0, 0, 4};
    const int32_t rows[] = {0, 1, 0, 1}, columns[] = {0, 2, 0, 1};
    const double data[] = {2, 4, 3, 0};
    struct archive archive = sparse_archive("coo");
    (void)state;
    archive.arrays[0].name = "row.npy";
    archive.arrays[1].name = "col.npy";
    replace(&archive, "row.npy", "<i4", "(4,)", rows, sizeof rows);
    replace(&archive, "col.npy", "<i4", "(4,)", columns, sizeof columns);
    replace(&archive, "data.npy", "<f8", "(4,)", data, sizeof data);
    dcpn_dataset *dataset = accept(&archive, NULL);
    assert_data(dataset, 2, 3, expected);
    assert_int_equal(dcpn_matrix_entries(dataset->matrix), 2);
    assert_contains(last_message, "1 entries share their place with another one and are added to it");
    dcpn_dataset_free(dataset);
    set_integer(&archive, "row.npy", 1, 2);
    refuse(&archive, NULL, "data: row: element 1: found 2, expected a number from 0 to 1");
    set_integer(&archive, "row.npy", 1, 1);
    set_integer(&archive, "col.npy", 1, -1);
    refuse(&archive, NULL, "data: col: element 1: found -1, expected a number from 0 to 2");
    replace(&archive, "col.npy", "<i4", "(3,)", columns, 12);
    refuse(&archive, NULL, "data: col: found 3 elements, expected 4");
}

static void test_dense(void **state)
{
    const double expected[] = {1, 2, 3, 4}, labels[] = {1, 0};
    const dcpn_read_options z = {.table.label_column = "z"}, file = {.labels_path = "labels"};
    struct archive archive = dense_archive();
    (void)state;
    dcpn_dataset *dataset = accept(&archive, NULL);
    assert_data(dataset, 2, 2, expected);
    assert_labels(dataset, labels);
    assert_string_equal(dataset->label_names[1], "b");
    dcpn_dataset_free(dataset);
    put_text("labels", "1\n2\n");
    dataset = accept(&archive, &file);
    assert_null(dataset->label_names);
    dcpn_dataset_free(dataset);
    refuse(&archive, &z, "found no array 'z' for the labels");
    archive.arrays[0].name = "z.npy";
    refuse(&archive, NULL,
           "found no labels, expected one for each of 2 rows; give them with --labels FILE, one a line, or "
           "here as an array y");
    dataset = accept(&archive, &z);
    assert_labels(dataset, labels);
    dcpn_dataset_free(dataset);
    archive.arrays[1].name = "Z.npy";
    refuse(&archive, NULL, "found 'z', 'Z', expected a matrix X and labels y");
    archive.arrays[0].name = "arr_1.npy";
    archive.arrays[1].name = "arr_0.npy";
    dataset = accept(&archive, NULL);
    assert_data(dataset, 2, 2, expected);
    assert_labels(dataset, labels);
    dcpn_dataset_free(dataset);
    replace(&archive, "arr_1.npy", "|S1", "(3,)", "abc", 3);
    refuse(&archive, NULL, "data: arr_1: found 3 labels in 1 dimensions, expected 2 in one");
    archive.arrays[0].name = "label.npy";
    add(&archive, "y.npy", "|S1", "(2,)", "ab", 2);
    refuse(&archive, NULL, "found several arrays named label, class, target or y");
}

static void test_unicode(void **state)
{
    const uint32_t y[] = {'a', 0x20AC, 'b', 0}, names[] = {0xE9, 0x1F600, 'x', 0};
    struct archive archive = dense_archive();
    (void)state;
    replace(&archive, "y.npy", "<U2", "(2,)", y, sizeof y);
    add(&archive, "feature_names.npy", "<U2", "(2,)", names, sizeof names);
    dcpn_dataset *dataset = accept(&archive, NULL);
    assert_string_equal(dataset->label_names[0], "a\xE2\x82\xAC");
    assert_string_equal(dataset->label_names[1], "b");
    assert_string_equal(dataset->feature_names[0], "\xC3\xA9\xF0\x9F\x98\x80");
    assert_string_equal(dataset->feature_names[1], "x");
    assert_int_equal(format->write(dataset, "out.npz"), DCPN_OK);
    dcpn_dataset *again = read_back(format, "out.npz", NULL);
    assert_same_dataset(dataset, again);
    assert_same_names(dataset, again);
    dcpn_dataset_free(again);
    dcpn_dataset_free(dataset);
}

static void test_lies(void **state)
{
    struct archive archive = sparse_archive("csr");
    const int64_t huge[] = {2, 2000000000}, tall[] = {2000000000, 3}, zero[] = {0, 3}, beyond[] = {2, INT64_C(1) << 32};
    const double nan_inside[] = {1, NAN, 2};
    (void)state;
    set_integer(&archive, "indices.npy", 1, 3);
    refuse(&archive, NULL, "data: indices: element 1: found 3, expected a number from 0 to 2");
    set_integer(&archive, "indices.npy", 1, -1);
    refuse(&archive, NULL, "data: indices: element 1: found -1, expected");
    set_integer(&archive, "indices.npy", 1, 1);
    set_integer(&archive, "indptr.npy", 1, 4);
    refuse(&archive, NULL, "data: indptr: element 1: found 4, expected a number from 0 to 3");
    set_integer(&archive, "indptr.npy", 1, -1);
    refuse(&archive, NULL, "data: indptr: element 1: found -1, expected a number from 0 to 3");
    set_integer(&archive, "indptr.npy", 1, 2);
    set_integer(&archive, "indptr.npy", 2, 1);
    refuse(&archive, NULL, "data: indptr: element 2: found 1, expected a number from 2 to 3");
    set_integer(&archive, "indptr.npy", 2, 3);
    set_integer(&archive, "indptr.npy", 0, 1);
    refuse(&archive, NULL, "data: indptr: element 0: found 1, expected a number from 0 to 0");
    set_integer(&archive, "indptr.npy", 0, 0);
    replace(&archive, "shape.npy", "<i8", "(2,)", huge, 16);
    refuse(&archive, NULL, "announces 2000000000 columns in a file of");
    replace(&archive, "shape.npy", "<i8", "(2,)", tall, 16);
    refuse(&archive, NULL, "announces 2000000000 rows in a file of");
    replace(&archive, "shape.npy", "<i8", "(2,)", zero, 16);
    refuse(&archive, NULL, "columns, expected from 1 to 2147483647 of each");
    replace(&archive, "shape.npy", "<i8", "(2,)", beyond, 16);
    refuse(&archive, NULL, "columns, expected from 1 to 2147483647 of each");
    replace(&archive, "shape.npy", "<i8", "(1,)", beyond, 8);
    refuse(&archive, NULL, "shape: found 1 numbers, expected 2: rows, columns");
    archive = sparse_archive("csr");
    replace(&archive, "indptr.npy", "<i4", "(2,)", "\0\0\0\0\3\0\0\0", 8);
    refuse(&archive, NULL, "data: indptr: found 2 elements, expected 3");
    replace(&archive, "indptr.npy", "<f4", "(3,)", nan_inside, 12);
    refuse(&archive, NULL, "data: indptr: found 1 dimensions of numbers, expected 1 of integers");
    archive = sparse_archive("csr");
    replace(&archive, "data.npy", "<f8", "(2,)", nan_inside, 16);
    refuse(&archive, NULL, "data: indices: found 3 elements, expected 2");
    replace(&archive, "data.npy", "<f8", "(3,)", nan_inside, 24);
    refuse(&archive, NULL, "data: data: row 1, column 2: found nan, expected a finite number");
    replace(&archive, "data.npy", "|O", "(3,)", nan_inside, 24);
    refuse(&archive, NULL, "data: data: found an array of Python objects");
    archive.arrays[4].name = "date.npy";
    refuse(&archive, NULL, "found no array data, expected one of a sparse matrix");
    archive = sparse_archive("bsr");
    refuse(&archive, NULL,
           "found a sparse matrix of the form 'bsr', expected csr, csc or coo; convert it with .tocsr()");
    archive = sparse_archive("csr");
    archive.count--;
    refuse(&archive, NULL, "found no labels");
}

static void test_number_of_features(void **state)
{
    const double expected[] = {0, 1, 2, 0, 3, 0, 0, 0};
    const dcpn_read_options four = {.at_least = 4}, two = {.features = 2};
    struct archive archive = sparse_archive("csr");
    (void)state;
    dcpn_dataset *dataset = accept(&archive, &four);
    assert_data(dataset, 2, 4, expected);
    dcpn_dataset_free(dataset);
    refuse(&archive, &two, "found 3 features, expected 2");
    archive = dense_archive();
    refuse(&archive, &four, "found 2 features, expected 4");
}

static void test_archives_that_lie(void **state)
{
    struct archive archive = dense_archive();
    size_t size = build(&archive, bytes), end = size - 22;
    char other[ROOM];
    uint32_t directory;
    (void)state;
    memcpy(&directory, bytes + end + 16, 4);
    refuse_bytes(format, "PK\3\4", 4, NULL, "found no directory at the end; the archive is cut short or damaged");
    refuse_bytes(format, bytes, size - 1, NULL, "found no directory at the end");
#define CHANGE(OFFSET, NUMBER, BYTES, FRAGMENT)                                                                        \
    do {                                                                                                               \
        memcpy(other, bytes, size);                                                                                    \
        put(other, OFFSET, NUMBER, BYTES);                                                                             \
        refuse_bytes(format, other, size, NULL, FRAGMENT);                                                             \
    } while (0)
    CHANGE(end + 16, size, 4, "found a directory that lies beyond the end");
    CHANGE(end + 16, directory + 1, 4, "found a directory with a wrong entry");
    CHANGE(end + 12, 10, 4, "found a directory with a wrong entry");
    CHANGE(end + 10, 3, 2, "found a directory with a wrong entry");
    CHANGE(directory + 28, 60000, 2, "found a directory with an entry that lies beyond its end");
    CHANGE(directory + 8, 1, 2, "entry 'y.npy': found an encrypted entry");
    CHANGE(directory + 10, 12, 2, "entry 'y.npy': found a compression other than deflate");
    CHANGE(directory + 10, 8, 2, "entry 'y.npy': found bytes that cannot be expanded");
    CHANGE(directory + 16, 0, 4, "entry 'y.npy': found bytes that do not add up to its checksum");
    CHANGE(directory + 20, 1000000, 4, "entry 'y.npy': found bytes that lie beyond the end");
    CHANGE(directory + 24, 1000000, 4, "entry 'y.npy': found two different sizes");
    CHANGE(directory + 42, size - 10, 4, "entry 'y.npy': found bytes that lie beyond the end");
    CHANGE(directory + 46, 'q', 1, "entry 'q.npy': found another name in front of its bytes; the archive is damaged");
    CHANGE(30, 'q', 1, "entry 'y.npy': found another name in front of its bytes");
    CHANGE(26, 4, 2, "entry 'y.npy': found another name in front of its bytes");
    memcpy(other, bytes, size);
    put(other, directory + 46, 'q', 1);
    refuse_bytes(format, other, size, &unlabelled, "entry 'q.npy': found another name"); /* else it had no labels */
    memcpy(other, bytes, size);
    put(other, directory + 10, 8, 2);
    put(other, directory + 24, 0xFFFFFFF0, 4);
    refuse_bytes(format, other, size, NULL, "entry 'y.npy': found a size that its bytes cannot expand to");
    archive.count = 0;
    refuse(&archive, NULL, "found no array, expected a matrix X");
}

static void test_writes_what_it_reads(void **state)
{
    struct archive archives[] = {sparse_archive("csr"), dense_archive()};
    (void)state;
    for (int k = 0; k < 2; k++) {
        dcpn_dataset *dataset = accept(&archives[k], NULL);
        assert_int_equal(format->write(dataset, "out.npz"), DCPN_OK);
        dcpn_dataset *again = read_back(format, "out.npz", NULL);
        assert_same_dataset(dataset, again);
        assert_int_equal(dcpn_matrix_entries(dataset->matrix), dcpn_matrix_entries(again->matrix));
        dcpn_dataset_free(again);
        dcpn_dataset_free(dataset);
    }
}

/* What was written is deflated, in the zip64 form: damage to it goes through that code. */
static void test_bad_luck(void **state)
{
    struct archive archive = sparse_archive("csr");
    (void)state;
    dcpn_dataset *dataset = accept(&archive, NULL);
    assert_int_equal(format->write(dataset, "out.npz"), DCPN_OK);
    dcpn_dataset_free(dataset);
    struct content content;
    assert_int_equal(dcpn_content_open(context, "out.npz", &content), DCPN_OK);
    assert_int_equal(format->sniff(content.bytes, content.size), 100);
    fail_every_allocation(format, content.bytes, content.size, NULL);
    survive_damage(format, content.bytes, content.size, NULL);
    dcpn_content_close(&content);
    archive = dense_archive();
    fail_every_allocation(format, bytes, build(&archive, bytes), NULL);
}

/* Damage within the arrays, where no checksum tells. */
static void test_damaged_arrays(void **state)
{
    struct archive archives[] = {sparse_archive("csr"), sparse_archive("csc"), dense_archive()};
    static const char other[] = {'\0', '\xff', '9', '\x7f', '(', '\'', 'O'};
    (void)state;
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < archives[a].count; k++) {
            struct array *array = &archives[a].arrays[k];
            for (size_t at = 0; at < array->size; at++)
                for (size_t c = 0; c < sizeof other; c++) {
                    dcpn_dataset *dataset = NULL;
                    char kept = array->bytes[at];
                    array->bytes[at] = other[c];
                    (void)read_bytes_with(context, format, bytes, build(&archives[a], bytes), &unlabelled, &dataset);
                    dcpn_dataset_free(dataset);
                    array->bytes[at] = kept;
                }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_coordinates_add_up),
        cmocka_unit_test(test_dense),
        cmocka_unit_test(test_unicode),
        cmocka_unit_test(test_lies),
        cmocka_unit_test(test_number_of_features),
        cmocka_unit_test(test_archives_that_lie),
        cmocka_unit_test(test_writes_what_it_reads),
        cmocka_unit_test(test_bad_luck),
        cmocka_unit_test(test_damaged_arrays),
    };
    return cmocka_run_group_tests(tests, setup_reading, teardown_reading);
}
