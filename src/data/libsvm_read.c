/* SPDX-License-Identifier: BSD-3-Clause */
/* LIBSVM text, read in pieces on all threads. Line ends and colons are counted, so that each piece knows its place in
 * the arrays, and at once, while the text is in the cache, it is parsed. How large the arrays will be a few pieces
 * tell; where they were not typical, the arrays grow and what had no room is parsed then. Whatever the threads, the
 * arrays are the same, and so is the line that is refused: the first one that is wrong. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/threads.h"
#include "base/utf8.h"
#include "data/dataset.h"
#include "data/format.h"
#include "data/labels.h"
#include "data/libsvm.h"
#include "data/storage.h"

enum {
    PIECE = 1 << 19, /* bytes, about */
    SURVEYED = 8,    /* pieces: so many tell the size of all */
    MARGIN = 32,     /* of that: one part in so many more */
    TAIL = 64,       /* bytes at the end of the content, at least, that are copied: those before may be read over */
    SNIFFED = 1 << 16,
};

struct reader {
    dcpn_context *context;
    const struct content *content;
    dcpn_read_options options;
    struct libsvm_piece *pieces; /* the last one lies in `tail` */
    int64_t piece_count;
    char *tail; /* the last lines, the last of them with a line end */
    const char *tail_place;
    struct libsvm_arrays arrays;
    int64_t placed;         /* pieces, from the first on, that know their part of the arrays */
    int64_t lines, room;    /* in those */
    int64_t counted, begun; /* pieces that some thread has taken to count, to parse */
    int64_t rows, entries;
    int64_t used;       /* columns: the largest feature number tells */
    atomic_int is_wide; /* a value is no float */
    struct mutex mutex; /* of placed, lines, room, counted, begun and whether a piece is counted */
};

/* ---- Pieces -------------------------------------------------------------------------------------------------------*/

static const char *text_start(const struct content *content)
{
    return content->bytes + dcpn_byte_order_mark(content->bytes, content->size);
}

/* Copies the last lines, behind whose end nothing may be read, and a line without an end. */
static dcpn_status copy_tail(struct reader *reader, const char *start)
{
    const char *end = reader->content->bytes + reader->content->size, *newline = NULL;
    if (end - start > TAIL) newline = memrchr(start, '\n', (size_t)(end - start - TAIL));
    reader->tail_place = newline ? newline + 1 : start;
    size_t length = (size_t)(end - reader->tail_place);
    reader->tail = dcpn_allocate(reader->context, length + 1 + DCPN_LIBSVM_OVERREAD, 1);
    if (!reader->tail) return DCPN_MEMORY;
    memcpy(reader->tail, reader->tail_place, length);
    memset(reader->tail + length, 0, 1 + DCPN_LIBSVM_OVERREAD);
    if (length && reader->tail[length - 1] != '\n') reader->tail[length++] = '\n';
    reader->pieces[reader->piece_count++] = (struct libsvm_piece){.begin = reader->tail, .end = reader->tail + length};
    return DCPN_OK;
}

static dcpn_status cut(struct reader *reader)
{
    const char *start = text_start(reader->content);
    size_t most = reader->content->size / PIECE + 2;
    reader->pieces = dcpn_allocate(reader->context, most, sizeof *reader->pieces);
    if (!reader->pieces) return DCPN_MEMORY;
    DCPN_TRY(copy_tail(reader, start));
    struct libsvm_piece tail = reader->pieces[--reader->piece_count];
    for (const char *begin = start, *end = reader->tail_place, *stop; begin < end; begin = stop) {
        stop = end;
        if (end - begin > PIECE) {
            const char *newline = memchr(begin + PIECE, '\n', (size_t)(end - begin - PIECE));
            if (newline) stop = newline + 1;
        }
        reader->pieces[reader->piece_count++] = (struct libsvm_piece){.begin = begin, .end = stop};
        dcpn_content_forget(reader->content, begin, stop); /* a look at one page can have mapped many */
    }
    reader->pieces[reader->piece_count++] = tail;
    return DCPN_OK;
}

/* ---- Parsing ------------------------------------------------------------------------------------------------------*/

/* NULL, the calling thread alone, where that is faster. */
static dcpn_context *threads_for(const struct reader *reader)
{
    return reader->piece_count > 2 ? reader->context : NULL;
}

