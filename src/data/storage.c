/* SPDX-License-Identifier: BSD-3-Clause */
/* How the matrix of a data set is kept: from compressed rows to a dense matrix, and back. */
#include "data/storage.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/threads.h"
#include "data/dataset.h"
#include "matrix/dense.h"

enum { BLOCK_ROWS = 64, PARALLEL_FROM = 1 << 15 };

/* ---- To dense -----------------------------------------------------------------------------------------------------*/

static void free_rows(dcpn_context *context, struct compressed_owned *rows)
{
    dcpn_free(context, rows->pointers);
    dcpn_free(context, rows->indices);
    dcpn_free(context, rows->values);
    rows->pointers = NULL;
    rows->indices = NULL;
    rows->values = NULL;
}

static inline __attribute__((always_inline)) void copy_value(char *to, const char *from, size_t size)
{
    if (size == sizeof(double))
        memcpy(to, from, sizeof(double));
    else
        memcpy(to, from, sizeof(float));
}

/* Marks with a bit each column in which a row has an entry. Returns whether the entries ascend. */
static int mark_row(const struct compressed_owned *rows, int64_t i, uint64_t *marks)
{
    int32_t before = -1;
    int ascends = 1;
    for (int64_t k = rows->pointers[i]; k < rows->pointers[i + 1]; k++) {
        int32_t column = rows->indices[k];
        ascends &= column > before;
        before = column;
        marks[column / 64] |= UINT64_C(1) << (column % 64);
    }
    return ascends;
}

struct marking {
    const struct compressed_owned *rows;
    uint64_t *marks;
    atomic_int is_unordered;
};

static void mark_rows(void *user, int64_t begin, int64_t end)
{
    struct marking *m = user;
    int64_t words = (m->rows->columns + 63) / 64;
    for (int64_t i = begin; i < end; i++)
        if (!mark_row(m->rows, i, m->marks + i * words)) m->is_unordered = 1;
}

/* Returns NULL, for the calling thread alone, if that is faster. */
static dcpn_context *threads_for(dcpn_context *context, const struct compressed_owned *rows)
{
    return rows->pointers[rows->rows] > PARALLEL_FROM ? context : NULL;
}

/* Marks all rows, one after the other. *marks becomes NULL if the entries of some row do not ascend. */
static dcpn_status mark(dcpn_context *context, const struct compressed_owned *rows, uint64_t **marks)
{
    int64_t words = (rows->columns + 63) / 64;
    uint64_t *made = *marks = dcpn_allocate(context, (size_t)(rows->rows * words), sizeof *made);
    struct marking marking = {.rows = rows, .marks = made};
    if (!made) return DCPN_MEMORY;
    memset(made, 0, (size_t)(rows->rows * words) * sizeof *made);
    dcpn_parallel_ranges(threads_for(context, rows), rows->rows, mark_rows, &marking);
    if (!marking.is_unordered) return DCPN_OK;
    dcpn_free(context, made);
    *marks = NULL;
    return DCPN_OK;
}

/* Some rows, 64 columns at a time: a column of the dense matrix is far from the next one, and so many of them do not
 * fit into the caches at once. */
static void spread_marked(const struct compressed_owned *rows, const uint64_t *marks, int64_t first, int64_t last,
                          size_t size, char *dense)
{
    int64_t at[BLOCK_ROWS], words = (rows->columns + 63) / 64;
    memcpy(at, rows->pointers + first, (size_t)(last - first) * sizeof *at);
    for (int64_t word = 0; word < words; word++) {
        int64_t column = word * 64, stop = column + 64 < rows->columns ? column + 64 : rows->columns;
        for (int64_t j = column; j < stop; j++)
            memset(dense + (size_t)(j * rows->rows + first) * size, 0, (size_t)(last - first) * size);
        for (int64_t i = first; i < last; i++)
            for (uint64_t bits = marks[i * words + word]; bits; bits &= bits - 1)
                copy_value(dense + (size_t)((column + __builtin_ctzll(bits)) * rows->rows + i) * size,
                           (const char *)rows->values + (size_t)at[i - first]++ * size, size);
    }
}

static void spread_unordered(const struct compressed_owned *rows, int64_t first, int64_t last, size_t size, char *dense)
{
    for (int64_t j = 0; j < rows->columns; j++)
        memset(dense + (size_t)(j * rows->rows + first) * size, 0, (size_t)(last - first) * size);
    for (int64_t i = first; i < last; i++)
        for (int64_t k = rows->pointers[i]; k < rows->pointers[i + 1]; k++)
            copy_value(dense + (size_t)(rows->indices[k] * rows->rows + i) * size,
                       (const char *)rows->values + (size_t)k * size, size);
}

struct spreading {
    const struct compressed_owned *rows;
    const uint64_t *marks; /* NULL: unordered */
    char *dense;
};

static void spread_blocks(void *user, int64_t begin, int64_t end)
{
    const struct spreading *s = user;
    size_t size = dcpn_value_size(s->rows->value_type);
    for (int64_t block = begin; block < end; block++) {
        int64_t first = block * BLOCK_ROWS,
                last = first + BLOCK_ROWS < s->rows->rows ? first + BLOCK_ROWS : s->rows->rows;
        if (s->marks)
            spread_marked(s->rows, s->marks, first, last, size, s->dense);
        else
            spread_unordered(s->rows, first, last, size, s->dense);
    }
}

/* Makes a dense matrix of compressed rows. A bit marks each column that has an entry, so that the column numbers, of 32
 * bits each, are freed before there are two matrices. */
