/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of a data set one by one, and its labels as words, for the writers. */
#include "data/rows.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "data/labels.h"
#include "data/place.h"

dcpn_status dcpn_row_open(const dcpn_dataset *dataset, struct row *row)
{
    *row = (struct row){.context = dataset->context};
    row->columns = dcpn_allocate(row->context, (size_t)dataset->features, sizeof *row->columns);
    row->values = row->columns ? dcpn_allocate(row->context, (size_t)dataset->features, sizeof *row->values) : NULL;
    if (row->values) return DCPN_OK;
    dcpn_row_close(row);
    return DCPN_MEMORY;
}

void dcpn_row_load(const dcpn_dataset *dataset, int64_t i, struct row *row)
{
    row->count = dcpn_matrix_row(dataset->matrix, i, row->columns, row->values);
}

void dcpn_row_spread(const struct row *row, int64_t features, double *dense)
{
    memset(dense, 0, (size_t)features * sizeof *dense);
    for (int64_t k = 0; k < row->count; k++) dense[row->columns[k]] = row->values[k];
}

void dcpn_row_close(struct row *row)
{
    dcpn_free(row->context, row->columns);
    dcpn_free(row->context, row->values);
    row->columns = NULL;
    row->values = NULL;
}

int dcpn_dataset_is_full(const dcpn_dataset *dataset)
{
    return dcpn_matrix_entries(dataset->matrix) == dataset->rows * dataset->features;
}

const char *dcpn_label_text(const dcpn_dataset *dataset, int64_t i, char number[DCPN_NUMBER_LENGTH])
{
    double label = dataset->labels[i];
    if (isnan(label)) return "?";
    if (dataset->label_names) return dataset->label_names[(int64_t)label];
    dcpn_format_double(number, label);
    return number;
}

void dcpn_output_text(struct output_file *file, const char *text)
{
    dcpn_output_write(file, text, strlen(text));
}

/* ---- Beside the file ----------------------------------------------------------------------------------------------*/

static int has_labels(const dcpn_dataset *dataset)
{
    for (int64_t i = 0; i < dataset->rows; i++)
        if (!isnan(dataset->labels[i])) return 1;
    return 0;
}

static dcpn_status open_beside(const dcpn_dataset *dataset, const char *path, const char *ending, char name[PATH_MAX],
                               struct output_file *file)
{
    if (snprintf(name, PATH_MAX, "%s%s", path, ending) >= PATH_MAX)
        return dcpn_fail(dataset->context, DCPN_IO, "%s: cannot be written: no room for %s behind the name", path,
                         ending);
    return dcpn_output_open(dataset->context, name, file);
}

static dcpn_status write_labels(const dcpn_dataset *dataset, const char *path)
{
    struct output_file file;
    char name[PATH_MAX], number[DCPN_NUMBER_LENGTH];
    DCPN_TRY(open_beside(dataset, path, ".labels", name, &file));
    for (int64_t i = 0; i < dataset->rows; i++) {
        dcpn_output_text(&file, dcpn_label_text(dataset, i, number));
        dcpn_output_text(&file, "\n");
    }
    dcpn_log(dataset->context, DCPN_LOG_NOTE, "%s: the labels are in %s", path, name);
    return dcpn_output_commit(&file);
}

static dcpn_status write_names(const dcpn_dataset *dataset, const char *path)
{
    struct output_file file;
    char name[PATH_MAX];
    DCPN_TRY(open_beside(dataset, path, ".names", name, &file));
    for (int64_t j = 0; j < dataset->features; j++) {
        dcpn_output_text(&file, dataset->feature_names[j]);
        dcpn_output_text(&file, "\n");
    }
    dcpn_log(dataset->context, DCPN_LOG_NOTE, "%s: the names of the features are in %s", path, name);
    return dcpn_output_commit(&file);
}

/* Is a line of that text read as that text? */
static int fits_a_line(const char *text)
{
    size_t length = strlen(text);
    if (length == 0 || strchr(text, '\n') || dcpn_byte_order_mark(text, length)) return 0;
    return !strchr(" \t\r", text[0]) && !strchr(" \t\r", text[length - 1]);
}

static int is_label_line(const char *text)
{
    return fits_a_line(text) && text[0] != '#' && !dcpn_word_is_columns(dcpn_word_of(text));
}

static dcpn_status refuse_line(const dcpn_dataset *dataset, const char *path, const char *ending, const char *text,
                               const char *expected)
{
    char quote[DCPN_QUOTE_LENGTH];
    return dcpn_fail(dataset->context, DCPN_DATA,
                     "%s%s: found %s, which would not read back from a line of it, expected %s; write csv, npz or "
                     "binary, or rename it",
                     path, ending, dcpn_quote(text, text + strlen(text), quote), expected);
}

dcpn_status dcpn_check_beside(const dcpn_dataset *dataset, const char *path)
{
    if (strcmp(path, "-") == 0) return DCPN_OK;
    for (int64_t k = 0; dataset->label_names && k < dataset->label_count; k++)
        if (!is_label_line(dataset->label_names[k]))
            return refuse_line(dataset, path, ".labels", dataset->label_names[k],
                               "classes that neither start with # nor are several numbers, without blanks around them");
    for (int64_t j = 0; dataset->feature_names && j < dataset->features; j++)
        if (!fits_a_line(dataset->feature_names[j]))
            return refuse_line(dataset, path, ".names", dataset->feature_names[j],
                               "a name for each feature, without blanks around it");
    return DCPN_OK;
}

dcpn_status dcpn_write_beside(const dcpn_dataset *dataset, const char *path)
{
    int labels = has_labels(dataset), names = dataset->feature_names != NULL;
    if (strcmp(path, "-") == 0) {
        if (labels || names)
            dcpn_log(dataset->context, DCPN_LOG_WARNING,
                     "standard output: this format holds the matrix alone; labels and names are left out");
        return DCPN_OK;
    }
    if (labels) DCPN_TRY(write_labels(dataset, path));
    return names ? write_names(dataset, path) : DCPN_OK;
}
