/* SPDX-License-Identifier: BSD-3-Clause */
/* LIBSVM text: rows that are right, fast. Nothing here allocates, fails with a sentence or knows the line it is at. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/digits.h"
#include "base/number.h"
#include "data/libsvm.h"

/* ---- Counting -----------------------------------------------------------------------------------------------------*/

typedef unsigned char bytes16 __attribute__((vector_size(16)));

/* Counts line ends and colons in up to 255 vectors of 16 bytes, so that no counter of a byte overflows. */
static void count_characters(const char *text, int64_t vectors, int64_t *lines, int64_t *colons)
{
    bytes16 line_ends = {0}, found = {0};
    for (int64_t k = 0; k < vectors; k++) {
        bytes16 bytes;
        memcpy(&bytes, text + 16 * k, sizeof bytes);
        line_ends -= (bytes16)(bytes == '\n');
        found -= (bytes16)(bytes == ':');
    }
    for (int i = 0; i < 16; i++) {
        *lines += line_ends[i];
        *colons += found[i];
    }
}

void dcpn_libsvm_count(struct libsvm_piece *piece)
{
    const char *text = piece->begin;
    piece->lines = piece->room = 0;
    while (piece->end - text >= 16) {
        int64_t vectors = (piece->end - text) / 16;
        if (vectors > 255) vectors = 255;
        count_characters(text, vectors, &piece->lines, &piece->room);
        text += 16 * vectors;
    }
    for (; text < piece->end; text++) {
        piece->lines += *text == '\n';
        piece->room += *text == ':';
    }
}

/* ---- A row out of order -------------------------------------------------------------------------------------------*/

static void swap_entries(const struct libsvm_arrays *to, int64_t a, int64_t b)
{
    int32_t index = to->indices[a];
    to->indices[a] = to->indices[b];
    to->indices[b] = index;
    if (to->value_type == DCPN_FLOAT64) {
        double *values = to->values, value = values[a];
        values[a] = values[b];
        values[b] = value;
    } else {
        float *values = to->values, value = values[a];
        values[a] = values[b];
        values[b] = value;
    }
}

static void sift_down(const struct libsvm_arrays *to, int64_t first, int64_t root, int64_t count)
{
    const int32_t *indices = to->indices + first;
    for (int64_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && indices[child] < indices[child + 1]) child++;
        if (indices[root] >= indices[child]) return;
        swap_entries(to, first + root, first + child);
    }
}

/* Sorts the entries of a row in place (heap sort). Returns 0 if an index occurs twice. */
static int sort_row(const struct libsvm_arrays *to, int64_t first, int64_t count)
{
    for (int64_t root = count / 2 - 1; root >= 0; root--) sift_down(to, first, root, count);
    for (int64_t last = count - 1; last > 0; last--) {
        swap_entries(to, first, first + last);
        sift_down(to, first, 0, last);
    }
    for (int64_t k = first + 1; k < first + count; k++)
        if (to->indices[k - 1] == to->indices[k]) return 0;
    return 1;
}

static double value_at(const struct libsvm_arrays *to, int64_t k)
{
    return to->value_type == DCPN_FLOAT64 ? ((const double *)to->values)[k] : (double)((const float *)to->values)[k];
}

/* Returns where the row ends without its zeros. */
static int64_t drop_zeros(const struct libsvm_arrays *to, int64_t first, int64_t end)
{
    int64_t kept = first;
    for (int64_t k = first; k < end; k++)
        if (value_at(to, k) != 0.0) swap_entries(to, kept++, k);
    return kept;
}

/* ---- Words --------------------------------------------------------------------------------------------------------*/

/* May a number end before this character? Control characters that are no blanks are found out later. */
static inline int ends_number(char c)
{
    return (unsigned char)c <= ' ' || c == '#';
}

/* [sign] up to 7 digits [. up to 7 digits], both numbers exact in a double and so is 10^7: one division rounds once.
 * NULL: not of that kind. */
