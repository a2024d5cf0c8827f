/* SPDX-License-Identifier: BSD-3-Clause */
/* NumPy's arrays as parts of a data set: a matrix, labels, names. */
#include <stdatomic.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/threads.h"
#include "data/dataset.h"
#include "data/labels.h"
#include "data/npy_array.h"
#include "matrix/dense.h"

enum { PIECE_ROWS = 64, PIECE_COLUMNS = 16 };

/* ---- A matrix -----------------------------------------------------------------------------------------------------*/

dcpn_status dcpn_npy_check_matrix(const struct content *content, const struct npy_array *array)
{
    if (!dcpn_npy_is_numeric(array))
        return dcpn_fail(content->context, DCPN_DATA, "%s: found an array of texts, expected numbers", content->name);
    if (array->dimensions != 2)
        return dcpn_fail(content->context, DCPN_DATA,
                         "%s: found an array of %d dimensions, expected 2: rows and features; reshape it",
                         content->name, array->dimensions);
    if (array->count == 0)
        return dcpn_fail(content->context, DCPN_DATA,
                         "%s: found %lld rows and %lld columns, expected at least 1 of each", content->name,
                         (long long)array->shape[0], (long long)array->shape[1]);
    return DCPN_OK;
}

/* How the elements of an array are read: doubles and floats as they are in the machine, all others one by one. */
enum elements { DOUBLES, FLOATS, OTHERS };

static enum elements elements_of(const struct npy_array *array)
{
    if (array->kind != 'f' || array->is_reversed || array->size < 4) return OTHERS;
    return array->size == 8 ? DOUBLES : FLOATS;
}

/* Reads an element. Inlined where the compiler knows `elements`, it has no branch on them for each number. */
static inline double number_at(const struct npy_array *array, enum elements elements, int64_t k)
{
    double value;
    float single;
    if (elements == OTHERS) return dcpn_npy_number(array, k);
    if (elements == DOUBLES) {
        memcpy(&value, array->data + 8 * k, sizeof value);
        return value;
    }
    memcpy(&single, array->data + 4 * k, sizeof single);
    return (double)single;
}

struct piece {
    int64_t row, row_end, column, column_end;
};

/* 0: a value is not finite. */
static inline int fill_as(const struct npy_array *array, enum elements elements, dcpn_value_type type,
                          struct piece piece, void *values)
{
    int64_t rows = array->shape[0], columns = array->shape[1];
    int are_finite = 1;
    for (int64_t j = piece.column; j < piece.column_end; j++)
        for (int64_t i = piece.row; i < piece.row_end; i++) {
            double value = number_at(array, elements, array->is_fortran ? i + j * rows : i * columns + j);
            are_finite &= dcpn_store_value(values, type, i + j * rows, value);
        }
    return are_finite;
}

static int fill_piece(const struct npy_array *array, dcpn_value_type type, struct piece piece, void *values)
{
    enum elements elements = elements_of(array);
    if (elements == DOUBLES && type == DCPN_FLOAT64) return fill_as(array, DOUBLES, DCPN_FLOAT64, piece, values);
    if (elements == FLOATS && type == DCPN_FLOAT64) return fill_as(array, FLOATS, DCPN_FLOAT64, piece, values);
    if (elements == FLOATS) return fill_as(array, FLOATS, DCPN_FLOAT32, piece, values);
    return fill_as(array, OTHERS, type, piece, values);
}

/* Refuses the first value, row by row, that is not finite as it is stored. */
static dcpn_status refuse_first(const struct content *content, const struct npy_array *array, dcpn_value_type type)
{
    int64_t rows = array->shape[0], columns = array->shape[1];
    double stored;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
            double value = dcpn_npy_number(array, array->is_fortran ? i + j * rows : i * columns + j);
            if (!dcpn_store_value(&stored, type, 0, value)) return dcpn_refuse_value(content, i, j, value);
        }
    return DCPN_OK;
}

struct filling {
    dcpn_context *context;
    const struct npy_array *array;
    dcpn_value_type type;
    void *values;
    atomic_int is_refused;
};

/* Some columns at a time, or some rows where these lie side by side in the file. */
static struct piece piece_at(const struct npy_array *array, int64_t k)
{
    int64_t length = array->shape[array->is_fortran], step = array->is_fortran ? PIECE_COLUMNS : PIECE_ROWS;
    int64_t first = k * step, end = first + step < length ? first + step : length;
    return array->is_fortran ? (struct piece){0, array->shape[0], first, end}
                             : (struct piece){first, end, 0, array->shape[1]};
}

static void fill_pieces(void *user, int64_t begin, int64_t end)
{
    struct filling *f = user;
    for (int64_t k = begin; k < end && !dcpn_is_interrupted(f->context); k++)
        if (!fill_piece(f->array, f->type, piece_at(f->array, k), f->values)) f->is_refused = 1;
}

