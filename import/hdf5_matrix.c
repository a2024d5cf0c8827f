/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices in HDF5 files: an array, or compressed rows or columns in three arrays. */
#include "hdf5_matrix.h"

#include <stdio.h>

#include "data/dataset.h"
#include "data/triplets.h"
#include "matrix/dense.h"
#include "refusal.h"

enum { BLOCK_ROWS = 64, PATH_LENGTH = 512 };

dcpn_status hdf5_check_shape(const struct hdf5_file *file, const char *path, const int64_t shape[2])
{
    DCPN_TRY(import_check_shape(file->content, path, shape[0], shape[1]));
    DCPN_TRY(dcpn_believe_size(file->content, shape[0], "rows", "leave the empty rows out"));
    return dcpn_believe_size(file->content, shape[1], "columns", "leave the empty columns out");
}

/* ---- Dense --------------------------------------------------------------------------------------------------------*/

/* An array on its way into a matrix by columns. */
struct dense {
    const struct hdf5_file *file;
    const char *path;
    int is_transposed;
    int64_t rows, columns;
    dcpn_value_type type;
    void *values;
};

static dcpn_status store(const struct dense *dense, int64_t i, int64_t j, double value)
{
    if (dcpn_store_value(dense->values, dense->type, i + j * dense->rows, value)) return DCPN_OK;
    return dcpn_refuse_value(dense->file->content, i, j, value);
}

static dcpn_status spread(const struct dense *dense, const double *block, int64_t first, int64_t count, int64_t length)
{
    for (int64_t k = 0; k < length; k++)
        for (int64_t m = 0; m < count; m++) {
            double value = block[m * length + k];
            DCPN_TRY(dense->is_transposed ? store(dense, k, first + m, value) : store(dense, first + m, k, value));
        }
    return DCPN_OK;
}

static dcpn_status fill_dense(const struct dense *dense, double *block)
{
    int64_t outer = dense->is_transposed ? dense->columns : dense->rows;
    int64_t length = dense->is_transposed ? dense->rows : dense->columns;
    for (int64_t first = 0; first < outer; first += BLOCK_ROWS) {
        int64_t count = outer - first < BLOCK_ROWS ? outer - first : BLOCK_ROWS;
        DCPN_TRY(hdf5_rows(dense->file, dense->path, first, count, length, block));
        DCPN_TRY(spread(dense, block, first, count, length));
    }
    return DCPN_OK;
}

dcpn_status hdf5_dense_matrix(const struct hdf5_file *file, const char *path, int is_transposed, const int64_t shape[2],
                              dcpn_value_type type, dcpn_matrix **matrix)
{
    dcpn_context *context = file->content->context;
    struct dense dense = {file, path, is_transposed, shape[0], shape[1], type, NULL};
    int64_t outer = shape[is_transposed], held = outer < BLOCK_ROWS ? outer : BLOCK_ROWS;
    double *block = dcpn_allocate(context, (size_t)(held * shape[!is_transposed]), sizeof *block);
    if (block) dense.values = dcpn_allocate(context, (size_t)(shape[0] * shape[1]), dcpn_value_size(type));
    dcpn_status status = dense.values ? fill_dense(&dense, block) : DCPN_MEMORY;
    dcpn_free(context, block);
    if (status == DCPN_OK)
        return dcpn_matrix_take_dense(context, shape[0], shape[1], dense.values, type, DCPN_COLUMN_MAJOR, matrix);
    dcpn_free(context, dense.values);
    return status;
}

/* ---- Sparse -------------------------------------------------------------------------------------------------------*/

struct arrays {
    const struct hdf5_file *file;
    const char *group;
    const struct hdf5_sparse *names;
    double *entries;
    int64_t *indices, *pointers;
    int64_t entry_count, index_count, pointer_count;
};

static void path_of(const struct arrays *arrays, const char *array, char path[PATH_LENGTH])
{
    snprintf(path, PATH_LENGTH, "%.200s/%s", arrays->group, array);
}

static dcpn_status check_counts(const struct arrays *arrays, int64_t major)
{
    char path[PATH_LENGTH];
    const struct content *content = arrays->file->content;
    path_of(arrays, arrays->names->pointers, path);
    if (arrays->pointer_count != major + 1)
        return import_refuse(content, path, "found %lld pointers, expected %lld, one more than there are %s; " DAMAGED,
                             (long long)arrays->pointer_count, (long long)major + 1,
                             arrays->names->by_columns ? "columns" : "rows");
    path_of(arrays, arrays->names->indices, path);
    if (arrays->index_count != arrays->entry_count)
        return import_refuse(content, path, "found %lld indices, expected %lld, one for each value in %s; " DAMAGED,
                             (long long)arrays->index_count, (long long)arrays->entry_count, arrays->names->entries);
    return DCPN_OK;
}

