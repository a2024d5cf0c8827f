/* SPDX-License-Identifier: BSD-3-Clause */
/* LIBSVM text: "label [qid:n] index:value ... [# comment]", one row a line. Reads labels and a matrix by rows; the qid
 * is checked and ignored, and features written with the value 0 count for the number of columns alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/growing.h"
#include "base/number.h"
#include "data/lines.h"
#include "dcpn/data.h"
#include "matrix/sparse.h"

enum { MAX_INDEX = INT32_MAX - 1 };

/* A feature of the current row, as the file writes it. */
struct entry {
    int32_t index;
    const char *at;
    double value;
};

struct place {
    int64_t line, column;
};

struct reader {
    dcpn_context *context;
    struct line_reader lines;
    dcpn_read_options options;
    struct entry *row;
    int64_t row_length, row_capacity;
    struct compressed_owned matrix; /* indices still count from the file's base */
    double *labels;
    int64_t entries, index_capacity, value_capacity, pointer_capacity, label_capacity;
    int64_t smallest, largest; /* feature numbers so far; largest -1: none */
    struct place largest_place;
};

/* ---- One line -----------------------------------------------------------------------------------------------------*/

static int contains(const struct line_reader *lines, char c)
{
    return memchr(lines->text, c, (size_t)(lines->end - lines->text)) != NULL;
}

static int looks_like_csv(const struct line_reader *lines)
{
    return !contains(lines, ':') && (contains(lines, ',') || contains(lines, ';'));
}

/* What stands right behind a number where a blank should be. */
static dcpn_status refuse_rest(const struct line_reader *lines, const char *word, const char *at, const char *what)
{
    char quote[DCPN_QUOTE_LENGTH];
    dcpn_lines_quote(lines, word, quote);
    if (*at == ',')
        return dcpn_lines_refuse(lines, at, "found %s, which looks like a decimal comma; write numbers with a point",
                                 quote);
    return dcpn_lines_refuse(lines, at, "found %s, expected a blank after the %s; remove the other characters", quote,
                             what);
}

static int at_word_end(const struct line_reader *lines, const char *at)
{
    return dcpn_word_end(at, lines->end) == at;
}

static dcpn_status read_label(const struct line_reader *lines, const char **at, double *label)
{
    const char *word = *at;
    if (looks_like_csv(lines))
        return dcpn_lines_refuse(lines, word,
                                 "this looks like CSV, expected LIBSVM text; convert the file to rows of "
                                 "the form: label index:value index:value ...");
    if (*word == '?')
        return dcpn_lines_refuse(lines, word,
                                 "found '?', an unlabelled row, expected a label; unlabelled rows are not "
                                 "supported: remove them");
    DCPN_TRY(dcpn_lines_number(lines, at, "a label, a number", label));
    if (at_word_end(lines, *at)) return DCPN_OK;
    if (**at == ':')
        return dcpn_lines_refuse(lines, word,
                                 "found a feature where the row starts, expected a label; write one (any "
                                 "number will do for prediction) before the features");
    return refuse_rest(lines, word, *at, "label");
}

static dcpn_status skip_query(const struct line_reader *lines, const char **at)
{
    int64_t query;
    if (lines->end - *at < 4 || memcmp(*at, "qid:", 4) != 0) return DCPN_OK;
    const char *after = dcpn_parse_integer(*at + 4, lines->end, &query);
    if (!after || !at_word_end(lines, after))
        return dcpn_lines_refuse(lines, *at, "found a qid that is not a whole number; write qid:n or leave it out");
    *at = after;
    return DCPN_OK;
}

