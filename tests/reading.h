/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading bytes as a format, for the tests of readers. Include after cmocka.h and scratch.h. */
#ifndef DCPN_TESTS_READING_H
#define DCPN_TESTS_READING_H

#include <math.h>

#include "base/context.h"
#include "data/format.h"
#include "faulty_allocator.h"

static dcpn_context *context;
static char last_message[DCPN_ERROR_LENGTH];

static inline void keep_message(void *user, dcpn_log_level level, const char *message)
{
    (void)user;
    if (level <= DCPN_LOG_NOTE) strcpy(last_message, message);
}

static inline int setup_reading(void **state)
{
    context = dcpn_context_new(NULL);
    dcpn_context_set_option_prefix(context, "--");
    dcpn_context_set_log(context, keep_message, NULL);
    last_message[0] = '\0';
    return enter_scratch(state);
}

static inline int teardown_reading(void **state)
{
    dcpn_context_free(context);
    return leave_scratch(state);
}

/* From a block of exactly that size, so that the address sanitizer sees every step beyond it. */
static inline dcpn_status read_bytes_with(dcpn_context *with, const struct format *format, const char *bytes,
                                          size_t size, const dcpn_read_options *options, dcpn_dataset **dataset)
{
    const dcpn_read_options standard = {0};
    char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    const struct content content = {.context = with, .name = "data", .bytes = copy, .size = size};
    dcpn_status status = format->read(&content, options ? options : &standard, dataset);
    free(copy);
    return status;
}

static inline dcpn_dataset *accept_bytes(const struct format *format, const char *bytes, size_t size,
                                         const dcpn_read_options *options)
{
    dcpn_dataset *dataset = NULL;
    if (read_bytes_with(context, format, bytes, size, options, &dataset) != DCPN_OK)
        fail_msg("%.*s was refused: %s", (int)size, bytes, dcpn_last_error(context));
    return dataset;
}

static inline dcpn_dataset *accept_text(const struct format *format, const char *text, const dcpn_read_options *options)
{
    return accept_bytes(format, text, strlen(text), options);
}

static inline void refuse_bytes(const struct format *format, const char *bytes, size_t size,
                                const dcpn_read_options *options, const char *fragment)
{
    dcpn_dataset *dataset = NULL;
    dcpn_status status = read_bytes_with(context, format, bytes, size, options, &dataset);
    if (status == DCPN_OK) fail_msg("accepted, expected '%s': %.*s", fragment, (int)size, bytes);
    assert_true(status == DCPN_DATA || status == DCPN_USAGE);
    assert_null(dataset);
    assert_contains(dcpn_last_error(context), fragment);
}

static inline void refuse_text(const struct format *format, const char *text, const dcpn_read_options *options,
                               const char *fragment)
{
    refuse_bytes(format, text, strlen(text), options, fragment);
}

/* The rows, by products with unit vectors: through the columns of the matrix and through its rows. */
static inline void assert_data(const dcpn_dataset *dataset, int64_t rows, int64_t columns, const double *expected)
{
    double unit[64] = {0}, product[64];
    assert_true(rows <= 64 && columns <= 64);
    assert_int_equal(dataset->rows, rows);
    assert_int_equal(dataset->features, columns);
    assert_int_equal(dcpn_matrix_rows(dataset->matrix), rows);
    assert_int_equal(dcpn_matrix_columns(dataset->matrix), columns);
    for (int64_t j = 0; j < columns; j++) {
        unit[j] = 1.0;
        dcpn_matrix_apply(dataset->matrix, unit, product);
        unit[j] = 0.0;
        for (int64_t i = 0; i < rows; i++) assert_true(product[i] == expected[i * columns + j]);
    }
    for (int64_t i = 0; i < rows; i++) {
        unit[i] = 1.0;
        dcpn_matrix_adjoint(dataset->matrix, unit, product);
        unit[i] = 0.0;
        for (int64_t j = 0; j < columns; j++) assert_true(product[j] == expected[i * columns + j]);
    }
}