/* Element k of an array, counted from 0. */
static dcpn_status check_element(const struct arrays *arrays, const char *array, int64_t k, int64_t found,
                                 int64_t least, int64_t most)
{
    char path[PATH_LENGTH];
    if (found >= least && found <= most) return DCPN_OK;
    path_of(arrays, array, path);
    return import_refuse(arrays->file->content, path,
                         "found %lld as element %lld (from 0), expected a number from %lld to %lld; " DAMAGED,
                         (long long)found, (long long)k, (long long)least, (long long)most);
}

/* Row or column i, whose entries are [start, end). */
static dcpn_status fill_one(const struct arrays *arrays, int64_t i, int64_t minor, int64_t start, int64_t end,
                            struct triplets *triplets)
{
    int by_columns = arrays->names->by_columns;
    for (int64_t k = start; k < end; k++) {
        int64_t j = arrays->indices[k], row = by_columns ? j : i, column = by_columns ? i : j;
        DCPN_TRY(check_element(arrays, arrays->names->indices, k, j, 0, minor - 1));
        triplets->rows[k] = (int32_t)row;
        triplets->columns[k] = (int32_t)column;
        if (!dcpn_store_value(triplets->values, triplets->value_type, k, arrays->entries[k]))
            return dcpn_refuse_value(arrays->file->content, row, column, arrays->entries[k]);
    }
    return DCPN_OK;
}

static dcpn_status fill_sparse(const struct arrays *arrays, const int64_t shape[2], struct triplets *triplets)
{
    int by_columns = arrays->names->by_columns;
    int64_t major = shape[by_columns], minor = shape[!by_columns];
    const int64_t *pointers = arrays->pointers;
    DCPN_TRY(check_counts(arrays, major));
    DCPN_TRY(check_element(arrays, arrays->names->pointers, 0, pointers[0], 0, 0));
    for (int64_t i = 0; i < major; i++) {
        DCPN_TRY(
            check_element(arrays, arrays->names->pointers, i + 1, pointers[i + 1], pointers[i], arrays->index_count));
        DCPN_TRY(fill_one(arrays, i, minor, pointers[i], pointers[i + 1], triplets));
    }
    triplets->count = pointers[major];
    return DCPN_OK;
}

static dcpn_status make_sparse(const struct arrays *arrays, const int64_t shape[2], dcpn_value_type type,
                               dcpn_matrix **matrix)
{
    struct triplets triplets;
    int64_t added;
    dcpn_context *context = arrays->file->content->context;
    DCPN_TRY(dcpn_triplets_allocate(context, arrays->entry_count, type, &triplets));
    dcpn_status status = fill_sparse(arrays, shape, &triplets);
    if (status == DCPN_OK)
        status =
            dcpn_triplets_matrix(context, &triplets, shape[0], shape[1], DCPN_STORAGE_SPARSE, &added, NULL, matrix);
    dcpn_triplets_free(context, &triplets);
    return status;
}

static dcpn_status read_arrays(struct arrays *arrays)
{
    char path[PATH_LENGTH];
    path_of(arrays, arrays->names->entries, path);
    int has_entries = hdf5_has(arrays->file, path);
    if (has_entries) DCPN_TRY(hdf5_doubles(arrays->file, path, &arrays->entries, &arrays->entry_count));
    path_of(arrays, arrays->names->indices, path);
    if (has_entries || hdf5_has(arrays->file, path))
        DCPN_TRY(hdf5_integers(arrays->file, path, &arrays->indices, &arrays->index_count));
    path_of(arrays, arrays->names->pointers, path);
    return hdf5_integers(arrays->file, path, &arrays->pointers, &arrays->pointer_count);
}

dcpn_status hdf5_sparse_matrix(const struct hdf5_file *file, const char *group, const struct hdf5_sparse *names,
                               const int64_t shape[2], dcpn_value_type type, dcpn_matrix **matrix)
{
    struct arrays arrays = {.file = file, .group = group, .names = names};
    dcpn_context *context = file->content->context;
    dcpn_status status = read_arrays(&arrays);
    if (status == DCPN_OK) status = make_sparse(&arrays, shape, type, matrix);
    dcpn_free(context, arrays.entries);
    dcpn_free(context, arrays.indices);
    dcpn_free(context, arrays.pointers);
    return status;
}