static dcpn_status fill(const struct content *content, const struct npy_array *array, dcpn_value_type type,
                        void *values)
{
    int64_t length = array->shape[array->is_fortran], step = array->is_fortran ? PIECE_COLUMNS : PIECE_ROWS;
    struct filling filling = {.context = content->context, .array = array, .type = type, .values = values};
    dcpn_parallel_items(content->context, (length + step - 1) / step, fill_pieces, &filling);
    DCPN_TRY(dcpn_refuse_interrupted(content->context, "reading"));
    return filling.is_refused ? refuse_first(content, array, type) : DCPN_OK;
}

dcpn_status dcpn_npy_matrix(const struct content *content, const struct npy_array *array,
                            const dcpn_read_options *options, dcpn_matrix **matrix)
{
    dcpn_context *context = content->context;
    int64_t rows = array->shape[0], columns = array->shape[1];
    void *values = dcpn_allocate(context, (size_t)array->count, dcpn_value_size(options->value_type));
    if (!values) return DCPN_MEMORY;
    dcpn_status status = fill(content, array, options->value_type, values);
    if (status == DCPN_OK)
        return dcpn_matrix_take_dense(context, rows, columns, values, options->value_type, DCPN_COLUMN_MAJOR, matrix);
    dcpn_free(context, values);
    return status;
}

/* ---- Texts --------------------------------------------------------------------------------------------------------*/

static char *put_utf8(char *out, uint32_t c)
{
    if (c < 0x80) {
        *out++ = (char)c;
        return out;
    }
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    *out++ = (char)(c >> (6 * more) | (more == 1 ? 0xC0 : more == 2 ? 0xE0 : 0xF0));
    while (more-- > 0) *out++ = (char)((c >> (6 * more) & 0x3F) | 0x80);
    return out;
}

/* Element k, which zeros fill up to its size; a code beyond Unicode becomes the replacement character. */
static char *put_text(char *out, const struct npy_array *array, int64_t k)
{
    const char *at = array->data + k * array->size;
    if (array->kind == 'S') {
        size_t length = strnlen(at, (size_t)array->size);
        memcpy(out, at, length);
        return out + length;
    }
    for (int64_t c = 0; c < array->size; c += 4) {
        uint32_t code;
        memcpy(&code, at + c, 4);
        if (array->is_reversed) code = __builtin_bswap32(code);
        if (code == 0) break;
        out = put_utf8(out, code <= 0x10FFFF ? code : 0xFFFD);
    }
    return out;
}

dcpn_status dcpn_npy_texts(const struct content *content, const struct npy_array *array, struct word_list *list,
                           char **bytes)
{
    dcpn_context *context = content->context;
    *list = (struct word_list){0};
    *bytes = dcpn_allocate(context, (size_t)array->count, (size_t)array->size); /* UTF-8 is never longer than UTF-32 */
    if (!*bytes) return DCPN_MEMORY;
    list->words = dcpn_allocate(context, (size_t)array->count, sizeof *list->words);
    if (!list->words) return DCPN_MEMORY;
    char *out = *bytes;
    for (int64_t k = 0; k < array->count; k++) {
        char *end = put_text(out, array, k);
        list->words[list->count++] = (struct word){out, end - out};
        out = end;
    }
    return DCPN_OK;
}

/* ---- Labels -------------------------------------------------------------------------------------------------------*/

static dcpn_status number_labels(const struct content *content, const struct npy_array *array,
                                 const dcpn_read_options *options, dcpn_dataset *dataset)
{
    double *labels = dcpn_allocate(content->context, (size_t)array->count, sizeof *labels);
    if (!labels) return DCPN_MEMORY;
    for (int64_t i = 0; i < array->count; i++) labels[i] = dcpn_npy_number(array, i);
    return dcpn_labels_from_numbers(content, labels, options, dataset);
}

static dcpn_status text_labels(const struct content *content, const struct npy_array *array,
                               const dcpn_read_options *options, dcpn_dataset *dataset)
{
    const struct content by_row = {.context = content->context, .name = content->name};
    struct word_list list;
    char *bytes;
    dcpn_status status = dcpn_npy_texts(content, array, &list, &bytes);
    if (status == DCPN_OK) status = dcpn_labels_from_words(&by_row, list.words, LABELS_PLAIN, options, dataset);
    dcpn_free(content->context, list.words);
    dcpn_free(content->context, bytes);
    return status;
}

dcpn_status dcpn_npy_labels(const struct content *content, const struct npy_array *array,
                            const dcpn_read_options *options, dcpn_dataset *dataset)
{
    if (!dcpn_npy_is_vector(array) || array->count != dataset->rows)
        return dcpn_fail(content->context, DCPN_DATA,
                         "%s: found %lld labels in %d dimensions, expected %lld in one, one for each row",
                         content->name, (long long)array->count, array->dimensions, (long long)dataset->rows);
    return dcpn_npy_is_numeric(array) ? number_labels(content, array, options, dataset)
                                      : text_labels(content, array, options, dataset);
}
