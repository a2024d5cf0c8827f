/* SPDX-License-Identifier: BSD-3-Clause */
/* LIBSVM text from a data set; every number reads back to the same double. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/number.h"
#include "data/dataset.h"
#include "matrix/matrix.h"

struct writer {
    const dcpn_dataset *dataset;
    struct output_file file;
    int64_t *columns;
    double *values;
    int says_first, says_last; /* a value 0 in the first row tells of the feature, where nothing else does */
};

static void write_number(struct output_file *file, double value)
{
    char number[DCPN_NUMBER_LENGTH];
    dcpn_output_write(file, number, (size_t)dcpn_format_double(number, value));
}

static void write_entry(struct output_file *file, int64_t index, double value)
{
    char text[DCPN_NUMBER_LENGTH];
    int length = snprintf(text, sizeof text, " %lld:", (long long)index);
    dcpn_output_write(file, text, (size_t)length);
    write_number(file, value);
}

static void write_row(struct writer *writer, int64_t i)
{
    const dcpn_matrix *matrix = writer->dataset->matrix;
    int64_t base = writer->dataset->index_base, last = writer->dataset->features - 1 + base;
    int64_t count = matrix->ops->row(matrix, i, writer->columns, writer->values);
    if (isnan(writer->dataset->labels[i]))
        dcpn_output_write(&writer->file, "?", 1);
    else
        write_number(&writer->file, writer->dataset->labels[i]);
    if (i == 0 && writer->says_first) write_entry(&writer->file, 0, 0.0);
    for (int64_t k = 0; k < count; k++) write_entry(&writer->file, writer->columns[k] + base, writer->values[k]);
    if (i == 0 && writer->says_last) write_entry(&writer->file, last, 0.0);
    dcpn_output_write(&writer->file, "\n", 1);
}

static int is_zero(const dcpn_dataset *dataset, int64_t j, double *column)
{
    memset(column, 0, (size_t)dataset->rows * sizeof *column);
    dataset->matrix->ops->column_add(dataset->matrix, j, 1.0, column);
    for (int64_t i = 0; i < dataset->rows; i++)
        if (column[i] != 0.0) return 0;
    return 1;
}

/* The largest index is the number of features, and an index 0 says that they count from there. */
static dcpn_status find_what_is_not_said(struct writer *writer)
{
    const dcpn_dataset *dataset = writer->dataset;
    int64_t last = dataset->features - 1;
    if (last < 0) return DCPN_OK;
    double *column = dcpn_allocate(dataset->context, (size_t)dataset->rows, sizeof *column);
    if (!column) return DCPN_MEMORY;
    writer->says_first = dataset->index_base == 0 && is_zero(dataset, 0, column);
    writer->says_last = !(last == 0 && writer->says_first) && is_zero(dataset, last, column);
    dcpn_free(dataset->context, column);
    return DCPN_OK;
}

static dcpn_status write_rows(struct writer *writer, const char *path)
{
    DCPN_TRY(find_what_is_not_said(writer));
    DCPN_TRY(dcpn_output_open(writer->dataset->context, path, &writer->file));
    for (int64_t i = 0; i < writer->dataset->rows; i++) write_row(writer, i);
    return dcpn_output_commit(&writer->file);
}

/* Says what is lost because the format has no place for it. */
static void say_what_is_lost(const dcpn_dataset *dataset, const char *path)
{
    for (int64_t k = 0; dataset->label_names && k < dataset->label_count; k++)
        dcpn_log(dataset->context, DCPN_LOG_NOTE, "%s: the class %s is written as the label %lld", path,
                 dataset->label_names[k], (long long)k);
    if (dataset->feature_names)
        dcpn_log(dataset->context, DCPN_LOG_NOTE, "%s: LIBSVM text has no place for the names of features", path);
}

dcpn_status dcpn_write_libsvm(const dcpn_dataset *dataset, const char *path)
{
    DCPN_NEED(NULL, dataset);
    DCPN_TRY(dcpn_dataset_check(dataset));
    dcpn_context *context = dataset->context;
    struct writer writer = {.dataset = dataset};
    dcpn_status status = DCPN_MEMORY;
    say_what_is_lost(dataset, path);
    writer.columns = dcpn_allocate(context, (size_t)dataset->features, sizeof *writer.columns);
    writer.values = dcpn_allocate(context, (size_t)dataset->features, sizeof *writer.values);
    if (writer.columns && writer.values) status = write_rows(&writer, path);
    dcpn_free(context, writer.columns);
    dcpn_free(context, writer.values);
    return status;
}