static inline void assert_labels(const dcpn_dataset *dataset, const double *expected)
{
    for (int64_t i = 0; i < dataset->rows; i++)
        assert_true(dataset->labels[i] == expected[i] || (isnan(dataset->labels[i]) && isnan(expected[i])));
}

static inline int same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static inline void assert_same_dataset(const dcpn_dataset *a, const dcpn_dataset *b)
{
    int64_t columns_a[64], columns_b[64];
    double values_a[64], values_b[64];
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->features, b->features);
    assert_true(a->features <= 64);
    assert_labels(a, b->labels);
    assert_int_equal(a->label_count, b->label_count);
    for (int64_t k = 0; k < a->label_count; k++) assert_string_equal(a->label_names[k], b->label_names[k]);
    for (int64_t i = 0; i < a->rows; i++) {
        int64_t count = dcpn_matrix_row(a->matrix, i, columns_a, values_a);
        assert_int_equal(count, dcpn_matrix_row(b->matrix, i, columns_b, values_b));
        assert_memory_equal(columns_a, columns_b, (size_t)count * sizeof *columns_a);
        assert_memory_equal(values_a, values_b, (size_t)count * sizeof *values_a);
    }
}

static inline void assert_same_names(const dcpn_dataset *a, const dcpn_dataset *b)
{
    assert_int_equal(a->feature_names == NULL, b->feature_names == NULL);
    for (int64_t j = 0; a->feature_names && j < a->features; j++)
        assert_string_equal(a->feature_names[j], b->feature_names[j]);
}

static inline dcpn_dataset *read_back(const struct format *format, const char *path, const dcpn_read_options *options)
{
    struct content content;
    dcpn_dataset *dataset = NULL;
    const dcpn_read_options standard = {0};
    assert_int_equal(dcpn_content_open(context, path, &content), DCPN_OK);
    dcpn_status status = format->read(&content, options ? options : &standard, &dataset);
    if (status != DCPN_OK) fail_msg("%s was refused: %s", path, dcpn_last_error(context));
    dcpn_content_close(&content);
    return dataset;
}

/* Every allocation fails once; nothing is left behind. */
static inline void fail_every_allocation(const struct format *format, const char *bytes, size_t size,
                                         const dcpn_read_options *options)
{
    for (int64_t k = 1;; k++) {
        struct faulty faulty = {.fails_at = k + 1}; /* the first is the context */
        const dcpn_allocator allocator = {allocate_faulty, release_faulty, &faulty};
        dcpn_dataset *dataset = NULL;
        dcpn_context *with = dcpn_context_new(&allocator);
        dcpn_status status = read_bytes_with(with, format, bytes, size, options, &dataset);
        dcpn_dataset_free(dataset);
        dcpn_context_free(with);
        assert_int_equal(faulty.out, 0);
        if (faulty.calls < faulty.fails_at) {
            assert_int_equal(status, DCPN_OK);
            break;
        }
        assert_int_equal(status, DCPN_MEMORY);
        assert_null(dataset);
    }
}

/* Every beginning of the bytes, and the bytes with each one changed, are read or refused, and no more. */
static inline void survive_damage(const struct format *format, const char *bytes, size_t size,
                                  const dcpn_read_options *options)
{
    static const char other[] = {'\0', '\xff', '9', '\n', '"', '\x7f'};
    char *damaged = malloc(size + 1);
    assert_non_null(damaged);
    memcpy(damaged, bytes, size);
    for (size_t k = 0; k < size; k++) {
        dcpn_dataset *dataset = NULL;
        (void)read_bytes_with(context, format, bytes, k, options, &dataset);
        dcpn_dataset_free(dataset);
        for (size_t c = 0; c < sizeof other; c++) {
            dataset = NULL;
            damaged[k] = other[c];
            (void)read_bytes_with(context, format, damaged, size, options, &dataset);
            dcpn_dataset_free(dataset);
        }
        damaged[k] = bytes[k];
    }
    free(damaged);
}

#endif