/* after: behind the whole number at `at`, NULL if there is none. */
static dcpn_status refuse_index(const struct line_reader *lines, const char *at, const char *after, int64_t number)
{
    char quote[DCPN_QUOTE_LENGTH];
    dcpn_lines_quote(lines, at, quote);
    if (after && after < lines->end && (*after == '.' || *after == 'e'))
        return dcpn_lines_refuse(lines, at, "found %s, expected a whole feature number before the colon", quote);
    if (!after || after == lines->end || *after != ':')
        return dcpn_lines_refuse(lines, at,
                                 "found %s, expected index:value; write each feature as its number, a colon "
                                 "and its value",
                                 quote);
    if (number < 0)
        return dcpn_lines_refuse(lines, at, "found %s, expected a feature number that is not negative", quote);
    if (number == 0)
        return dcpn_lines_refuse(lines, at,
                                 "found feature 0, expected numbers from 1 on; fitting with --index-base 0 accepts it");
    return dcpn_lines_refuse(lines, at,
                             "found %s, expected a feature number of at most %d, the limit for now; renumber "
                             "the features",
                             quote, MAX_INDEX);
}

static dcpn_status read_index(const struct reader *reader, const char **at, int32_t *index)
{
    int64_t number = 0;
    const char *end = reader->lines.end;
    const char *after = dcpn_parse_integer(*at, end, &number);
    int64_t lowest = reader->options.index_base == 1;
    if (!after || after == end || *after != ':' || number < lowest || number > MAX_INDEX)
        return refuse_index(&reader->lines, *at, after, number);
    *index = (int32_t)number;
    *at = after + 1;
    return DCPN_OK;
}

static dcpn_status read_value(const struct reader *reader, const char *word, const char **at, double *value)
{
    const struct line_reader *lines = &reader->lines;
    char quote[DCPN_QUOTE_LENGTH];
    const char *start = *at;
    if (at_word_end(lines, start))
        return dcpn_lines_refuse(lines, start,
                                 "found %s, expected a value right after the colon; leave out features "
                                 "that are 0",
                                 dcpn_lines_quote(lines, word, quote));
    DCPN_TRY(dcpn_lines_number(lines, at, "a value, a number", value));
    if (!at_word_end(lines, *at)) return refuse_rest(lines, word, *at, "value");
    if (reader->options.value_type == DCPN_FLOAT64) return DCPN_OK;
    *value = (double)(float)*value;
    if (isfinite(*value)) return DCPN_OK;
    return dcpn_lines_refuse(lines, start,
                             "found %s, expected a value of at most 3.4e38, the largest float32; store the "
                             "values as float64",
                             dcpn_lines_quote(lines, start, quote));
}

static dcpn_status read_entry(struct reader *reader, const char **at)
{
    const char *word = *at;
    struct entry entry = {.at = word};
    DCPN_TRY(read_index(reader, at, &entry.index));
    DCPN_TRY(read_value(reader, word, at, &entry.value));
    struct entry *row =
        dcpn_make_room(reader->context, reader->row, reader->row_length, &reader->row_capacity, sizeof *row);
    if (!row) return DCPN_MEMORY;
    row[reader->row_length++] = entry;
    reader->row = row;
    if (entry.index < reader->smallest) reader->smallest = entry.index;
    if (entry.index > reader->largest) {
        reader->largest = entry.index;
        reader->largest_place = (struct place){reader->lines.number, word - reader->lines.text + 1};
    }
    return DCPN_OK;
}

