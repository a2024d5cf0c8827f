/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense matrices: how they are made, of values that are borrowed, copied or taken, and seen by others. */
#include "matrix/dense.h"

#include <string.h>

#include "base/pages.h"
#include "base/ranks.h"
#include "base/vector.h"
#include "matrix/dense_products.h"
#include "matrix/dense_tiles.h"

static int is_finite(const struct dense *A)
{
    int is_double = A->value_size == sizeof(double);
    for (int64_t k = 0; k < A->vectors; k++) {
        const void *v = (const char *)A->values + (size_t)(k * A->stride) * A->value_size;
        if (!(is_double ? dcpn_all_finite(A->length, v) : dcpn_all_finite_single(A->length, v))) return 0;
    }
    return 1;
}

static dcpn_status check_dense(dcpn_context *context, const struct dense *A)
{
    int64_t bytes;
    if (A->base.rows > 0 && A->base.columns > 0 &&
        (__builtin_mul_overflow(A->base.rows, A->base.columns, &bytes) || bytes > PTRDIFF_MAX / 8))
        return dcpn_fail(context, DCPN_DATA,
                         "dense matrix: found %lld rows and %lld columns, more than can be addressed",
                         (long long)A->base.rows, (long long)A->base.columns);
    if (!A->values) return dcpn_fail(context, DCPN_USAGE, "dense matrix: found no values, expected an array");
    if (A->base.rows < !dcpn_has_ranks(context) || A->base.columns < 1)
        return dcpn_fail(context, DCPN_DATA,
                         "dense matrix: found %lld rows and %lld columns, expected at least 1 of each",
                         (long long)A->base.rows, (long long)A->base.columns);
    if (A->stride < A->length)
        return dcpn_fail(context, DCPN_USAGE, "dense matrix: found stride %lld, expected at least %lld",
                         (long long)A->stride, (long long)A->length);
    if (!is_finite(A))
        return dcpn_fail(context, DCPN_DATA, "dense matrix: found a value that is not finite, expected numbers");
    return DCPN_OK;
}

static dcpn_status new_dense(dcpn_context *context, struct dense *shape, dcpn_matrix **matrix)
{
    struct dense *A = NULL;
    dcpn_status status = check_dense(context, shape);
    if (status == DCPN_OK && !(A = dcpn_allocate(context, 1, sizeof *A))) status = DCPN_MEMORY;
    if (status != DCPN_OK) {
        dcpn_free(context, shape->owned);
        return status;
    }
    *A = *shape;
    *matrix = &A->base;
    return DCPN_OK;
}

static struct dense shape_of(dcpn_context *context, int64_t rows, int64_t columns, dcpn_value_type type,
                             dcpn_layout layout)
{
    int by_columns = layout == DCPN_COLUMN_MAJOR;
    struct dense shape = {
        .base = {dcpn_dense_ops(type), context, rows, columns, 0},
        .layout = layout,
        .vectors = by_columns ? columns : rows,
        .length = by_columns ? rows : columns,
        .value_size = type == DCPN_FLOAT64 ? sizeof(double) : sizeof(float),
        .tiles = dcpn_dense_tiles(type, dcpn_level()),
    };
    if (__builtin_mul_overflow(rows, columns, &shape.base.entries)) shape.base.entries = 0; /* refused by check_dense */
    shape.stride = shape.length;
    shape.strip = dcpn_dense_strip(&shape);
    return shape;
}

/* A copy without gaps. */
static void *copy_vectors(dcpn_context *context, const struct dense *shape, const void *values)
{
    size_t size = shape->value_size, bytes = (size_t)shape->length * size;
    char *copy = dcpn_allocate(context, (size_t)shape->base.entries, size);
    for (int64_t k = 0; copy && k < shape->vectors; k++)
        memcpy(copy + (size_t)k * bytes, (const char *)values + (size_t)(k * shape->stride) * size, bytes);
    return copy;
}

dcpn_status dcpn_matrix_take_dense(dcpn_context *context, int64_t rows, int64_t columns, void *values,
                                   dcpn_value_type type, dcpn_layout layout, dcpn_matrix **matrix)
{
    struct dense shape = shape_of(context, rows, columns, type, layout);
    shape.values = shape.owned = values;
    return new_dense(context, &shape, matrix);
}