/* The distance between the pieces whose lines are counted before the others are parsed. */
static int64_t survey_step(const struct reader *reader)
{
    return (reader->piece_count + SURVEYED - 1) / SURVEYED;
}

static void count_surveyed(void *user, int64_t begin, int64_t end)
{
    const struct reader *reader = user;
    for (int64_t k = begin; k < end; k++) {
        struct libsvm_piece *piece = &reader->pieces[k * survey_step(reader)];
        dcpn_libsvm_count(piece);
        piece->is_counted = 1;
    }
}

/* Makes room for all rows and entries, judged by pieces here and there. */
static dcpn_status survey(struct reader *reader)
{
    int64_t count = reader->piece_count, step = survey_step(reader), lines = 0, room = 0, looked_at = 0;
    dcpn_parallel_items(threads_for(reader), (count + step - 1) / step, count_surveyed, reader);
    for (int64_t p = 0; p < count; p += step) {
        lines += reader->pieces[p].lines;
        room += reader->pieces[p].room;
        looked_at += reader->pieces[p].end - reader->pieces[p].begin;
    }
    double bytes = (double)looked_at, size = (double)reader->content->size;
    dcpn_content_forget(reader->content, reader->content->bytes, reader->content->bytes + reader->content->size);
    if (step > 1) { /* at least a byte each, so that no sum overflows */
        lines = (int64_t)((double)lines * fmin(size / bytes * (1.0 + 1.0 / MARGIN), size));
        room = (int64_t)((double)room * fmin(size / bytes * (1.0 + 1.0 / MARGIN), size));
    }
    return dcpn_libsvm_reserve(reader->context, &reader->arrays, lines, room);
}

/* The columns of a piece, from the base that the options give or, if they do not, the lesser one. */
static int64_t columns_of(const struct reader *reader, const struct libsvm_piece *piece)
{
    int base = reader->options.indexing == DCPN_INDEX_FROM_1;
    return piece->has_features ? (int64_t)piece->largest + 2 - base : 0;
}

/* Is the piece settled, so that nothing can be wrong with its text any more? */
static int is_settled(const struct reader *reader, const struct libsvm_piece *piece)
{
    int64_t features = reader->options.features;
    int64_t most = features > 0 ? features : dcpn_believed_size(reader->content);
    return !piece->wrong && columns_of(reader, piece) <= most;
}

static int can_parse(const struct reader *reader, const struct libsvm_piece *piece)
{
    return !piece->is_parsed && !(reader->arrays.is_exact && reader->is_wide) &&
           piece->first_row + piece->lines <= reader->arrays.row_room &&
           piece->first_entry + piece->room <= reader->arrays.entry_room;
}

static void parse_piece(struct reader *reader, struct libsvm_piece *piece)
{
    if (!can_parse(reader, piece)) return;
    dcpn_libsvm_parse(piece, &reader->options, &reader->arrays);
    if (piece->is_wide)
        reader->is_wide = 1;
    else if (is_settled(reader, piece))
        dcpn_content_drop(reader->content, piece->begin, piece->end);
}

/* Notes that a piece is counted. It and those after it get their parts of the arrays, as far as all pieces before have
 * theirs. */
static void place(struct reader *reader, int64_t counted)
{
    dcpn_mutex_lock(&reader->mutex);
    reader->pieces[counted].is_counted = 1;
    while (reader->placed < reader->piece_count && reader->pieces[reader->placed].is_counted) {
        struct libsvm_piece *piece = &reader->pieces[reader->placed++];
        piece->first_row = reader->lines;
        piece->first_entry = reader->room;
        reader->lines += piece->lines;
        reader->room += piece->room;
    }
    dcpn_mutex_unlock(&reader->mutex);
}

/* The next piece to parse or, if none has its place, to count; -1: there is nothing left to begin with. Nobody waits
 * for another: on a busy machine that one may not even run. */
static int64_t next_piece(struct reader *reader, int *is_placed)
{
    int64_t p = -1;
    int goes_on = !(reader->arrays.is_exact && reader->is_wide);
    if (dcpn_is_interrupted(reader->context)) return -1;
    dcpn_mutex_lock(&reader->mutex);
    *is_placed = reader->begun < reader->placed;
    if (*is_placed)
        p = reader->begun++;
    else if (goes_on && reader->counted < reader->piece_count)
        p = reader->counted++;
    dcpn_mutex_unlock(&reader->mutex);
    return p;
}

