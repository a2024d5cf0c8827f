/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrix Market: a header, comments, the size, and one entry a line (coordinate) or one value a line, by columns
 * (array). It has no labels: they come from a second file. */
#include <string.h>

#include "base/interrupt.h"
#include "base/number.h"
#include "base/utf8.h"
#include "data/dataset.h"
#include "data/format.h"
#include "data/labels.h"
#include "data/place.h"
#include "data/storage.h"
#include "data/triplets.h"
#include "data/writers.h"
#include "matrix/dense.h"

enum symmetry { GENERAL, SYMMETRIC, SKEW_SYMMETRIC };

struct reader {
    const struct content *content;
    const dcpn_read_options *options;
    const char *at, *end; /* what is left to read */
    int is_array, is_integer, is_pattern;
    enum symmetry symmetry;
    int64_t rows, columns, entries, features;
    const char *first_entry;
    const char *behind; /* text from here to `at` is still in memory */
};

enum { FORGOTTEN_AT_ONCE = 1 << 20 }; /* bytes */

/* ---- Lines and words ----------------------------------------------------------------------------------------------*/

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && is_blank(*at)) at++;
    return at;
}

static struct word next_word(const char **at, const char *end)
{
    const char *start = skip_blanks(*at, end);
    for (*at = start; *at < end && !is_blank(**at) && **at != '\n';) ++*at;
    return (struct word){start, *at - start};
}

static const char *line_end(const char *at, const char *end)
{
    const char *newline = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    return newline ? newline : end;
}

static void next_line(struct reader *reader)
{
    reader->at = line_end(reader->at, reader->end);
    if (reader->at < reader->end) reader->at++;
}

static dcpn_status forget_what_is_read(struct reader *reader)
{
    if (reader->behind && reader->at - reader->behind < FORGOTTEN_AT_ONCE) return DCPN_OK;
    if (reader->behind) dcpn_content_forget(reader->content, reader->behind, reader->at);
    reader->behind = reader->at;
    return dcpn_refuse_interrupted(reader->content->context, "reading");
}

/* Moves to the first word of the next line that is neither blank nor a comment. Returns 0 if there is none. */
static int find_line(struct reader *reader)
{
    for (;;) {
        reader->at = skip_blanks(reader->at, reader->end);
        if (reader->at == reader->end) return 0;
        if (*reader->at != '\n' && *reader->at != '%') return 1;
        next_line(reader);
    }
}

static const char *quote_word(const char *at, const char *end, char quote[DCPN_QUOTE_LENGTH])
{
    struct word word = next_word(&at, end);
    return word.length ? dcpn_quote(word.start, at, quote) : "the end of the line";
}

static dcpn_status expect_line_end(struct reader *reader, const char *after)
{
    char quote[DCPN_QUOTE_LENGTH];
    reader->at = skip_blanks(reader->at, reader->end);
    if (reader->at < reader->end && *reader->at != '\n')
        return dcpn_refuse_at(reader->content, reader->at, "found %s, expected the end of the line after the %s",
                              quote_word(reader->at, reader->end, quote), after);
    next_line(reader);
    return DCPN_OK;
}

/* A whole number from lowest on, at most highest, on the current line. */
static dcpn_status read_whole(struct reader *reader, const char *what, int64_t lowest, int64_t highest, int64_t *number)
{
    char quote[DCPN_QUOTE_LENGTH];
    reader->at = skip_blanks(reader->at, reader->end);
    const char *after = dcpn_parse_integer(reader->at, reader->end, number);
    if (after && *number >= lowest && *number <= highest &&
        (after == reader->end || is_blank(*after) || *after == '\n')) {
        reader->at = after;
        return DCPN_OK;
    }
    return dcpn_refuse_at(reader->content, reader->at, "found %s, expected the %s, a whole number from %lld to %lld",
                          quote_word(reader->at, reader->end, quote), what, (long long)lowest, (long long)highest);
}

