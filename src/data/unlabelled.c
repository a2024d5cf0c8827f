/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows without labels, put behind those of a data set. */
#include <math.h>

#include "base/context.h"
#include "data/dataset.h"
#include "data/storage.h"

/* The arrays that are made, and room for one row. */
struct joined {
    struct compressed_owned arrays;
    double *labels;
    int64_t *columns;
    double *values;
};

static dcpn_status allocate(dcpn_context *context, const dcpn_matrix *first, const dcpn_matrix *second,
                            struct joined *joined)
{
    struct compressed_owned *a = &joined->arrays;
    int64_t entries = first->entries + second->entries;
    a->rows = first->rows + second->rows;
    a->columns = first->columns > second->columns ? first->columns : second->columns;
    a->pointers = dcpn_allocate(context, (size_t)a->rows + 1, sizeof *a->pointers);
    a->indices = dcpn_allocate(context, (size_t)entries + 1, sizeof *a->indices);
    a->values = dcpn_allocate(context, (size_t)entries + 1, sizeof(double));
    joined->labels = dcpn_allocate(context, (size_t)a->rows, sizeof *joined->labels);
    joined->columns = dcpn_allocate(context, (size_t)a->columns, sizeof *joined->columns);
    joined->values = dcpn_allocate(context, (size_t)a->columns, sizeof *joined->values);
    int complete = a->pointers && a->indices && a->values && joined->labels && joined->columns && joined->values;
    return complete ? DCPN_OK : DCPN_MEMORY;
}

/* Returns where the next row begins. */
static int64_t copy_rows(const dcpn_matrix *from, int64_t row, int64_t at, struct joined *joined)
{
    double *values = joined->arrays.values;
    for (int64_t i = 0; i < from->rows; i++) {
        int64_t count = dcpn_matrix_row(from, i, joined->columns, joined->values);
        joined->arrays.pointers[row + i] = at;
        for (int64_t k = 0; k < count; k++, at++) {
            joined->arrays.indices[at] = (int32_t)joined->columns[k];
            values[at] = joined->values[k];
        }
    }
    return at;
}

static void release(dcpn_context *context, struct joined *joined)
{
    dcpn_free(context, joined->arrays.pointers);
    dcpn_free(context, joined->arrays.indices);
    dcpn_free(context, joined->arrays.values);
    dcpn_free(context, joined->labels);
    dcpn_free(context, joined->columns);
    dcpn_free(context, joined->values);
}

static void fill(const dcpn_dataset *dataset, const dcpn_matrix *more, struct joined *joined)
{
    int64_t rows = dataset->rows;
    int64_t at = copy_rows(dataset->matrix, 0, 0, joined);
    joined->arrays.pointers[rows + more->rows] = copy_rows(more, rows, at, joined);
    for (int64_t i = 0; i < rows; i++) joined->labels[i] = dataset->labels[i];
    for (int64_t i = 0; i < more->rows; i++) joined->labels[rows + i] = (double)NAN;
}

dcpn_status dcpn_dataset_add_unlabelled(dcpn_dataset *dataset, const dcpn_matrix *more)
{
    DCPN_NEED(NULL, dataset);
    dcpn_context *context = dataset->context;
    DCPN_NEED(context, context, more);
    DCPN_TRY(dcpn_dataset_check(dataset));
    struct joined joined = {.arrays = {.value_type = DCPN_FLOAT64}};
    dcpn_matrix *matrix = NULL;
    if (dataset->feature_names && more->columns > dataset->features)
        return dcpn_fail(context, DCPN_DATA,
                         "rows without labels: found %lld features, expected at most the %lld that have names",
                         (long long)more->columns, (long long)dataset->features);
    dcpn_status status = allocate(context, dataset->matrix, more, &joined);
    if (status == DCPN_OK) {
        fill(dataset, more, &joined);
        struct compressed_owned arrays = joined.arrays;
        joined.arrays = (struct compressed_owned){0}; /* handed over */
        dcpn_storage storage = dcpn_matrix_is_dense(dataset->matrix) ? DCPN_STORAGE_AUTO : DCPN_STORAGE_SPARSE;
        status = dcpn_store_rows(context, &arrays, storage, &matrix);
    }
    if (status == DCPN_OK) {
        dcpn_matrix_free(dataset->matrix);
        dcpn_free(context, dataset->labels);
        dataset->matrix = matrix;
        dataset->labels = joined.labels;
        dataset->rows = matrix->rows;
        dataset->features = matrix->columns;
        joined.labels = NULL;
    }
    release(context, &joined);
    return status;
}