/* Does the next piece of work that no other thread has begun, counting or parsing, until none is left. */
static void work_on_pieces(void *user, int64_t begin, int64_t end)
{
    struct reader *reader = user;
    int is_placed;
    (void)begin, (void)end;
    for (int64_t p; (p = next_piece(reader, &is_placed)) >= 0;) {
        if (is_placed) {
            parse_piece(reader, &reader->pieces[p]);
        } else {
            if (!reader->pieces[p].is_counted) dcpn_libsvm_count(&reader->pieces[p]);
            place(reader, p);
        }
    }
}

static void parse_pieces(struct reader *reader)
{
    reader->begun = 0;
    reader->counted = reader->placed;
    dcpn_mutex_init(&reader->mutex);
    dcpn_parallel_items(threads_for(reader), reader->piece_count, work_on_pieces, reader);
    dcpn_mutex_destroy(&reader->mutex);
}

static int are_parsed(const struct reader *reader)
{
    int64_t p = 0;
    while (p < reader->piece_count && reader->pieces[p].is_parsed) p++;
    return p == reader->piece_count;
}

/* Parses all pieces. As long as some are not parsed it removes what stood in the way, values that are no floats or too
 * little room, and tries them again. */
static dcpn_status parse(struct reader *reader)
{
    DCPN_TRY(survey(reader));
    parse_pieces(reader);
    while (!are_parsed(reader)) {
        DCPN_TRY(dcpn_refuse_interrupted(reader->context, "reading"));
        if (reader->is_wide && reader->arrays.is_exact)
            DCPN_TRY(dcpn_libsvm_widen(reader->context, &reader->arrays, reader->pieces, reader->piece_count));
        DCPN_TRY(dcpn_libsvm_reserve(reader->context, &reader->arrays, reader->lines, reader->room));
        parse_pieces(reader);
    }
    return DCPN_OK;
}

/* ---- Refusals -----------------------------------------------------------------------------------------------------*/

static const char *place_in_content(const struct reader *reader, int64_t piece, const char *place)
{
    return piece == reader->piece_count - 1 ? reader->tail_place + (place - reader->tail) : place;
}

/* The first line of a piece that is wrong, also by the number of features if that is not 0. Other pieces may have been
 * dropped. */
static dcpn_status explain(const struct reader *reader, int64_t p, int64_t features)
{
    const struct libsvm_piece *piece = &reader->pieces[p];
    const char *content_end = reader->content->bytes + reader->content->size;
    const char *end = p == reader->piece_count - 1 ? content_end : piece->end;
    struct line_reader lines;
    int more;
    dcpn_lines_over(reader->content, &lines);
    if (p > 0) lines.next = place_in_content(reader, p, piece->begin); /* else from the byte order mark on */
    lines.number = piece->first_row;
    while (lines.next < end) {
        DCPN_TRY(dcpn_lines_next(&lines, &more));
        if (more) DCPN_TRY(dcpn_libsvm_check_line(&lines, &reader->options, features, NULL));
    }
    return dcpn_fail(reader->context, DCPN_IO, "%s: changed while it was read; read it again", reader->content->name);
}

static dcpn_status refuse_wrong_line(const struct reader *reader)
{
    for (int64_t p = 0; p < reader->piece_count; p++)
        if (reader->pieces[p].wrong) return explain(reader, p, 0);
    return DCPN_OK;
}

static dcpn_status refuse_feature_beyond(const struct reader *reader, int64_t features)
{
    int64_t p = 0;
    while (p < reader->piece_count - 1 && columns_of(reader, &reader->pieces[p]) <= features) p++;
    return explain(reader, p, features);
}

static void warn_of_truncation(const struct reader *reader)
{
    const struct content *content = reader->content;
    if (content->size && content->bytes[content->size - 1] != '\n')
        dcpn_log(reader->context, DCPN_LOG_WARNING, "%s: line %lld ends without a line end: was it truncated?",
                 content->name, (long long)reader->lines);
}

/* ---- One matrix ---------------------------------------------------------------------------------------------------*/