static dcpn_status read_number(struct reader *reader, double *value)
{
    char quote[DCPN_QUOTE_LENGTH];
    const char *start = reader->at = skip_blanks(reader->at, reader->end);
    const char *after = dcpn_parse_double(start, reader->end, value);
    quote_word(start, reader->end, quote);
    if (after && after < reader->end && *after == ',')
        return dcpn_refuse_at(reader->content, start,
                              "found %s, which looks like a decimal comma; write numbers with a point", quote);
    if (!after || (after < reader->end && !is_blank(*after) && *after != '\n'))
        return dcpn_refuse_at(reader->content, start, "found %s, expected a value, a number",
                              quote_word(start, reader->end, quote));
    if (!isfinite(*value) && dcpn_is_number_word(start, after))
        return dcpn_refuse_at(reader->content, start,
                              "found %s, expected a value that is finite; remove or impute missing values", quote);
    if (!isfinite(*value) || (reader->options->value_type == DCPN_FLOAT32 && !isfinite((float)*value)))
        return dcpn_refuse_at(reader->content, start, "found %s, expected a value of at most %s; rescale the data",
                              quote, dcpn_largest(reader->options->value_type));
    if (reader->is_integer && *value != trunc(*value))
        return dcpn_refuse_at(reader->content, start,
                              "found %s, expected a whole number, since the header says integer; write real there",
                              quote);
    reader->at = after;
    return DCPN_OK;
}

/* ---- Header and size ----------------------------------------------------------------------------------------------*/

static dcpn_status choose(struct reader *reader, const char *what, const char *const *names, int count, int *chosen)
{
    char quote[DCPN_QUOTE_LENGTH];
    const char *end = line_end(reader->at, reader->end), *start = skip_blanks(reader->at, end);
    struct word word = next_word(&reader->at, end);
    for (*chosen = 0; *chosen < count; ++*chosen)
        if (dcpn_word_resembles(word, names[*chosen])) return DCPN_OK;
    const char *shown = quote_word(start, end, quote);
    if (dcpn_word_resembles(word, "complex") || dcpn_word_resembles(word, "hermitian"))
        return dcpn_refuse_at(reader->content, start,
                              "found %s, expected real numbers; split the real and the "
                              "imaginary parts into columns of their own",
                              shown);
    return dcpn_refuse_at(reader->content, start, "found %s, expected the %s: %s, %s%s%s", shown, what, names[0],
                          names[1], count > 2 ? " or " : "", count > 2 ? names[2] : "");
}

static dcpn_status read_header(struct reader *reader)
{
    static const char *const forms[] = {"coordinate", "array"},
                             *const fields[] = {"real", "integer", "pattern", "double"},
                             *const symmetries[] = {"general", "symmetric", "skew-symmetric"};
    int form, field, symmetry;
    const char *end = line_end(reader->at, reader->end);
    struct word banner = next_word(&reader->at, end), object = next_word(&reader->at, end);
    if (!dcpn_word_resembles(banner, "%%MatrixMarket") || !dcpn_word_resembles(object, "matrix"))
        return dcpn_refuse_at(reader->content, reader->content->bytes,
                              "found another first line, expected: %%%%MatrixMarket matrix ...");
    DCPN_TRY(choose(reader, "form", forms, 2, &form));
    DCPN_TRY(choose(reader, "kind of the values", fields, 4, &field));
    DCPN_TRY(choose(reader, "symmetry", symmetries, 3, &symmetry));
    reader->is_array = form == 1;
    reader->is_integer = field == 1;
    reader->is_pattern = field == 2;
    reader->symmetry = (enum symmetry)symmetry;
    if (reader->is_array && reader->is_pattern)
        return dcpn_refuse_at(reader->content, reader->content->bytes,
                              "found an array that is a pattern, expected "
                              "values; a pattern is only for the coordinate form");
    return expect_line_end(reader, "symmetry");
}

/* Values of an array: all of them, or the lower triangle with or without its diagonal. */
static int64_t array_length(const struct reader *reader)
{
    int64_t n = reader->rows;
    if (reader->symmetry == GENERAL) return n * reader->columns;
    return reader->symmetry == SYMMETRIC ? n * (n + 1) / 2 : n * (n - 1) / 2;
}

/* The shortest entry is "1 1" or "1 1 1" or "1", and a line end that the last one may lack. */
static dcpn_status believe_entries(struct reader *reader)
{
    int64_t shortest = reader->is_array ? 2 : reader->is_pattern ? 4 : 6;
    int64_t room = (reader->end - reader->at + 1) / shortest;
    if (reader->entries <= room) return DCPN_OK;
    return dcpn_fail(reader->content->context, DCPN_DATA,
                     "%s: found a header that announces %lld entries, but the file has room for at most %lld; it is "
                     "cut short, or its header is wrong",
                     reader->content->name, (long long)reader->entries, (long long)room);
}

