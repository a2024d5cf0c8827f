/* SPDX-License-Identifier: BSD-3-Clause */
/* The same numbers in every form that a matrix may be made from. */
#include "support/conformance_source.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "support/conformance_assert.h"

void *space(int64_t count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);
    assert_non_null(memory);
    return memory;
}

void fill_dense_forms(struct source *source)
{
    int64_t n = source->rows, d = source->columns;
    for (int64_t i = 0; i < n * (d + GAP); i++) source->by_row[i] = source->by_row32[i] = NAN;
    for (int64_t i = 0; i < d * (n + GAP); i++) source->by_column[i] = source->by_column32[i] = NAN;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++) {
            double value = source->A[i * d + j];
            source->by_row[i * (d + GAP) + j] = source->by_column[j * (n + GAP) + i] = value;
            source->by_row32[i * (d + GAP) + j] = source->by_column32[j * (n + GAP) + i] = (float)value;
        }
}

/* Entries of each row (column) from the last to the first: unsorted. */
static void fill_compressed(int64_t major, int64_t minor, const double *A, int64_t major_stride, int64_t minor_stride,
                            int64_t *pointers, int64_t *indices64, int32_t *indices32, double *values, float *values32)
{
    int64_t count = 0;
    for (int64_t k = 0; k < major; k++) {
        for (int64_t i = minor - 1; i >= 0; i--) {
            double value = A[k * major_stride + i * minor_stride];
            if (value == 0.0) continue;
            indices64[count] = i;
            indices32[count] = (int32_t)i;
            values[count] = value;
            values32[count++] = (float)value;
        }
        pointers[k + 1] = count;
    }
}

void make_source(struct source *source, int64_t rows, int64_t columns, uint64_t seed)
{
    struct rng rng;
    int64_t n = rows, d = columns;
    dcpn_rng_seed(&rng, seed);
    *source = (struct source){.rows = n, .columns = d};
    source->A = space(n * d, sizeof(double));
    source->by_row = space(n * (d + GAP), sizeof(double));
    source->by_column = space(d * (n + GAP), sizeof(double));
    source->by_row32 = space(n * (d + GAP), sizeof(float));
    source->by_column32 = space(d * (n + GAP), sizeof(float));
    source->row_pointers = space(n + 1, sizeof(int64_t));
    source->column_pointers = space(d + 1, sizeof(int64_t));
    source->row_indices64 = space(n * d, sizeof(int64_t));
    source->column_indices64 = space(n * d, sizeof(int64_t));
    source->row_indices32 = space(n * d, sizeof(int32_t));
    source->column_indices32 = space(n * d, sizeof(int32_t));
    source->row_values = space(n * d, sizeof(double));
    source->column_values = space(n * d, sizeof(double));
    source->row_values32 = space(n * d, sizeof(float));
    source->column_values32 = space(n * d, sizeof(float));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++) {
            int empty = (n > 2 && i == 2) || (d > 3 && j == 3) || dcpn_rng_next(&rng) % 2;
            source->A[i * d + j] = empty ? 0.0 : (double)(float)dcpn_rng_normal(&rng);
            source->entries += source->A[i * d + j] != 0.0;
        }
    fill_dense_forms(source);
    fill_compressed(n, d, source->A, d, 1, source->row_pointers, source->row_indices64, source->row_indices32,
                    source->row_values, source->row_values32);
    fill_compressed(d, n, source->A, 1, d, source->column_pointers, source->column_indices64, source->column_indices32,
                    source->column_values, source->column_values32);
}

void free_source(struct source *source)
{
    void *const all[] = {source->A,
                         source->by_row,
                         source->by_column,
                         source->by_row32,
                         source->by_column32,
                         source->row_pointers,
                         source->column_pointers,
                         source->row_indices64,
                         source->column_indices64,
                         source->row_indices32,
                         source->column_indices32,
                         source->row_values,
                         source->column_values,
                         source->row_values32,
                         source->column_values32};
    for (size_t i = 0; i < COUNT_OF(all); i++) free(all[i]);
}

struct form form_at(int i)
{
    struct form form = {
        .by_row = i & 1, .single = i >> 1 & 1, .borrow = i >> 2 & 1, .sparse = i >= 8, .wide_index = i >= 16};
    snprintf(form.name, sizeof form.name, "%s%s, %s, %s",
             form.sparse ? (form.by_row ? "CSR" : "CSC") : (form.by_row ? "row major" : "column major"),
             form.sparse ? (form.wide_index ? " with 64-bit indices" : " with 32-bit indices") : "",
             form.single ? "float" : "double", form.borrow ? "borrowed" : "copied");
    return form;
}

static dcpn_status make_sparse(dcpn_context *context, const struct source *source, const struct form *form,
                               dcpn_matrix **matrix)
{
    dcpn_ownership ownership = form->borrow ? DCPN_BORROW : DCPN_COPY;
    dcpn_compressed arrays = {.rows = source->rows, .columns = source->columns};
    arrays.pointers = form->by_row ? source->row_pointers : source->column_pointers;
    arrays.index_type = form->wide_index ? DCPN_INT64 : DCPN_INT32;
    arrays.value_type = form->single ? DCPN_FLOAT32 : DCPN_FLOAT64;
    if (form->by_row) {
        arrays.indices = form->wide_index ? (const void *)source->row_indices64 : source->row_indices32;
        arrays.values = form->single ? (const void *)source->row_values32 : source->row_values;
        return dcpn_matrix_csr(context, &arrays, ownership, matrix);
    }
    arrays.indices = form->wide_index ? (const void *)source->column_indices64 : source->column_indices32;
    arrays.values = form->single ? (const void *)source->column_values32 : source->column_values;
    return dcpn_matrix_csc(context, &arrays, ownership, matrix);
}

dcpn_status make_matrix(dcpn_context *context, const struct source *source, const struct form *form,
                        dcpn_matrix **matrix)
{
    if (form->sparse) return make_sparse(context, source, form, matrix);
    const void *values = form->by_row ? (form->single ? (const void *)source->by_row32 : source->by_row)
                                      : (form->single ? (const void *)source->by_column32 : source->by_column);
    int64_t stride = (form->by_row ? source->columns : source->rows) + GAP;
    return dcpn_matrix_dense(context, source->rows, source->columns, values, form->single ? DCPN_FLOAT32 : DCPN_FLOAT64,
                             form->by_row ? DCPN_ROW_MAJOR : DCPN_COLUMN_MAJOR, stride,
                             form->borrow ? DCPN_BORROW : DCPN_COPY, matrix);
}
