/* SPDX-License-Identifier: BSD-3-Clause */
/* MATLAB files of version 5, through matio: a matrix X, full or sparse, with labels y. matio allocates for itself; what
 * it returns is checked before it is used, and copied. */
#include <errno.h>
#include <matio.h>
#include <stdio.h>
#include <string.h>

#include "cell_texts.h"
#include "confine.h"
#include "data/dataset.h"
#include "data/labels.h"
#include "data/place.h"
#include "data/triplets.h"
#include "import.h"
#include "mat_elements.h"
#include "matrix/dense.h"
#include "refusal.h"

enum { BEST_RATIO = 1040, PLACE_LENGTH = DCPN_QUOTE_LENGTH + 16 }; /* deflate's ratio, rounded up */

struct reader {
    const struct content *content;
    const dcpn_read_options *options;
    mat_t *file;
};

/* ---- Numbers ------------------------------------------------------------------------------------------------------*/

/* The size of an element as matio holds it in memory; 0: not a number. */
static size_t element_size(enum matio_types type)
{
    switch (type) {
    case MAT_T_DOUBLE:
    case MAT_T_INT64:
    case MAT_T_UINT64:
        return 8;
    case MAT_T_SINGLE:
    case MAT_T_INT32:
    case MAT_T_UINT32:
        return 4;
    case MAT_T_INT16:
    case MAT_T_UINT16:
        return 2;
    case MAT_T_INT8:
    case MAT_T_UINT8:
        return 1;
    default:
        return 0;
    }
}

static double element(const void *data, enum matio_types type, size_t k)
{
    switch (type) {
    case MAT_T_DOUBLE:
        return ((const double *)data)[k];
    case MAT_T_SINGLE:
        return (double)((const float *)data)[k];
    case MAT_T_INT64:
        return (double)((const int64_t *)data)[k];
    case MAT_T_UINT64:
        return (double)((const uint64_t *)data)[k];
    case MAT_T_INT32:
        return (double)((const int32_t *)data)[k];
    case MAT_T_UINT32:
        return (double)((const uint32_t *)data)[k];
    case MAT_T_INT16:
        return (double)((const int16_t *)data)[k];
    case MAT_T_UINT16:
        return (double)((const uint16_t *)data)[k];
    case MAT_T_INT8:
        return (double)((const int8_t *)data)[k];
    default:
        return (double)((const uint8_t *)data)[k];
    }
}

/* ---- Variables ----------------------------------------------------------------------------------------------------*/

/* "variable 'X'" */
static const char *place_of(const matvar_t *variable, char place[PLACE_LENGTH])
{
    char quote[DCPN_QUOTE_LENGTH];
    const char *name = variable->name ? variable->name : "";
    snprintf(place, PLACE_LENGTH, "variable %s", dcpn_quote(name, name + strlen(name), quote));
    return place;
}

static dcpn_status refuse(const struct reader *reader, const matvar_t *variable, const char *what)
{
    char place[PLACE_LENGTH];
    return import_refuse(reader->content, place_of(variable, place), "found %s", what);
}

static const char *class_in_words(enum matio_classes class)
{
    switch (class) {
    case MAT_C_CELL:
        return "a cell array, expected a matrix of numbers; cell2mat makes one";
    case MAT_C_CHAR:
        return "characters, expected a matrix of numbers; save the numbers";
    case MAT_C_STRUCT:
        return "a struct, expected a matrix of numbers; save its fields as variables";
    default:
        return "an object or a function, expected a matrix of numbers; table2array makes one of a table";
    }
}

static int is_number_class(enum matio_classes class)
{
    return class >= MAT_C_DOUBLE && class <= MAT_C_UINT64;
}

/* The shape of the variable, before its data are read. */
static dcpn_status check_shape(const struct reader *reader, const matvar_t *variable)
{
    size_t count, most = reader->content->size > SIZE_MAX / BEST_RATIO ? SIZE_MAX : reader->content->size * BEST_RATIO;
    char place[PLACE_LENGTH];
    if (variable->rank != 2 || !variable->dims)
        return import_refuse_dimensions(reader->content, place_of(variable, place), variable->rank);
    if (variable->isComplex)
        return refuse(
            reader, variable,
            "complex numbers, expected real ones; split the real and the imaginary parts into columns of their own");
    DCPN_TRY(import_check_shape(reader->content, place_of(variable, place), (int64_t)variable->dims[0],
                                (int64_t)variable->dims[1]));
    if (__builtin_mul_overflow(variable->dims[0], variable->dims[1], &count) ||
        (variable->class_type != MAT_C_SPARSE && count > most))
        return refuse(reader, variable,
                      "a size that the bytes of the file cannot expand to, expected a smaller one; " DAMAGED);
    return DCPN_OK;
}