/* Zeros, comments and blank lines leave gaps between the parts. */
static void move_entries(struct libsvm_arrays *arrays, const struct libsvm_piece *piece, int64_t to)
{
    size_t count = (size_t)piece->entries;
    size_t size = dcpn_value_size(arrays->value_type);
    char *values = arrays->values;
    memmove(arrays->indices + to, arrays->indices + piece->first_entry, count * sizeof *arrays->indices);
    memmove(values + (size_t)to * size, values + (size_t)piece->first_entry * size, count * size);
}

static void move_rows(struct libsvm_arrays *arrays, const struct libsvm_piece *piece, int64_t to, int64_t shift)
{
    int64_t *ends = arrays->ends + 1;
    memmove(arrays->labels + to, arrays->labels + piece->first_row, (size_t)piece->rows * sizeof *arrays->labels);
    memmove(ends + to, ends + piece->first_row, (size_t)piece->rows * sizeof *ends);
    for (int64_t i = to; shift && i < to + piece->rows; i++) ends[i] -= shift;
}

static void close_gaps(struct reader *reader)
{
    for (int64_t p = 0; p < reader->piece_count; p++) {
        const struct libsvm_piece *piece = &reader->pieces[p];
        int64_t shift = piece->first_entry - reader->entries;
        if (shift) move_entries(&reader->arrays, piece, reader->entries);
        if (shift || piece->first_row > reader->rows) move_rows(&reader->arrays, piece, reader->rows, shift);
        reader->rows += piece->rows;
        reader->entries += piece->entries;
    }
}

/* Decides where the file counts from, and returns the number of columns in use. */
static int64_t settle_base(struct reader *reader)
{
    int64_t largest = -1;
    int uses_zero = 0, has_features = 0;
    for (int64_t p = 0; p < reader->piece_count; p++) {
        if (reader->pieces[p].largest > largest) largest = reader->pieces[p].largest;
        uses_zero |= reader->pieces[p].uses_zero;
        has_features |= reader->pieces[p].has_features;
    }
    if (reader->options.indexing == DCPN_INDEX_DETECT)
        reader->options.indexing = uses_zero ? DCPN_INDEX_FROM_0 : DCPN_INDEX_FROM_1;
    return has_features ? largest + 2 - dcpn_index_base(&reader->options) : 0;
}

static void increase(void *user, int64_t begin, int64_t end)
{
    int32_t *indices = user;
    for (int64_t k = begin; k < end; k++) indices[k]++;
}

static dcpn_status settle_columns(struct reader *reader, int64_t *columns)
{
    int64_t used = reader->used = settle_base(reader), features = reader->options.features;
    *columns = features > 0 ? features : used > reader->options.at_least ? used : reader->options.at_least;
    if (used > *columns) return refuse_feature_beyond(reader, features);
    int64_t believed = dcpn_believed_size(reader->content);
    if (features == 0 && used > reader->options.at_least && used > believed)
        return refuse_feature_beyond(reader, believed);
    if (*columns == 0)
        return dcpn_fail(reader->context, DCPN_DATA,
                         "%s: found no feature in %lld rows, expected: label index:value ...; --features tells how "
                         "many there are where all are 0",
                         reader->content->name, (long long)reader->rows);
    if (reader->options.indexing == DCPN_INDEX_FROM_0)
        dcpn_parallel_ranges(threads_for(reader), reader->entries, increase, reader->arrays.indices);
    return DCPN_OK;
}

static dcpn_status make_matrix(struct reader *reader, int64_t columns, dcpn_matrix **matrix)
{
    struct compressed_owned owned = {.rows = reader->rows,
                                     .columns = columns,
                                     .pointers = reader->arrays.ends,
                                     .indices = reader->arrays.indices,
                                     .values = reader->arrays.values,
                                     .value_type = reader->arrays.value_type,
                                     .is_checked = 1};
    reader->arrays.ends = NULL; /* handed over */
    reader->arrays.indices = NULL;
    reader->arrays.values = NULL;
    return dcpn_store_rows(reader->context, &owned, reader->options.storage, matrix);
}