static inline __attribute__((always_inline)) const char *read_plain_value(const char *text, double *value)
{
    static const uint32_t power_of_ten[8] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
    static const double same[8] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
    uint64_t number = (unsigned)(unsigned char)text[0] - '0';
    int negative = 0;
    if (FLT_EVAL_METHOD != 0) return NULL;
    if (number <= 9 && text[1] == '.') { /* again for the sake of prediction: no need to wait for a count of digits */
        text++;
    } else if (number <= 9 && ends_number(text[1])) {
        *value = (double)number;
        return text + 1;
    } else {
        negative = *text == '-';
        text += negative;
        uint64_t word = dcpn_eight_characters(text);
        int whole = dcpn_count_digits(word);
        if (whole < 1 || whole > 7) return NULL;
        number = dcpn_number_of_digits(word, whole);
        text += whole;
    }
    double nearest = (double)(int64_t)number;
    if (*text == '.') {
        uint64_t word = dcpn_eight_characters(text + 1);
        int places = dcpn_count_digits(word);
        if (places < 1 || places > 7) return NULL;
        number = number * power_of_ten[places] + dcpn_number_of_digits(word, places);
        nearest = (double)(int64_t)number / same[places];
        text += 1 + places;
    }
    *value = negative ? -nearest : nearest;
    return ends_number(*text) ? text : NULL;
}

/* Reads a finite number that goes up to the end of its word; NULL: there is none. */
static const char *read_number(const char *text, const char *end, double *value)
{
    const char *after = dcpn_parse_double(text, end, value);
    return after && (after == end || ends_number(*after)) && isfinite(*value) ? after : NULL;
}

static const char *read_index(const char *text, const char *end, int64_t *index)
{
    const char *after = dcpn_parse_integer(text, end, index);
    if (!after || after == end || *after != ':' || *index < 0 || *index > DCPN_LIBSVM_LARGEST) return NULL;
    return after + 1;
}

static __attribute__((noinline)) const char *skip_blanks(const char *text, const char *end)
{
    while (text < end && (*text == ' ' || *text == '\t')) text++;
    return text;
}

/* Returns the place behind the line end if the rest of the line is nothing or a comment; NULL: it is something else. */
static const char *skip_line_end(const char *text, const char *end)
{
    if (text < end && *text == '#') {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        return newline && !memchr(text, '\0', (size_t)(newline - text)) ? newline + 1 : NULL;
    }
    if (end - text >= 2 && text[0] == '\r' && text[1] == '\n') return text + 2;
    return text < end && *text == '\n' ? text + 1 : NULL;
}

/* Reads the label and, if there is one, the qid. */
static const char *read_head(const char *text, const char *end, int unlabelled, double *label)
{
    int64_t query;
    if (unlabelled && *text == '?' && end - text >= 2 && ends_number(text[1])) {
        *label = NAN;
        text++;
    } else {
        text = read_number(text, end, label);
    }
    if (!text) return NULL;
    text = skip_blanks(text, end);
    if (end - text < 4 || memcmp(text, "qid:", 4) != 0) return text;
    text = dcpn_parse_integer(text + 4, end, &query);
    return text && text < end && ends_number(*text) ? text : NULL;
}

/* ---- Rows ---------------------------------------------------------------------------------------------------------*/

/* The properties of a row that have to be put right once all of its entries are stored. */
struct row {
    int64_t end; /* of its entries */
    int is_unordered, has_zeros;
};

/* How values are stored: as doubles, as floats nearest to them, or as floats if those are the same numbers. */
enum kind { DOUBLES, FLOATS, EXACT_FLOATS };

static inline __attribute__((always_inline)) int store_float(struct libsvm_piece *piece, float *to, double value,
                                                             enum kind kind)
{
    *to = (float)value;
    if (kind == FLOATS) return isfinite((double)*to);
    if ((double)*to == value) return 1;
    piece->is_wide = 1;
    return 0;
}