static dcpn_status read_size(struct reader *reader)
{
    if (!find_line(reader))
        return dcpn_fail(reader->content->context, DCPN_DATA, "%s: found no line after the header, expected the size",
                         reader->content->name);
    const char *start = reader->at;
    DCPN_TRY(read_whole(reader, "number of rows", 1, INT32_MAX, &reader->rows));
    DCPN_TRY(read_whole(reader, "number of columns", 1, INT32_MAX, &reader->columns));
    if (reader->symmetry != GENERAL && reader->rows != reader->columns)
        return dcpn_refuse_at(reader->content, start,
                              "found %lld rows and %lld columns, expected as many of both in a "
                              "matrix that is symmetric",
                              (long long)reader->rows, (long long)reader->columns);
    reader->entries = array_length(reader); /* both are below 2^31 */
    if (!reader->is_array) DCPN_TRY(read_whole(reader, "number of entries", 0, INT64_MAX / 4, &reader->entries));
    DCPN_TRY(expect_line_end(reader, "size"));
    reader->first_entry = reader->at;
    return believe_entries(reader);
}

/* ---- Entries ------------------------------------------------------------------------------------------------------*/

static dcpn_status refuse_end(const struct reader *reader, int64_t found)
{
    return dcpn_fail(reader->content->context, DCPN_DATA,
                     "%s: found %lld entries, expected %lld, as its header says; the file is cut short",
                     reader->content->name, (long long)found, (long long)reader->entries);
}

static dcpn_status expect_end(struct reader *reader)
{
    char quote[DCPN_QUOTE_LENGTH];
    if (!find_line(reader)) return DCPN_OK;
    return dcpn_refuse_at(reader->content, reader->at,
                          "found %s, expected the end of the file after %lld entries, as its header says",
                          quote_word(reader->at, reader->end, quote), (long long)reader->entries);
}

static dcpn_status read_entry(struct reader *reader, int64_t *row, int64_t *column, double *value)
{
    const char *start = reader->at;
    *value = 1.0;
    DCPN_TRY(read_whole(reader, "row", 1, reader->rows, row));
    DCPN_TRY(read_whole(reader, "column", 1, reader->columns, column));
    if (!reader->is_pattern) DCPN_TRY(read_number(reader, value));
    if (reader->symmetry == SKEW_SYMMETRIC && *row == *column)
        return dcpn_refuse_at(reader->content, start,
                              "found an entry on the diagonal, expected none in a skew-symmetric matrix");
    return expect_line_end(reader, reader->is_pattern ? "column" : "value");
}

static void keep(struct triplets *triplets, int64_t row, int64_t column, double value)
{
    triplets->rows[triplets->count] = (int32_t)(row - 1);
    triplets->columns[triplets->count] = (int32_t)(column - 1);
    dcpn_store_value(triplets->values, triplets->value_type, triplets->count++, value);
}

static dcpn_status read_entries(struct reader *reader, struct triplets *triplets)
{
    for (int64_t k = 0; k < reader->entries; k++) {
        int64_t row, column;
        double value;
        if (!find_line(reader)) return refuse_end(reader, k);
        DCPN_TRY(read_entry(reader, &row, &column, &value));
        DCPN_TRY(forget_what_is_read(reader));
        keep(triplets, row, column, value);
        if (reader->symmetry != GENERAL && row != column)
            keep(triplets, column, row, reader->symmetry == SYMMETRIC ? value : -value);
    }
    return expect_end(reader);
}

static dcpn_status refuse_second(const struct reader *reader, const char *at, int64_t row, int64_t column)
{
    return dcpn_refuse_at(reader->content, at,
                          "found row %lld, column %lld for the second time, expected it once; add up the duplicates or "
                          "remove them",
                          (long long)row, (long long)column);
}

