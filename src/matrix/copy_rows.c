/* SPDX-License-Identifier: BSD-3-Clause */
/* Some rows of a matrix, as a copy, with its columns centred and scaled on the way if wanted: the folds of a
 * cross-validation and standardised data. A matrix with every entry stored becomes a dense one, by columns. */
#include "matrix/copy_rows.h"

#include <string.h>

#include "base/ranks.h"
#include "matrix/dense.h"
#include "matrix/sparse.h"

static const char COPYING[] = "preparing the data";

static int64_t source_row(const struct row_selection *selection, int64_t i)
{
    return selection->rows ? selection->rows[i] : i;
}

static double centre_of(const struct row_selection *selection, int64_t j)
{
    return selection->centre ? selection->centre[j] : 0.0;
}

static double scale_of(const struct row_selection *selection, int64_t j)
{
    return selection->scale ? selection->scale[j] : 1.0;
}

int dcpn_matrix_is_full(const dcpn_matrix *A)
{
    int64_t all;
    return !__builtin_mul_overflow(A->rows, A->columns, &all) && A->entries == all;
}

/* Column j of A is made whole in `column`; the rows that are wanted go to `values`. */
static void copy_wanted(const dcpn_matrix *A, const struct row_selection *selection, int64_t j, double *column,
                        double *values)
{
    double centre = centre_of(selection, j), scale = scale_of(selection, j);
    memset(column, 0, (size_t)A->rows * sizeof *column);
    A->ops->column_add(A, j, 1.0, column);
    for (int64_t i = 0; i < selection->count; i++) values[i] = (column[source_row(selection, i)] - centre) / scale;
}

static dcpn_status copy_full(dcpn_context *context, const dcpn_matrix *A, const struct row_selection *selection,
                             dcpn_matrix **copy)
{
    int64_t count = selection->count;
    double *column = dcpn_allocate(context, (size_t)A->rows, sizeof *column);
    double *values = dcpn_allocate(context, (size_t)count * (size_t)A->columns, sizeof *values);
    dcpn_status status = column && values ? DCPN_OK : DCPN_MEMORY;
    for (int64_t j = 0; j < A->columns && status == DCPN_OK; j++) {
        copy_wanted(A, selection, j, column, values + j * count);
        status = dcpn_ranks_refuse_ended(context, COPYING);
    }
    dcpn_free(context, column);
    if (status != DCPN_OK) {
        dcpn_free(context, values);
        return status;
    }
    return dcpn_matrix_take_dense(context, count, A->columns, values, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, copy);
}

struct sparse_copy {
    int64_t *pointers, *columns; /* columns: room for one row */
    int32_t *indices;
    double *values;
};

static void free_sparse_copy(dcpn_context *context, struct sparse_copy *made)
{
    dcpn_free(context, made->pointers);
    dcpn_free(context, made->columns);
    dcpn_free(context, made->indices);
    dcpn_free(context, made->values);
}

/* A row has at most as many entries as there are columns; its values are written straight into their place, behind
 * which there is always room for a whole row. */
static dcpn_status allocate_sparse_copy(dcpn_context *context, const dcpn_matrix *A, int64_t count,
                                        struct sparse_copy *made)
{
    size_t columns = (size_t)A->columns, room = (size_t)A->entries + columns;
    made->pointers = dcpn_allocate(context, (size_t)count + 1, sizeof *made->pointers);
    made->columns = dcpn_allocate(context, columns, sizeof *made->columns);
    made->indices = dcpn_allocate(context, room, sizeof *made->indices);
    made->values = dcpn_allocate(context, room, sizeof *made->values);
    if (made->pointers && made->columns && made->indices && made->values) return DCPN_OK;
    free_sparse_copy(context, made);
    return DCPN_MEMORY;
}

/* Row i of the copy, from where the one before it ends. */
static void copy_row(const dcpn_matrix *A, const struct row_selection *selection, int64_t i, struct sparse_copy *made)
{
    int64_t end = made->pointers[i];
    int64_t length = A->ops->row(A, source_row(selection, i), made->columns, made->values + end);
    for (int64_t k = 0; k < length; k++) {
        made->indices[end + k] = (int32_t)made->columns[k];
        made->values[end + k] -= centre_of(selection, made->columns[k]);
        made->values[end + k] /= scale_of(selection, made->columns[k]);
    }
    made->pointers[i + 1] = end + length;
}

static dcpn_status copy_sparse(dcpn_context *context, const dcpn_matrix *A, const struct row_selection *selection,
                               dcpn_matrix **copy)
{
    struct sparse_copy made = {0};
    dcpn_status status = DCPN_OK;
    DCPN_TRY(allocate_sparse_copy(context, A, selection->count, &made));
    made.pointers[0] = 0;
    for (int64_t i = 0; i < selection->count && status == DCPN_OK; i++) {
        copy_row(A, selection, i, &made);
        status = dcpn_ranks_refuse_ended(context, COPYING);
    }
    if (status != DCPN_OK) {
        free_sparse_copy(context, &made);
        return status;
    }
    dcpn_free(context, made.columns);
    struct compressed_owned arrays = {.rows = selection->count,
                                      .columns = A->columns,
                                      .pointers = made.pointers,
                                      .indices = made.indices,
                                      .values = made.values,
                                      .value_type = DCPN_FLOAT64};
    return dcpn_matrix_take_csr(context, &arrays, copy);
}

dcpn_status dcpn_matrix_copy_rows(dcpn_context *context, const dcpn_matrix *A, const struct row_selection *selection,
                                  dcpn_matrix **copy)
{
    *copy = NULL;
    if (selection->is_kept_as_is ? dcpn_matrix_is_dense(A) : dcpn_matrix_is_full(A))
        return copy_full(context, A, selection, copy);
    if (A->columns > INT32_MAX)
        return dcpn_fail(context, DCPN_DATA, "rows of a matrix: found %lld columns, expected at most %d",
                         (long long)A->columns, INT32_MAX);
    return copy_sparse(context, A, selection, copy);
}

/* One column to where there is nothing yet. */
static void copy_column(const dcpn_matrix *A, int64_t j, double *values)
{
    struct dense_view view;
    if (dcpn_dense_view(A, &view) && view.type == DCPN_FLOAT64 && view.layout == DCPN_COLUMN_MAJOR) {
        memcpy(values, (const double *)view.values + j * view.stride, (size_t)A->rows * sizeof *values);
        return;
    }
    memset(values, 0, (size_t)A->rows * sizeof *values);
    A->ops->column_add(A, j, 1.0, values);
}

void dcpn_matrix_gather_columns(const dcpn_matrix *A, const int64_t *columns, int64_t count, double *values)
{
    for (int64_t k = 0; k < count; k++) copy_column(A, columns[k], values + k * A->rows);
}