/* The loop that reading is made of. Returns what stands behind the last entry; NULL: something is wrong. */
static inline __attribute__((always_inline)) const char *read_entries(struct libsvm_piece *piece, const char *text,
                                                                      const struct libsvm_arrays *to, enum kind kind,
                                                                      struct row *row)
{
    const char *end = piece->end;
    int32_t *indices = to->indices, before = -2;
    double *doubles = to->values;
    float *floats = to->values;
    int64_t k = row->end, room = piece->first_entry + piece->room;
    int is_unordered = 0, has_zeros = 0;
    for (;;) {
        int64_t index;
        double value;
        /* A single blank is skipped by a branch, whose prediction does not wait for the character, while the next load
         * would. */
        text = *text == ' ' ? text + 1 : skip_blanks(text, end);
        uint64_t word = dcpn_eight_characters(text);
        int digits = dcpn_count_digits(word);
        if (digits >= 1 && digits <= 7 && text[digits] == ':') {
            index = dcpn_number_of_digits(word, digits);
            text += digits + 1;
        } else {
            text = skip_blanks(text, end);
            if (text >= end || *text == '\n' || *text == '\r' || *text == '#') break;
            int64_t long_one; /* a variable of its own, so that the other can stay in a register */
            text = read_index(text, end, &long_one);
            if (!text) return NULL;
            index = long_one;
        }
        const char *after = read_plain_value(text, &value);
        if (!after) {
            double long_one;
            after = read_number(text, end, &long_one);
            value = long_one;
        }
        if (!after || k == room) return NULL;
        text = after;
        int32_t stored = (int32_t)index - 1;
        indices[k] = stored;
        if (kind == DOUBLES)
            doubles[k] = value;
        else if (!store_float(piece, floats + k, value, kind))
            return NULL;
        k++;
        is_unordered |= stored <= before;
        has_zeros |= value == 0.0 || (kind == FLOATS && (float)value == 0.0f);
        before = stored;
    }
    row->is_unordered = is_unordered;
    row->has_zeros = has_zeros;
    row->end = k;
    return text;
}

/* Notes the first and the last feature of a row, counted from 0 on. 0: the first is below the least number. */
static inline int note_features(struct libsvm_piece *piece, int32_t first, int32_t last, int index_base)
{
    piece->has_features = 1;
    piece->uses_zero |= first < 0;
    if (last > piece->largest) piece->largest = last;
    return first >= 0 || index_base != 1;
}

/* Reads the row at text, which is not blank. Returns the next line; NULL: something is wrong. */
static inline __attribute__((always_inline)) const char *read_row(struct libsvm_piece *piece, const char *text,
                                                                  const dcpn_read_options *options,
                                                                  const struct libsvm_arrays *to, enum kind kind)
{
    double label;
    int64_t first = piece->first_entry + piece->entries;
    struct row row = {.end = first};
    text = read_head(text, piece->end, options->unlabelled, &label);
    if (!text) return NULL;
    text = read_entries(piece, text, to, kind, &row);
    if (!text || piece->rows == piece->lines) return NULL;
    if (row.is_unordered && !sort_row(to, first, row.end - first)) return NULL;
    if (row.end > first &&
        !note_features(piece, to->indices[first], to->indices[row.end - 1], dcpn_index_base(options)))
        return NULL;
    if (row.has_zeros) row.end = drop_zeros(to, first, row.end);
    to->labels[piece->first_row + piece->rows] = label;
    to->ends[piece->first_row + piece->rows + 1] = row.end;
    piece->rows++;
    piece->entries = row.end - piece->first_entry;
    return skip_line_end(text, piece->end);
}

static inline __attribute__((always_inline)) void
read_rows(struct libsvm_piece *piece, const dcpn_read_options *options, const struct libsvm_arrays *to, enum kind kind)
{
    for (const char *line = piece->begin, *next; line < piece->end; line = next) {
        const char *text = skip_blanks(line, piece->end);
        next = skip_line_end(text, piece->end);
        if (!next) next = read_row(piece, text, options, to, kind);
        if (next) continue;
        if (!piece->is_wide) piece->wrong = line;
        return;
    }
}

void dcpn_libsvm_parse(struct libsvm_piece *piece, const dcpn_read_options *options, const struct libsvm_arrays *to)
{
    piece->rows = piece->entries = 0;
    piece->largest = -1;
    piece->uses_zero = piece->has_features = piece->is_wide = 0;
    piece->wrong = NULL;
    if (to->value_type == DCPN_FLOAT64)
        read_rows(piece, options, to, DOUBLES);
    else if (to->is_exact)
        read_rows(piece, options, to, EXACT_FLOATS);
    else
        read_rows(piece, options, to, FLOATS);
    piece->is_parsed = !piece->is_wide;
}