/* Walks to the line of a triplet, which its mirror image shares. */
static dcpn_status refuse_duplicate(struct reader *reader, const struct triplets *triplets, int64_t duplicate)
{
    reader->at = reader->first_entry;
    for (int64_t kept = 0; find_line(reader);) {
        int64_t row, column;
        double value;
        const char *start = reader->at;
        DCPN_TRY(read_entry(reader, &row, &column, &value));
        kept += reader->symmetry != GENERAL && row != column ? 2 : 1;
        if (kept > duplicate) {
            reader->at = start;
            break;
        }
    }
    return refuse_second(reader, reader->at, (int64_t)triplets->rows[duplicate] + 1,
                         (int64_t)triplets->columns[duplicate] + 1);
}

static dcpn_status read_coordinates(struct reader *reader, struct triplets *triplets, dcpn_matrix **matrix)
{
    int64_t duplicate;
    dcpn_context *context = reader->content->context;
    DCPN_TRY(read_entries(reader, triplets));
    DCPN_TRY(dcpn_triplets_matrix(context, triplets, reader->rows, reader->features, reader->options->storage, NULL,
                                  &duplicate, matrix));
    return *matrix ? DCPN_OK : refuse_duplicate(reader, triplets, duplicate);
}

static dcpn_status read_sparse(struct reader *reader, dcpn_matrix **matrix)
{
    struct triplets triplets;
    dcpn_context *context = reader->content->context;
    int64_t most = reader->symmetry == GENERAL ? reader->entries : 2 * reader->entries;
    DCPN_TRY(dcpn_triplets_allocate(context, most, reader->options->value_type, &triplets));
    dcpn_status status = read_coordinates(reader, &triplets, matrix);
    dcpn_triplets_free(context, &triplets);
    return status;
}

/* ---- Entries of a matrix that will be dense: straight to their places ---------------------------------------------*/

struct dense {
    void *values;
    uint64_t *seen; /* a bit for each */
};

/* Stores a value. Returns 0 if its place has one already. */
static int put(const struct reader *reader, const struct dense *dense, int64_t row, int64_t column, double value)
{
    int64_t place = row - 1 + (column - 1) * reader->rows;
    uint64_t bit = UINT64_C(1) << (place % 64), *word = &dense->seen[place / 64];
    if (*word & bit) return 0;
    *word |= bit;
    dcpn_store_value(dense->values, reader->options->value_type, place, value);
    return 1;
}

static dcpn_status put_entries(struct reader *reader, const struct dense *dense)
{
    for (int64_t k = 0; k < reader->entries; k++) {
        int64_t row, column;
        double value;
        if (!find_line(reader)) return refuse_end(reader, k);
        const char *start = reader->at;
        DCPN_TRY(read_entry(reader, &row, &column, &value));
        DCPN_TRY(forget_what_is_read(reader));
        int mirrored = reader->symmetry != GENERAL && row != column;
        if (!put(reader, dense, row, column, value)) return refuse_second(reader, start, row, column);
        if (mirrored && !put(reader, dense, column, row, reader->symmetry == SYMMETRIC ? value : -value))
            return refuse_second(reader, start, column, row);
    }
    return expect_end(reader);
}

static dcpn_status read_to_dense(struct reader *reader, dcpn_matrix **matrix)
{
    dcpn_context *context = reader->content->context;
    dcpn_value_type type = reader->options->value_type;
    size_t size = (size_t)(reader->rows * reader->features), words = (size_t)(reader->rows * reader->columns) / 64 + 1;
    struct dense dense = {.values = dcpn_allocate(context, size, dcpn_value_size(type)),
                          .seen = dcpn_allocate(context, words, sizeof *dense.seen)};
    dcpn_status status = dense.values && dense.seen ? DCPN_OK : DCPN_MEMORY;
    if (status == DCPN_OK) {
        memset(dense.values, 0, size * dcpn_value_size(type));
        memset(dense.seen, 0, words * sizeof *dense.seen);
        status = put_entries(reader, &dense);
    }
    dcpn_free(context, dense.seen);
    if (status == DCPN_OK)
        return dcpn_matrix_take_dense(context, reader->rows, reader->features, dense.values, type, DCPN_COLUMN_MAJOR,
                                      matrix);
    dcpn_free(context, dense.values);
    return status;
}

/* ---- Arrays -------------------------------------------------------------------------------------------------------*/