static dcpn_status load(const struct reader *reader, matvar_t *variable)
{
    errno = 0;
    if (Mat_VarReadDataAll(reader->file, variable) == 0 && variable->data) return DCPN_OK;
    if (errno == ENOMEM)
        return dcpn_fail(reader->content->context, DCPN_MEMORY, "%s: out of memory while its variables were read",
                         reader->content->name);
    return refuse(reader, variable, "data that cannot be read, expected as many numbers as its size tells; " DAMAGED);
}

/* The variable whose name `matches`, described but not loaded, to be freed with Mat_VarFree; NULL: there is none. */
static matvar_t *find(const struct reader *reader, int (*matches)(struct word, const char *), const char *name)
{
    matvar_t *variable;
    Mat_Rewind(reader->file);
    while ((variable = Mat_VarReadNextInfo(reader->file))) {
        const char *found = variable->name ? variable->name : "";
        if (matches((struct word){found, (int64_t)strlen(found)}, name)) return variable;
        Mat_VarFree(variable);
    }
    return NULL;
}

static void list_variables(const struct reader *reader, struct import_list *list)
{
    matvar_t *variable;
    Mat_Rewind(reader->file);
    while ((variable = Mat_VarReadNextInfo(reader->file))) {
        char quote[DCPN_QUOTE_LENGTH];
        const char *name = variable->name ? variable->name : "";
        import_list_add(list, dcpn_quote(name, name + strlen(name), quote));
        Mat_VarFree(variable);
    }
}

/* ---- Matrices -----------------------------------------------------------------------------------------------------*/

static dcpn_status copy_full(const struct reader *reader, const matvar_t *variable, dcpn_matrix **matrix)
{
    dcpn_context *context = reader->content->context;
    dcpn_value_type type = reader->options->value_type;
    int64_t rows = (int64_t)variable->dims[0], columns = (int64_t)variable->dims[1];
    void *values = dcpn_allocate(context, (size_t)(rows * columns), dcpn_value_size(type));
    if (!values) return DCPN_MEMORY;
    for (int64_t k = 0; k < rows * columns; k++) {
        double value = element(variable->data, variable->data_type, (size_t)k);
        if (dcpn_store_value(values, type, k, value)) continue;
        dcpn_free(context, values);
        return dcpn_refuse_value(reader->content, k % rows, k / rows, value);
    }
    return dcpn_matrix_take_dense(context, rows, columns, values, type, DCPN_COLUMN_MAJOR, matrix);
}

static dcpn_status read_full(const struct reader *reader, matvar_t *variable, dcpn_matrix **matrix)
{
    DCPN_TRY(load(reader, variable));
    size_t size = element_size(variable->data_type);
    if (size == 0 || (size_t)variable->data_size != size ||
        variable->nbytes / size / variable->dims[0] < variable->dims[1])
        return refuse(reader, variable, "fewer numbers than its size tells, expected as many; " DAMAGED);
    return copy_full(reader, variable, matrix);
}

static dcpn_status refuse_element(const struct reader *reader, const matvar_t *variable, const char *array, size_t k,
                                  int64_t found, size_t least, size_t most)
{
    char place[PLACE_LENGTH];
    return import_refuse(reader->content, place_of(variable, place),
                         "found %lld as element %zu (from 0) of %s, expected a number from %zu to %zu; " DAMAGED,
                         (long long)found, k, array, least, most);
}

/* By columns, jc telling where each one starts in ir and data; in the file they are signed, of 32 bits. */
static dcpn_status fill(const struct reader *reader, const matvar_t *variable, struct triplets *triplets)
{
    const mat_sparse_t *sparse = variable->data;
    size_t rows = variable->dims[0], columns = variable->dims[1];
    size_t entries = sparse->nir < sparse->ndata ? sparse->nir : sparse->ndata;
    enum matio_types type = element_size(variable->data_type) ? variable->data_type : MAT_T_DOUBLE;
    for (size_t j = 0; j < columns; j++) {
        size_t start = sparse->jc[j], end = sparse->jc[j + 1];
        if (end < start || end > entries)
            return refuse_element(reader, variable, "jc", j + 1, (int32_t)end, start, entries);
        for (size_t k = start; k < end; k++) {
            double value = element(sparse->data, type, k);
            if (sparse->ir[k] >= rows)
                return refuse_element(reader, variable, "ir", k, (int32_t)sparse->ir[k], 0, rows - 1);
            triplets->rows[triplets->count] = (int32_t)sparse->ir[k];
            triplets->columns[triplets->count] = (int32_t)j;
            if (!dcpn_store_value(triplets->values, triplets->value_type, triplets->count++, value))
                return dcpn_refuse_value(reader->content, sparse->ir[k], (int64_t)j, value);
        }
    }
    return DCPN_OK;
}

