/* SPDX-License-Identifier: BSD-3-Clause */
/* A data set as Matrix Market text: an array if its matrix is full, coordinates if not. */
#include <stdio.h>
#include <string.h>

#include "data/format.h"
#include "data/rows.h"
#include "data/writers.h"
#include "matrix/matrix.h"

static void write_size(struct output_file *file, const dcpn_dataset *dataset, int64_t entries)
{
    char line[160];
    int is_array = entries < 0;
    int length = snprintf(line, sizeof line, "%%%%MatrixMarket matrix %s real general\n%lld %lld",
                          is_array ? "array" : "coordinate", (long long)dataset->rows, (long long)dataset->features);
    dcpn_output_write(file, line, (size_t)length);
    length = is_array ? snprintf(line, sizeof line, "\n") : snprintf(line, sizeof line, " %lld\n", (long long)entries);
    dcpn_output_write(file, line, (size_t)length);
}

static void write_value(struct output_file *file, double value)
{
    char number[DCPN_NUMBER_LENGTH + 1];
    int length = dcpn_format_double(number, value);
    number[length++] = '\n';
    dcpn_output_write(file, number, (size_t)length);
}

static dcpn_status write_array(struct output_file *file, const dcpn_dataset *dataset)
{
    double *column = dcpn_allocate(dataset->context, (size_t)dataset->rows, sizeof *column);
    if (!column) return DCPN_MEMORY;
    write_size(file, dataset, -1);
    for (int64_t j = 0; j < dataset->features; j++) {
        memset(column, 0, (size_t)dataset->rows * sizeof *column);
        dataset->matrix->ops->column_add(dataset->matrix, j, 1.0, column);
        for (int64_t i = 0; i < dataset->rows; i++) write_value(file, column[i]);
    }
    dcpn_free(dataset->context, column);
    return DCPN_OK;
}

static void write_row(struct output_file *file, int64_t i, const struct row *row)
{
    char place[64];
    for (int64_t k = 0; k < row->count; k++) {
        int length = snprintf(place, sizeof place, "%lld %lld ", (long long)i + 1, (long long)row->columns[k] + 1);
        dcpn_output_write(file, place, (size_t)length);
        write_value(file, row->values[k]);
    }
}

static dcpn_status write_coordinates(struct output_file *file, const dcpn_dataset *dataset)
{
    struct row row;
    int64_t entries = 0;
    DCPN_TRY(dcpn_row_open(dataset, &row));
    for (int64_t i = 0; i < dataset->rows; i++) {
        dcpn_row_load(dataset, i, &row);
        entries += row.count;
    }
    write_size(file, dataset, entries);
    for (int64_t i = 0; i < dataset->rows; i++) {
        dcpn_row_load(dataset, i, &row);
        write_row(file, i, &row);
    }
    dcpn_row_close(&row);
    return DCPN_OK;
}

dcpn_status dcpn_write_matrix_market(const dcpn_dataset *dataset, const char *path)
{
    struct output_file file;
    DCPN_TRY(dcpn_check_beside(dataset, path));
    DCPN_TRY(dcpn_output_open(dataset->context, path, &file));
    dcpn_status status =
        dcpn_dataset_is_full(dataset) ? write_array(&file, dataset) : write_coordinates(&file, dataset);
    if (status != DCPN_OK) {
        dcpn_output_abandon(&file);
        return status;
    }
    DCPN_TRY(dcpn_output_commit(&file));
    return dcpn_write_beside(dataset, path);
}