static dcpn_status read_array_value(struct reader *reader, int64_t i, int64_t j, void *values)
{
    double value;
    int64_t n = reader->rows;
    DCPN_TRY(read_number(reader, &value));
    DCPN_TRY(expect_line_end(reader, "value"));
    DCPN_TRY(forget_what_is_read(reader));
    dcpn_store_value(values, reader->options->value_type, i + j * n, value);
    if (reader->symmetry != GENERAL)
        dcpn_store_value(values, reader->options->value_type, j + i * n,
                         reader->symmetry == SYMMETRIC ? value : -value);
    return DCPN_OK;
}

static dcpn_status read_array_values(struct reader *reader, void *values)
{
    int64_t found = 0;
    for (int64_t j = 0; j < reader->columns; j++) {
        int64_t first = reader->symmetry == GENERAL ? 0 : reader->symmetry == SYMMETRIC ? j : j + 1;
        if (reader->symmetry == SKEW_SYMMETRIC)
            dcpn_store_value(values, reader->options->value_type, j + j * reader->rows, 0.0);
        for (int64_t i = first; i < reader->rows; i++, found++) {
            if (!find_line(reader)) return refuse_end(reader, found);
            DCPN_TRY(read_array_value(reader, i, j, values));
        }
    }
    return expect_end(reader);
}

static dcpn_status read_array(struct reader *reader, dcpn_matrix **matrix)
{
    dcpn_context *context = reader->content->context;
    dcpn_value_type type = reader->options->value_type;
    void *values = dcpn_allocate(context, (size_t)(reader->rows * reader->columns), dcpn_value_size(type));
    if (!values) return DCPN_MEMORY;
    dcpn_status status = read_array_values(reader, values);
    if (status == DCPN_OK)
        return dcpn_matrix_take_dense(context, reader->rows, reader->columns, values, type, DCPN_COLUMN_MAJOR, matrix);
    dcpn_free(context, values);
    return status;
}

/* ---- The format ---------------------------------------------------------------------------------------------------*/

/* Refuses a shape that is too large to be believed, because empty rows and columns need no byte in the file. */
static dcpn_status believe_shape(const struct reader *reader)
{
    DCPN_TRY(dcpn_believe_size(reader->content, reader->rows, "rows", "leave the empty rows out"));
    if (reader->options->features == reader->columns) return DCPN_OK;
    return dcpn_believe_size(reader->content, reader->columns, "columns", "--features with that number accepts it");
}

/* Reads labels and matrix. Labels come first, since they must be as many as the rows. */
static dcpn_status read_rows(struct reader *reader, dcpn_dataset *dataset)
{
    DCPN_TRY(dcpn_labels_elsewhere(reader->content, reader->options, NULL, dataset));
    if (reader->is_array) return read_array(reader, &dataset->matrix);
    int is_dense = dcpn_is_dense(reader->options->storage, reader->rows, reader->features, reader->entries);
    return is_dense ? read_to_dense(reader, &dataset->matrix) : read_sparse(reader, &dataset->matrix);
}

static dcpn_status read_matrix_market(const struct content *content, const dcpn_read_options *options,
                                      dcpn_dataset **dataset)
{
    size_t mark = dcpn_byte_order_mark(content->bytes, content->size);
    struct reader reader = {
        .content = content, .options = options, .at = content->bytes + mark, .end = content->bytes + content->size};
    *dataset = NULL;
    DCPN_TRY(read_header(&reader));
    DCPN_TRY(read_size(&reader));
    DCPN_TRY(believe_shape(&reader));
    DCPN_TRY(dcpn_settle_features(content, options, reader.columns, reader.is_array, &reader.features));
    DCPN_TRY(dcpn_dataset_new(content->context, reader.rows, reader.columns, reader.features, options, dataset));
    return dcpn_dataset_finish(read_rows(&reader, *dataset), dataset);
}

static int sniff(const char *bytes, size_t size)
{
    const char *at = bytes + dcpn_byte_order_mark(bytes, size);
    return dcpn_word_resembles(next_word(&at, bytes + size), "%%MatrixMarket") ? 100 : 0;
}

const struct format dcpn_format_matrix_market = {
    .name = "matrix-market",
    .extensions = ".mtx .mm",
    .summary = "Matrix Market text, coordinate or array; labels in a second file",
    .sniff = sniff,
    .read = read_matrix_market,
    .write = dcpn_write_matrix_market,
};
