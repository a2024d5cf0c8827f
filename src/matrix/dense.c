/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense matrices, by columns or by rows, of double or float. */
#include "matrix/dense.h"

#include <math.h>
#include <string.h>

#include "base/vector.h"

enum {
    SLAB = 512,              /* elements of a result that stay in the first cache while the vectors stream by */
    PARALLEL_FROM = 1 << 16, /* entries below which threads cost more than they bring */
};

struct dense {
    dcpn_matrix base;
    const void *values;
    void *owned; /* NULL: borrowed */
    dcpn_layout layout;
    int64_t vectors, length, stride; /* columns of a column-major matrix, rows of a row-major one */
};

static int64_t column_entries(const dcpn_matrix *matrix, int64_t j)
{
    (void)j;
    return matrix->rows;
}

/* Some eight of its products take the time of one entry in a sweep, which waits for memory. */
static double gram_work(const dcpn_matrix *matrix, double in_use, int64_t count)
{
    (void)matrix;
    return in_use * (2.0 + (double)count / 16.0);
}

static int64_t gram_numbers(const dcpn_matrix *matrix)
{
    (void)matrix;
    return 0;
}

static void free_dense(dcpn_matrix *matrix)
{
    struct dense *A = (struct dense *)matrix;
    dcpn_free(matrix->context, A->owned);
    dcpn_free(matrix->context, A);
}

#define VALUE double
#define KERNEL(NAME) float64_##NAME
#include "matrix/dense_kernels.inc"

#define VALUE float
#define KERNEL(NAME) float32_##NAME
#include "matrix/dense_kernels.inc"

static size_t value_size(dcpn_value_type type)
{
    return type == DCPN_FLOAT64 ? sizeof(double) : sizeof(float);
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
    if (A->base.rows < 1 || A->base.columns < 1)
        return dcpn_fail(context, DCPN_DATA,
                         "dense matrix: found %lld rows and %lld columns, expected at least 1 of each",
                         (long long)A->base.rows, (long long)A->base.columns);
    if (A->stride < A->length)
        return dcpn_fail(context, DCPN_USAGE, "dense matrix: found stride %lld, expected at least %lld",
                         (long long)A->stride, (long long)A->length);
    if (!(A->base.ops == &float64_ops ? float64_all_finite(A) : float32_all_finite(A)))
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
        .base = {type == DCPN_FLOAT64 ? &float64_ops : &float32_ops, context, rows, columns, 0},
        .layout = layout,
        .vectors = by_columns ? columns : rows,
        .length = by_columns ? rows : columns,
    };
    if (__builtin_mul_overflow(rows, columns, &shape.base.entries)) shape.base.entries = 0; /* refused by check_dense */
    shape.stride = shape.length;
    return shape;
}

/* A copy without gaps. */
static void *copy_vectors(dcpn_context *context, const struct dense *shape, const void *values, dcpn_value_type type)
{
    size_t size = value_size(type), bytes = (size_t)shape->length * size;
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
    struct dense shape = shape_of(context, rows, columns, type, layout);
    shape.values = values;
    shape.stride = stride;
    DCPN_TRY(check_dense(context, &shape));
    if (ownership == DCPN_BORROW) return new_dense(context, &shape, matrix);
    void *copy = copy_vectors(context, &shape, values, type);
    return copy ? dcpn_matrix_take_dense(context, rows, columns, copy, type, layout, matrix) : DCPN_MEMORY;
}

dcpn_status dcpn_matrix_borrow_dense(dcpn_context *context, int64_t rows, int64_t columns, const void *values,
                                     dcpn_value_type type, dcpn_layout layout, dcpn_matrix **matrix)
{
    struct dense *A = dcpn_allocate(context, 1, sizeof *A);
    if (!A) return DCPN_MEMORY;
    *A = shape_of(context, rows, columns, type, layout);
    A->values = values;
    *matrix = &A->base;
    return DCPN_OK;
}

int dcpn_dense_view(const dcpn_matrix *matrix, struct dense_view *view)
{
    const struct dense *A = (const struct dense *)matrix;
    if (matrix->ops != &float64_ops && matrix->ops != &float32_ops) return 0;
    *view = (struct dense_view){A->values, matrix->ops == &float64_ops ? DCPN_FLOAT64 : DCPN_FLOAT32,
                                A->layout, A->vectors,
                                A->length, A->stride};
    return 1;
}
