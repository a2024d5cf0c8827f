/* SPDX-License-Identifier: BSD-3-Clause */
/* Some rows of a matrix, one after another: what a rank has of data that all of them can read. */
#include "base/context.h"
#include "matrix/dense.h"
#include "matrix/sparse.h"

static const void *at(const void *array, int64_t k, size_t size)
{
    return (const char *)array + (size_t)k * size;
}

static dcpn_status some_of_sparse(dcpn_context *context, const dcpn_compressed *rows, int64_t first, int64_t count,
                                  dcpn_matrix **some)
{
    int64_t begin = rows->pointers[first], *pointers = dcpn_allocate(context, (size_t)count + 1, sizeof *pointers);
    if (!pointers) return DCPN_MEMORY;
    for (int64_t i = 0; i <= count; i++) pointers[i] = rows->pointers[first + i] - begin;
    dcpn_compressed part = *rows;
    part.rows = count;
    part.pointers = pointers;
    part.indices = at(rows->indices, begin, rows->index_type == DCPN_INT32 ? sizeof(int32_t) : sizeof(int64_t));
    part.values = at(rows->values, begin, rows->value_type == DCPN_FLOAT64 ? sizeof(double) : sizeof(float));
    dcpn_status status = dcpn_matrix_csr(context, &part, DCPN_COPY, some);
    dcpn_free(context, pointers);
    return status;
}

dcpn_status dcpn_matrix_some_rows(const dcpn_matrix *matrix, int64_t first, int64_t count, dcpn_matrix **some)
{
    DCPN_NEED(NULL, matrix);
    dcpn_context *context = matrix->context;
    struct compressed_both arrays;
    struct dense_view view;
    DCPN_NEED(context, some);
    *some = NULL;
    if (first < 0 || count < 0 || count > matrix->rows - first)
        return dcpn_fail(context, DCPN_USAGE,
                         "rows of a matrix: found %lld from row %lld on, the first one being 0, expected some of its "
                         "%lld",
                         (long long)count, (long long)first, (long long)matrix->rows);
    if (dcpn_sparse_both(matrix, &arrays)) return some_of_sparse(context, &arrays.by_row, first, count, some);
    if (dcpn_dense_view(matrix, &view)) return dcpn_dense_some_rows(matrix, first, count, some);
    return dcpn_fail(context, DCPN_USAGE, "rows of a matrix: expected a dense or a sparse one");
}