/* Row numbers, column pointers and values as matio has read them. */
static dcpn_status check_arrays(const struct reader *reader, const matvar_t *variable)
{
    const mat_sparse_t *sparse = variable->data;
    char place[PLACE_LENGTH];
    if (!sparse->jc || sparse->njc != variable->dims[1] + 1)
        return import_refuse(reader->content, place_of(variable, place),
                             "found %zu column pointers, expected %zu, one more than there are columns; " DAMAGED,
                             sparse->jc ? (size_t)sparse->njc : 0, variable->dims[1] + 1);
    if (sparse->jc[0] != 0) return refuse_element(reader, variable, "jc", 0, (int32_t)sparse->jc[0], 0, 0);
    if (sparse->nir && (!sparse->ir || !sparse->data))
        return refuse(reader, variable, "no row numbers or no values, expected some; " DAMAGED);
    return DCPN_OK;
}

static dcpn_status read_sparse(const struct reader *reader, matvar_t *variable, dcpn_matrix **matrix)
{
    struct triplets triplets;
    int64_t added;
    dcpn_context *context = reader->content->context;
    DCPN_TRY(load(reader, variable));
    DCPN_TRY(check_arrays(reader, variable));
    const mat_sparse_t *sparse = variable->data;
    DCPN_TRY(dcpn_triplets_allocate(context, sparse->nir, reader->options->value_type, &triplets));
    dcpn_status status = fill(reader, variable, &triplets);
    if (status == DCPN_OK)
        status = dcpn_triplets_matrix(context, &triplets, (int64_t)variable->dims[0], (int64_t)variable->dims[1],
                                      DCPN_STORAGE_SPARSE, &added, NULL, matrix);
    dcpn_triplets_free(context, &triplets);
    return status;
}

/* ---- Labels -------------------------------------------------------------------------------------------------------*/

static dcpn_status copy_numbers(const struct reader *reader, const matvar_t *variable, dcpn_dataset *dataset)
{
    double *labels = dcpn_allocate(dataset->context, (size_t)dataset->rows, sizeof *labels);
    if (!labels) return DCPN_MEMORY;
    for (int64_t i = 0; i < dataset->rows; i++) labels[i] = element(variable->data, variable->data_type, (size_t)i);
    return dcpn_labels_from_numbers(reader->content, labels, reader->options, dataset);
}

/* 0: the cell holds no text. */
static int add_cell(struct cell_texts *texts, const matvar_t *cell)
{
    if (!cell || cell->class_type != MAT_C_CHAR || (cell->nbytes > 0 && !cell->data)) return 0;
    if (cell->data_size == 2)
        cell_texts_add_utf16(texts, cell->data, (int64_t)(cell->nbytes / 2));
    else if (cell->data_size == 1)
        cell_texts_add_bytes(texts, cell->data, (int64_t)cell->nbytes);
    return cell->data_size == 1 || cell->data_size == 2;
}

static dcpn_status add_cells(const struct reader *reader, const matvar_t *variable, int64_t count,
                             struct cell_texts *texts)
{
    matvar_t *const *cells = variable->data;
    for (int64_t i = 0; i < count; i++)
        if (!add_cell(texts, cells[i]))
            return refuse(reader, variable,
                          "a cell that holds no text, expected the name of a class; write texts alone");
    return DCPN_OK;
}

static dcpn_status read_cells(const struct reader *reader, const matvar_t *variable, dcpn_dataset *dataset)
{
    struct cell_texts texts;
    dcpn_status status = cell_texts_open(dataset->context, dataset->rows, &texts);
    if (status == DCPN_OK) status = add_cells(reader, variable, dataset->rows, &texts);
    if (status == DCPN_OK) status = cell_texts_labels(&texts, reader->content->name, reader->options, dataset);
    cell_texts_close(&texts);
    return status;
}

static dcpn_status load_labels(const struct reader *reader, matvar_t *variable, dcpn_dataset *dataset)
{
    size_t rows = (size_t)dataset->rows;
    char place[PLACE_LENGTH];
    DCPN_TRY(check_shape(reader, variable));
    if (variable->class_type == MAT_C_CHAR)
        return refuse(reader, variable,
                      "an array of characters, expected numbers or a cell array of texts; cellstr makes one");
    if (variable->class_type == MAT_C_SPARSE)
        return refuse(reader, variable, "a sparse vector, expected a full one of numbers; full makes one");
    if (variable->class_type != MAT_C_CELL && !is_number_class(variable->class_type))
        return refuse(reader, variable, "a struct or an object, expected numbers or a cell array of texts; save one");
    if (variable->dims[0] != 1 && variable->dims[1] != 1)
        return refuse(reader, variable, "a matrix, expected a vector of labels, one for each row; save one");
    DCPN_TRY(import_check_labels(reader->content, place_of(variable, place),
                                 (int64_t)(variable->dims[0] * variable->dims[1]), dataset));
    DCPN_TRY(load(reader, variable));
    if (variable->class_type == MAT_C_CELL && variable->nbytes / sizeof(matvar_t *) >= rows)
        return read_cells(reader, variable, dataset);
    size_t size = element_size(variable->data_type);
    if (is_number_class(variable->class_type) && size && (size_t)variable->data_size == size &&
        variable->nbytes / size >= rows)
        return copy_numbers(reader, variable, dataset);
    return refuse(reader, variable, "fewer labels than its size tells, expected as many; " DAMAGED);
}