dcpn_status dcpn_matrix_dense(dcpn_context *context, int64_t rows, int64_t columns, const void *values,
                              dcpn_value_type type, dcpn_layout layout, int64_t stride, dcpn_ownership ownership,
                              dcpn_matrix **matrix)
{
    DCPN_NEED(context, context, matrix);
    *matrix = NULL;
    DCPN_NEED(context, values);
    if ((unsigned)type > DCPN_FLOAT32 || (unsigned)layout > DCPN_ROW_MAJOR)
        return dcpn_fail(context, DCPN_USAGE, "dense matrix: found a type of values or a layout that does not exist");
    struct dense shape = shape_of(context, rows, columns, type, layout);
    shape.values = values;
    shape.stride = stride;
    DCPN_TRY(check_dense(context, &shape));
    if (ownership == DCPN_BORROW) return new_dense(context, &shape, matrix);
    void *copy = copy_vectors(context, &shape, values);
    return copy ? dcpn_matrix_take_dense(context, rows, columns, copy, type, layout, matrix) : DCPN_MEMORY;
}

static dcpn_status new_checked(dcpn_context *context, const struct dense *shape, dcpn_matrix **matrix)
{
    struct dense *A = dcpn_allocate(context, 1, sizeof *A);
    if (!A) return DCPN_MEMORY;
    *A = *shape;
    *matrix = &A->base;
    return DCPN_OK;
}

dcpn_status dcpn_matrix_borrow_dense(dcpn_context *context, int64_t rows, int64_t columns, const void *values,
                                     dcpn_value_type type, dcpn_layout layout, dcpn_matrix **matrix)
{
    struct dense shape = shape_of(context, rows, columns, type, layout);
    shape.values = values;
    return new_checked(context, &shape, matrix);
}

dcpn_status dcpn_matrix_take_checked(dcpn_context *context, int64_t rows, int64_t columns, void *values,
                                     dcpn_value_type type, dcpn_layout layout, dcpn_matrix **matrix)
{
    struct dense shape = shape_of(context, rows, columns, type, layout);
    shape.values = shape.owned = values;
    dcpn_status status = new_checked(context, &shape, matrix);
    if (status != DCPN_OK) dcpn_free(context, values);
    return status;
}

dcpn_status dcpn_dense_some_rows(const dcpn_matrix *matrix, int64_t first, int64_t count, dcpn_matrix **some)
{
    const struct dense *A = (const struct dense *)matrix;
    int by_columns = A->layout == DCPN_COLUMN_MAJOR;
    struct dense shape = *A;
    shape.values = (const char *)A->values + (size_t)(by_columns ? first : first * A->stride) * A->value_size;
    shape.owned = NULL;
    shape.owned_far = NULL;
    shape.base.rows = count;
    shape.base.entries = count * matrix->columns;
    *(by_columns ? &shape.length : &shape.vectors) = count;
    return new_checked(matrix->context, &shape, some);
}

dcpn_status dcpn_dense_set_far(dcpn_matrix *matrix, void *file, size_t bytes)
{
    struct dense *A = (struct dense *)matrix;
    A->far = A->owned_far = dcpn_allocate(matrix->context, 1, sizeof *A->far);
    if (!A->far) return DCPN_MEMORY;
    A->far->begin = file;
    A->far->bytes = bytes;
    atomic_init(&A->far->is_in_pieces, 0);
    return DCPN_OK;
}

void dcpn_dense_set_strip(dcpn_matrix *matrix, int64_t rows)
{
    struct dense *A = (struct dense *)matrix;
    if (A->layout == DCPN_COLUMN_MAJOR) A->strip = rows;
}

int dcpn_dense_view(const dcpn_matrix *matrix, struct dense_view *view)
{
    const struct dense *A = (const struct dense *)matrix;
    int is_double = matrix->ops == dcpn_dense_ops(DCPN_FLOAT64);
    if (!is_double && matrix->ops != dcpn_dense_ops(DCPN_FLOAT32)) return 0;
    *view = (struct dense_view){A->values, is_double ? DCPN_FLOAT64 : DCPN_FLOAT32, A->layout, A->vectors, A->length,
                                A->stride};
    return 1;
}