static dcpn_status to_dense(dcpn_context *context, struct compressed_owned *rows, void **dense)
{
    uint64_t *marks;
    DCPN_TRY(mark(context, rows, &marks));
    if (marks) {
        dcpn_free(context, rows->indices);
        rows->indices = NULL;
    }
    *dense = dcpn_allocate(context, (size_t)(rows->rows * rows->columns), dcpn_value_size(rows->value_type));
    if (*dense)
        dcpn_parallel_ranges(threads_for(context, rows), (rows->rows + BLOCK_ROWS - 1) / BLOCK_ROWS, spread_blocks,
                             &(struct spreading){rows, marks, *dense});
    dcpn_free(context, marks);
    return *dense ? DCPN_OK : DCPN_MEMORY;
}

static dcpn_status check_finite(dcpn_context *context, const struct compressed_owned *rows)
{
    int64_t count = rows->pointers[rows->rows];
    const double *doubles = rows->values;
    const float *floats = rows->values;
    for (int64_t k = 0; k < count; k++)
        if (!isfinite(rows->value_type == DCPN_FLOAT64 ? doubles[k] : (double)floats[k]))
            return dcpn_fail(context, DCPN_DATA, "sparse matrix: found a value that is not finite");
    return DCPN_OK;
}

dcpn_status dcpn_store_rows(dcpn_context *context, struct compressed_owned *arrays, dcpn_storage storage,
                            dcpn_matrix **matrix)
{
    void *dense = NULL;
    if (!dcpn_is_dense(storage, arrays->rows, arrays->columns, arrays->pointers[arrays->rows]))
        return dcpn_matrix_take_csr(context, arrays, matrix);
    dcpn_status status = arrays->is_checked ? DCPN_OK : check_finite(context, arrays);
    if (status == DCPN_OK) status = to_dense(context, arrays, &dense);
    free_rows(context, arrays);
    if (status != DCPN_OK) return status;
    return dcpn_matrix_take_dense(context, arrays->rows, arrays->columns, dense, arrays->value_type, DCPN_COLUMN_MAJOR,
                                  matrix);
}

/* ---- Any matrix ---------------------------------------------------------------------------------------------------*/

static int64_t count_entries(const dcpn_matrix *A, int64_t *columns, double *values)
{
    int64_t entries = 0;
    for (int64_t i = 0; i < A->rows; i++) entries += A->ops->row(A, i, columns, values);
    return entries;
}

static void copy_entries(const dcpn_matrix *A, int64_t *columns, double *values, struct compressed_owned *rows)
{
    int64_t at = 0;
    for (int64_t i = 0; i < A->rows; i++) {
        int64_t count = A->ops->row(A, i, columns, values);
        rows->pointers[i] = at;
        for (int64_t k = 0; k < count; k++, at++) {
            rows->indices[at] = (int32_t)columns[k];
            dcpn_store_value(rows->values, rows->value_type, at, values[k]);
        }
    }
    rows->pointers[A->rows] = at;
}

static dcpn_status take_entries(const dcpn_matrix *A, int64_t *columns, double *values, struct compressed_owned *rows)
{
    dcpn_context *context = A->context;
    size_t entries = (size_t)count_entries(A, columns, values);
    rows->pointers = dcpn_allocate(context, (size_t)A->rows + 1, sizeof *rows->pointers);
    rows->indices = dcpn_allocate(context, entries, sizeof *rows->indices);
    rows->values = dcpn_allocate(context, entries, dcpn_value_size(rows->value_type));
    if (rows->pointers && rows->indices && rows->values) {
        copy_entries(A, columns, values, rows);
        return DCPN_OK;
    }
    free_rows(context, rows);
    return DCPN_MEMORY;
}

/* Copies the rows, unless the number of their entries is `unless`: *copied is then 0. */
static dcpn_status copy_rows(const dcpn_matrix *A, int64_t unless, struct compressed_owned *rows, int *copied)
{
    dcpn_context *context = A->context;
    int64_t *columns = dcpn_allocate(context, (size_t)A->columns, sizeof *columns);
    double *values = columns ? dcpn_allocate(context, (size_t)A->columns, sizeof *values) : NULL;
    dcpn_status status = values ? DCPN_OK : DCPN_MEMORY;
    *copied = values && (unless < 0 || count_entries(A, columns, values) != unless);
    if (*copied) status = take_entries(A, columns, values, rows);
    dcpn_free(context, columns);
    dcpn_free(context, values);
    return status;
}

dcpn_status dcpn_store_otherwise(const dcpn_matrix *matrix, dcpn_value_type type, dcpn_storage storage,
                                 dcpn_matrix **stored)
{
    struct compressed_owned rows = {.rows = matrix->rows, .columns = matrix->columns, .value_type = type};
    struct dense_view view;
    int copied;
    *stored = NULL;
    if (storage == DCPN_STORAGE_AUTO || (storage == DCPN_STORAGE_DENSE) == dcpn_dense_view(matrix, &view))
        return DCPN_OK;
    DCPN_TRY(copy_rows(matrix, -1, &rows, &copied));
    return dcpn_store_rows(matrix->context, &rows, storage, stored);
}

dcpn_status dcpn_store_cleaned(const dcpn_matrix *matrix, dcpn_value_type type, dcpn_matrix **cleaned)
{
    struct compressed_owned rows = {.rows = matrix->rows, .columns = matrix->columns, .value_type = type};
    int copied;
    *cleaned = NULL;
    DCPN_TRY(copy_rows(matrix, matrix->entries, &rows, &copied));
    return copied ? dcpn_matrix_take_csr(matrix->context, &rows, cleaned) : DCPN_OK;
}
