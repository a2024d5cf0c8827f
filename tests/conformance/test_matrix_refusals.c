/* SPDX-License-Identifier: BSD-3-Clause */
/* What is no matrix is refused with a sentence; making one without memory leaves nothing behind. */
#include <string.h>

#include "faulty_allocator.h"
#include "support/conformance_assert.h"
#include "support/conformance_source.h"

static void assert_refused(dcpn_context *context, dcpn_status found, dcpn_status expected, const char *fragment)
{
    assert_int_equal(found, expected);
    if (!strstr(dcpn_last_error(context), fragment))
        fail_msg("\"%s\" does not contain \"%s\"", dcpn_last_error(context), fragment);
}

static void dense_refusals_say_what_was_found(void **state)
{
    (void)state;
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_matrix *matrix;
    double values[6] = {1, 2, 3, 4, 5, 6};
    float values32[6] = {1, 2, 3, 4, 5, 6};
#define DENSE(ROWS, COLUMNS, VALUES, TYPE, LAYOUT, STRIDE)                                                             \
    dcpn_matrix_dense(context, ROWS, COLUMNS, VALUES, TYPE, LAYOUT, STRIDE, k ? DCPN_COPY : DCPN_BORROW, &matrix)
    for (int k = 0; k < 2; k++) {
        assert_refused(context, DENSE(0, 3, values, DCPN_FLOAT64, DCPN_ROW_MAJOR, 3), DCPN_DATA, "found 0 rows");
        assert_refused(context, DENSE(3, 0, values, DCPN_FLOAT64, DCPN_ROW_MAJOR, 3), DCPN_DATA, "0 columns");
        assert_refused(context, DENSE(-1, 3, values, DCPN_FLOAT64, DCPN_ROW_MAJOR, 3), DCPN_DATA, "found -1 rows");
        assert_refused(context, DENSE(INT64_MAX / 2, 3, values, DCPN_FLOAT64, DCPN_ROW_MAJOR, 3), DCPN_DATA, "rows");
        assert_refused(context, DENSE(2, 3, values, DCPN_FLOAT64, DCPN_ROW_MAJOR, 2), DCPN_USAGE,
                       "found stride 2, expected at least 3");
        assert_refused(context, DENSE(3, 2, values, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, 2), DCPN_USAGE,
                       "found stride 2, expected at least 3");
        values[4] = NAN;
        values32[5] = INFINITY;
        assert_refused(context, DENSE(2, 3, values, DCPN_FLOAT64, DCPN_ROW_MAJOR, 3), DCPN_DATA, "not finite");
        assert_refused(context, DENSE(2, 3, values32, DCPN_FLOAT32, DCPN_COLUMN_MAJOR, 2), DCPN_DATA, "not finite");
        values[4] = 5.0;
        values32[5] = 6.0f;
        assert_int_equal(DENSE(2, 3, values, DCPN_FLOAT64, DCPN_ROW_MAJOR, 3), DCPN_OK);
        dcpn_matrix_free(matrix);
    }
#undef DENSE
    dcpn_context_free(context);
}

/* 3 x 4, entries (0,1) (0,3) (2,0) */
struct arrays {
    int64_t pointers[4];
    int32_t indices[3];
    double values[3];
    dcpn_compressed compressed;
};

static void fresh_arrays(struct arrays *arrays)
{
    *arrays = (struct arrays){{0, 2, 2, 3}, {1, 3, 0}, {1.0, 2.0, 3.0}, {0}};
    arrays->compressed =
        (dcpn_compressed){3, 4, arrays->pointers, arrays->indices, DCPN_INT32, arrays->values, DCPN_FLOAT64, NULL};
}