static int by_index_then_place(const void *first, const void *second)
{
    const struct entry *a = first, *b = second;
    if (a->index != b->index) return a->index < b->index ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

/* Ascending indices, as most files have them, are not sorted again. */
static dcpn_status sort_row(struct reader *reader)
{
    struct entry *row = reader->row;
    int64_t length = reader->row_length, k = 1;
    while (k < length && row[k - 1].index < row[k].index) k++;
    if (k >= length) return DCPN_OK;
    qsort(row, (size_t)length, sizeof *row, by_index_then_place);
    for (k = 1; k < length; k++)
        if (row[k - 1].index == row[k].index)
            return dcpn_lines_refuse(&reader->lines, row[k].at,
                                     "found feature %lld for the second time in this row, "
                                     "expected it once; remove or add up the duplicates",
                                     (long long)row[k].index);
    return DCPN_OK;
}

/* ---- All lines ----------------------------------------------------------------------------------------------------*/

static dcpn_status append_entry(struct reader *reader, const struct entry *entry)
{
    struct compressed_owned *matrix = &reader->matrix;
    int is_double = matrix->value_type == DCPN_FLOAT64;
    int32_t *indices =
        dcpn_make_room(reader->context, matrix->indices, reader->entries, &reader->index_capacity, sizeof *indices);
    if (!indices) return DCPN_MEMORY;
    matrix->indices = indices;
    void *values = dcpn_make_room(reader->context, matrix->values, reader->entries, &reader->value_capacity,
                                  is_double ? sizeof(double) : sizeof(float));
    if (!values) return DCPN_MEMORY;
    matrix->values = values;
    indices[reader->entries] = entry->index;
    if (is_double)
        ((double *)values)[reader->entries] = entry->value;
    else
        ((float *)values)[reader->entries] = (float)entry->value;
    reader->entries++;
    return DCPN_OK;
}

static dcpn_status append_row(struct reader *reader, double label)
{
    struct compressed_owned *matrix = &reader->matrix;
    double *labels =
        dcpn_make_room(reader->context, reader->labels, matrix->rows, &reader->label_capacity, sizeof *labels);
    if (!labels) return DCPN_MEMORY;
    reader->labels = labels;
    int64_t *pointers = dcpn_make_room(reader->context, matrix->pointers, matrix->rows + 1, &reader->pointer_capacity,
                                       sizeof *pointers);
    if (!pointers) return DCPN_MEMORY;
    matrix->pointers = pointers;
    for (int64_t k = 0; k < reader->row_length; k++)
        if (reader->row[k].value != 0.0) DCPN_TRY(append_entry(reader, &reader->row[k]));
    labels[matrix->rows++] = label;
    pointers[matrix->rows] = reader->entries;
    return DCPN_OK;
}

static dcpn_status read_row(struct reader *reader)
{
    struct line_reader *lines = &reader->lines;
    double label;
    const char *comment = memchr(lines->text, '#', (size_t)(lines->end - lines->text));
    if (comment) lines->end = comment;
    const char *at = dcpn_skip_blanks(lines->text, lines->end);
    if (at == lines->end) return DCPN_OK;
    DCPN_TRY(read_label(lines, &at, &label));
    at = dcpn_skip_blanks(at, lines->end);
    DCPN_TRY(skip_query(lines, &at));
    reader->row_length = 0;
    while ((at = dcpn_skip_blanks(at, lines->end)) < lines->end) DCPN_TRY(read_entry(reader, &at));
    DCPN_TRY(sort_row(reader));
    return append_row(reader, label);
}

static dcpn_status read_rows(struct reader *reader)
{
    for (;;) {
        int more;
        DCPN_TRY(dcpn_lines_next(&reader->lines, &more));
        if (!more) break;
        DCPN_TRY(read_row(reader));
    }
    if (reader->matrix.rows > 0) return DCPN_OK;
    return dcpn_fail(reader->context, DCPN_DATA, "%s: found no rows in %lld lines, expected: label index:value ...",
                     reader->lines.file.name, (long long)reader->lines.number);
}

/* ---- The result ---------------------------------------------------------------------------------------------------*/

/* Decides where the file counts from, and how many columns there are. */
static dcpn_status settle_columns(struct reader *reader, int *base)
{
    *base = reader->options.index_base >= 0 ? reader->options.index_base : reader->smallest == 0 ? 0 : 1;
    int64_t used = reader->largest < 0 ? 0 : reader->largest - *base + 1;
    int64_t features = reader->options.features;
    if (features > 0 && used > features)
        return dcpn_fail(reader->context, DCPN_DATA,
                         "%s: line %lld, column %lld: found feature %lld, expected numbers from %d to %lld; --features "
                         "%lld or more accepts it",
                         reader->lines.file.name, (long long)reader->largest_place.line,
                         (long long)reader->largest_place.column, (long long)reader->largest, *base,
                         (long long)(features - 1 + *base), (long long)used);
    if (features == 0 && used < reader->options.at_least) used = reader->options.at_least;
    if (features == 0 && used == 0)
        return dcpn_fail(
            reader->context, DCPN_DATA,
            "%s: found no feature in %lld rows, expected: label index:value ...; --features tells how many "
            "there are where all are 0",
            reader->lines.file.name, (long long)reader->matrix.rows);
    reader->matrix.columns = features > 0 ? features : used;
    for (int64_t k = 0; *base && k < reader->entries; k++) reader->matrix.indices[k] -= *base;
    return DCPN_OK;
}

static dcpn_status make_dataset(struct reader *reader, dcpn_dataset **dataset)
{
    int base;
    DCPN_TRY(settle_columns(reader, &base));
    dcpn_dataset *made = dcpn_allocate(reader->context, 1, sizeof *made);
    if (!made) return DCPN_MEMORY;
    *made = (dcpn_dataset){.labels = reader->labels,
                           .rows = reader->matrix.rows,
                           .features = reader->matrix.columns,
                           .index_base = base,
                           .context = reader->context};
    struct compressed_owned arrays = reader->matrix;
    reader->labels = NULL; /* handed over, like the arrays */
    reader->matrix = (struct compressed_owned){0};
    dcpn_status status = dcpn_matrix_take_csr(reader->context, &arrays, &made->matrix);
    if (status == DCPN_OK)
        *dataset = made;
    else
        dcpn_dataset_free(made);
    return status;
}

/* The arrays exist even if there is no entry: the matrix gets no NULL. */
static dcpn_status first_room(struct reader *reader)
{
    struct compressed_owned *matrix = &reader->matrix;
    size_t size = matrix->value_type == DCPN_FLOAT64 ? sizeof(double) : sizeof(float);
    matrix->pointers = dcpn_make_room(reader->context, NULL, 0, &reader->pointer_capacity, sizeof *matrix->pointers);
    matrix->indices = dcpn_make_room(reader->context, NULL, 0, &reader->index_capacity, sizeof *matrix->indices);
    matrix->values = dcpn_make_room(reader->context, NULL, 0, &reader->value_capacity, size);
    if (!matrix->pointers || !matrix->indices || !matrix->values) return DCPN_MEMORY;
    matrix->pointers[0] = 0;
    return DCPN_OK;
}

static void release(struct reader *reader)
{
    dcpn_lines_close(&reader->lines);
    dcpn_free(reader->context, reader->row);
    dcpn_free(reader->context, reader->labels);
    dcpn_free(reader->context, reader->matrix.pointers);
    dcpn_free(reader->context, reader->matrix.indices);
    dcpn_free(reader->context, reader->matrix.values);
}

static dcpn_status check_options(dcpn_context *context, const dcpn_read_options *options)
{
    if (options->index_base < -1 || options->index_base > 1)
        return dcpn_fail(context, DCPN_USAGE, "index base: found %d, expected 0, 1 or -1 (detect)",
                         options->index_base);
    if (options->features < 0 || options->features > INT32_MAX)
        return dcpn_fail(context, DCPN_USAGE, "number of features: found %lld, expected 0 (detect) to %d",
                         (long long)options->features, INT32_MAX);
    return DCPN_OK;
}

dcpn_status dcpn_read_libsvm(dcpn_context *context, const char *path, const dcpn_read_options *options,
                             dcpn_dataset **dataset)
{
    const dcpn_read_options detect = {.index_base = -1};
    struct reader reader = {
        .context = context, .options = options ? *options : detect, .smallest = INT64_MAX, .largest = -1};
    *dataset = NULL;
    DCPN_TRY(check_options(context, &reader.options));
    DCPN_TRY(dcpn_lines_open(context, path, &reader.lines));
    reader.matrix.value_type = reader.options.value_type;
    dcpn_status status = first_room(&reader);
    if (status == DCPN_OK) status = read_rows(&reader);
    if (status == DCPN_OK) status = make_dataset(&reader, dataset);
    release(&reader);
    return dcpn_memory_for(context, status, path);
}