static dcpn_status make_dataset(struct reader *reader, int64_t columns, dcpn_dataset **dataset)
{
    dcpn_dataset *made = dcpn_allocate(reader->context, 1, sizeof *made);
    if (!made) return DCPN_MEMORY;
    *made = (dcpn_dataset){.labels = reader->arrays.labels,
                           .rows = reader->rows,
                           .features = columns,
                           .index_base = dcpn_index_base(&reader->options),
                           .features_found = reader->used,
                           .context = reader->context};
    reader->arrays.labels = NULL;
    dcpn_status status = make_matrix(reader, columns, &made->matrix);
    if (status == DCPN_OK && reader->options.labels_path) {
        dcpn_free(reader->context, made->labels);
        made->labels = NULL;
        status = dcpn_labels_elsewhere(reader->content, &reader->options, NULL, made);
    }
    if (status == DCPN_OK)
        *dataset = made;
    else
        dcpn_dataset_free(made);
    return status;
}

static dcpn_status read_all(struct reader *reader, dcpn_dataset **dataset)
{
    int64_t columns;
    DCPN_TRY(cut(reader));
    DCPN_TRY(parse(reader));
    DCPN_TRY(refuse_wrong_line(reader));
    warn_of_truncation(reader);
    close_gaps(reader);
    if (reader->rows == 0)
        return dcpn_fail(reader->context, DCPN_DATA, "%s: found no rows in %lld lines, expected: label index:value ...",
                         reader->content->name, (long long)reader->lines);
    DCPN_TRY(settle_columns(reader, &columns));
    return make_dataset(reader, columns, dataset);
}

static dcpn_status read(const struct content *content, const dcpn_read_options *options, dcpn_dataset **dataset)
{
    struct reader reader = {.context = content->context, .content = content, .options = *options};
    reader.arrays.is_exact = options->narrow && options->value_type == DCPN_FLOAT64;
    reader.arrays.value_type = reader.arrays.is_exact ? DCPN_FLOAT32 : options->value_type;
    dcpn_status status = read_all(&reader, dataset);
    dcpn_free(reader.context, reader.pieces);
    dcpn_free(reader.context, reader.tail);
    dcpn_libsvm_release(reader.context, &reader.arrays);
    return status;
}

/* ---- All that is wrong --------------------------------------------------------------------------------------------*/

static dcpn_status check(const struct content *content, const dcpn_read_options *options, struct findings *findings)
{
    struct line_reader lines;
    int more = 1;
    dcpn_lines_over(content, &lines);
    while (more) {
        dcpn_status status = dcpn_lines_next(&lines, &more);
        if (status == DCPN_OK && more) status = dcpn_libsvm_check_line(&lines, options, 0, findings);
        if (status == DCPN_DATA)
            dcpn_findings_add(findings, dcpn_last_error(content->context));
        else if (status != DCPN_OK)
            return status;
    }
    return DCPN_OK;
}

/* ---- The format ---------------------------------------------------------------------------------------------------*/

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Does "digits:" or "qid:" start here? */
static int is_feature(const char *text, const char *end)
{
    const char *at = text;
    if (end - text >= 4 && memcmp(text, "qid:", 4) == 0) return 1;
    while (at < end && is_digit(*at)) at++;
    return at > text && at < end && *at == ':';
}

/* How sure is it that the line is LIBSVM text? -1: it is blank or a comment, and does not tell. */
static int line_certainty(const char *text, const char *end)
{
    text = dcpn_skip_blanks(text, end);
    if (text == end || *text == '#' || *text == '\r') return -1;
    text = dcpn_skip_blanks(dcpn_word_end(text, end), end);
    if (text < end && is_feature(text, end)) return 90;
    return text == end || *text == '\r' ? 5 : 0; /* a label alone: anything could look like that */
}

/* The first line that tells something decides. */
static int sniff(const char *bytes, size_t size)
{
    const struct content content = {.bytes = bytes, .size = size < SNIFFED ? size : SNIFFED};
    const char *end = bytes + content.size;
    int best = 0;
    for (const char *line = text_start(&content), *next; line < end; line = next) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        int certainty = line_certainty(line, newline ? newline : end);
        next = newline ? newline + 1 : end;
        if (certainty == 90 || certainty == 0) return certainty;
        if (certainty > best) best = certainty;
    }
    return best;
}

const struct format dcpn_format_libsvm = {
    .name = "libsvm",
    .extensions = ".svm .libsvm .svmlight .txt",
    .summary = "LIBSVM, svmlight: label [qid:n] index:value ... [# comment]",
    .sniff = sniff,
    .read = read,
    .write = dcpn_write_libsvm,
    .check = check,
};