static void sparse_refusals_say_what_was_found(void **state)
{
    (void)state;
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_matrix *matrix;
    struct arrays arrays;
#define REFUSED(CHANGE, FRAGMENT)                                                                                      \
    do {                                                                                                               \
        fresh_arrays(&arrays);                                                                                         \
        CHANGE;                                                                                                        \
        assert_refused(context, dcpn_matrix_csr(context, &arrays.compressed, DCPN_COPY, &matrix), DCPN_DATA,           \
                       FRAGMENT);                                                                                      \
        int64_t columns = arrays.compressed.columns;                                                                   \
        arrays.compressed.columns = arrays.compressed.rows; /* the same arrays, by columns */                          \
        arrays.compressed.rows = columns;                                                                              \
        assert_refused(context, dcpn_matrix_csc(context, &arrays.compressed, DCPN_BORROW, &matrix), DCPN_DATA,         \
                       FRAGMENT);                                                                                      \
    } while (0)
    REFUSED(arrays.values[1] = NAN, "not finite");
    REFUSED(arrays.values[2] = -INFINITY, "not finite");
    REFUSED(arrays.indices[1] = 1, "the same index twice");
    REFUSED(arrays.indices[1] = 4, "out of range");
    REFUSED(arrays.indices[0] = -1, "out of range");
    REFUSED(arrays.pointers[2] = 1, "pointers that decrease");
    REFUSED(arrays.pointers[0] = 1, "first pointer that is not 0");
    REFUSED(arrays.compressed.rows = 0, "expected at least 1 of each");
    REFUSED(arrays.compressed.columns = 0, "expected at least 1 of each");
#undef REFUSED
    fresh_arrays(&arrays);
    assert_int_equal(dcpn_matrix_csr(context, &arrays.compressed, DCPN_COPY, &matrix), DCPN_OK);
    dcpn_matrix_free(matrix);
    dcpn_matrix_free(NULL);
    dcpn_context_free(context);
}

/* No entries at all: A = 0. */
static void an_empty_sparse_matrix_is_0(void **state)
{
    (void)state;
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_matrix *matrix;
    int64_t pointers[] = {0, 0, 0};
    dcpn_compressed arrays = {2, 3, pointers, pointers, DCPN_INT64, pointers, DCPN_FLOAT64, NULL};
    double x[] = {1, 2, 3}, u[] = {9, 9}, g[] = {9, 9, 9};
    for (int borrow = 0; borrow < 2; borrow++) {
        assert_int_equal(dcpn_matrix_csr(context, &arrays, borrow ? DCPN_BORROW : DCPN_COPY, &matrix), DCPN_OK);
        dcpn_matrix_apply(matrix, x, u);
        dcpn_matrix_adjoint(matrix, x, g);
        assert_true(u[0] == 0.0 && u[1] == 0.0 && g[0] == 0.0 && g[1] == 0.0 && g[2] == 0.0);
        dcpn_matrix_free(matrix);
    }
    dcpn_context_free(context);
}

/* ---- memory ---- */

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct source source;
    make_source(&source, 6, 5, 4);
    for (int i = 0; i < FORMS; i++) {
        struct form form = form_at(i);
        int failures = 0;
        for (int64_t k = 1;; k++) {
            struct faulty faulty = {0};
            dcpn_allocator allocator = {allocate_faulty, release_faulty, &faulty};
            dcpn_context *context = dcpn_context_new(&allocator);
            dcpn_matrix *matrix = NULL;
            int64_t before = faulty.out;
            faulty.fails_at = faulty.calls + k;
            dcpn_status status = make_matrix(context, &source, &form, &matrix);
            if (status == DCPN_OK)
                dcpn_matrix_free(matrix);
            else
                assert_int_equal(status, DCPN_MEMORY);
            failures += status != DCPN_OK;
            assert_int_equal(faulty.out, before);
            dcpn_context_free(context);
            assert_int_equal(faulty.out, 0);
            if (status == DCPN_OK) break;
        }
        assert_true(failures > 0);
    }
    free_source(&source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_refusals_say_what_was_found),
        cmocka_unit_test(sparse_refusals_say_what_was_found),
        cmocka_unit_test(an_empty_sparse_matrix_is_0),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