static int is_usual_label(struct word name, const char *unused)
{
    (void)unused;
    return dcpn_word_is_label(name);
}

static dcpn_status read_labels(const struct reader *reader, dcpn_dataset *dataset)
{
    const char *wanted = reader->options->table.label_column;
    if (reader->options->labels_path) return import_leave_labels(reader->content, dataset);
    matvar_t *variable = find(reader, wanted ? dcpn_word_equals : is_usual_label, wanted);
    if (!variable && wanted) {
        struct import_list list = {.length = 0};
        list_variables(reader, &list);
        return dcpn_fail(reader->content->context, DCPN_DATA,
                         "%s: found no variable '%.100s' for the labels, expected one of: %s", reader->content->name,
                         wanted, list.text);
    }
    if (!variable) return dcpn_labels_elsewhere(reader->content, reader->options, "a variable y", dataset);
    dcpn_status status = load_labels(reader, variable, dataset);
    Mat_VarFree(variable);
    return status;
}

/* ---- The file -----------------------------------------------------------------------------------------------------*/

static dcpn_status read_parts(const struct reader *reader, matvar_t *variable, dcpn_dataset *dataset)
{
    DCPN_TRY(read_labels(reader, dataset));
    return variable->class_type == MAT_C_SPARSE ? read_sparse(reader, variable, &dataset->matrix)
                                                : read_full(reader, variable, &dataset->matrix);
}

static dcpn_status read_matrix(const struct reader *reader, matvar_t *variable, dcpn_dataset **dataset)
{
    int is_sparse = variable->class_type == MAT_C_SPARSE;
    if (!is_sparse && !is_number_class(variable->class_type))
        return refuse(reader, variable, class_in_words(variable->class_type));
    DCPN_TRY(check_shape(reader, variable));
    int64_t rows = (int64_t)variable->dims[0], columns = (int64_t)variable->dims[1];
    DCPN_TRY(dcpn_believe_size(reader->content, rows, "rows", "leave the empty rows out"));
    DCPN_TRY(dcpn_dataset_new(reader->content->context, rows, columns, columns, reader->options, dataset));
    return dcpn_dataset_finish(read_parts(reader, variable, *dataset), dataset);
}

static dcpn_status read_variables(const struct reader *reader, dcpn_dataset **dataset)
{
    matvar_t *variable = NULL;
    struct import_list list = {.length = 0};
    for (size_t k = 0; !variable && import_matrix_names[k]; k++)
        variable = find(reader, dcpn_word_resembles, import_matrix_names[k]);
    if (!variable) {
        list_variables(reader, &list);
        return import_refuse_names(reader->content, &list);
    }
    dcpn_status status = read_matrix(reader, variable, dataset);
    Mat_VarFree(variable);
    return status;
}

/* What the end of the first 128 bytes says of the version, in either byte order. */
static int is_version_5(const struct content *content)
{
    if (content->size < 128) return 0;
    const char *end = content->bytes + 124;
    return memcmp(end, "\0\1IM", 4) == 0 || memcmp(end, "\1\0MI", 4) == 0;
}

dcpn_status import_mat(const struct content *content, const dcpn_read_options *options, dcpn_dataset **dataset)
{
    struct reader reader = {.content = content, .options = options};
    *dataset = NULL;
    if (!is_version_5(content))
        return dcpn_fail(content->context, DCPN_DATA,
                         "%s: found no MATLAB file of version 5 (-v6, -v7) or 7.3, expected one; save it with -v7",
                         content->name);
    reader.file = Mat_Open(content->plain_path, MAT_ACC_RDONLY); /* the last that is opened */
    import_confine();
    if (!reader.file)
        return dcpn_fail(content->context, DCPN_DATA,
                         "%s: found a MATLAB file that cannot be opened, expected a whole one; " DAMAGED,
                         content->name);
    dcpn_status status = mat_check_elements(content);
    if (status == DCPN_OK) status = read_variables(&reader, dataset);
    Mat_Close(reader.file);
    return status;
}
