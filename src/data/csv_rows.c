/* SPDX-License-Identifier: BSD-3-Clause */
/* The second pass over a table of comma-separated values: its rows are read, or checked. The problem that is reported
 * is the first of the text. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/number.h"
#include "base/threads.h"
#include "data/csv_categories.h"
#include "data/csv_table.h"
#include "data/labels.h"
#include "data/place.h"
#include "matrix/dense.h"

enum { TEXTS_SHOWN = 3 };

/* ---- Chunks of rows -----------------------------------------------------------------------------------------------*/

static const char *fail_field(struct csv_chunk *chunk, enum csv_problem problem, struct csv_field field, int64_t number)
{
    chunk->problem = problem;
    chunk->field = field;
    chunk->field_number = number;
    return NULL;
}

static struct csv_field at_place(const char *place)
{
    return (struct csv_field){.start = place, .end = place};
}

static int fits(const struct csv *csv, double value)
{
    return isfinite(value) && (csv->options->value_type == DCPN_FLOAT64 || isfinite((float)value));
}

/* Remembers how decimals are written. */
static void note_decimals(const struct csv *csv, struct csv_chunk *chunk, const char *start, const char *end)
{
    size_t length = (size_t)(end - start);
    const struct csv_field field = {.start = start, .end = end};
    if (csv->separator == ',') return;
    if (!chunk->point.start && memchr(start, '.', length)) chunk->point = field;
    if (!chunk->comma.start && memchr(start, ',', length)) chunk->comma = field;
}

/* Reads a field that is not just digits up to its end: it has blanks or quotes, is missing or wrong. */
static const char *read_other(const struct csv *csv, struct csv_chunk *chunk, const char *at, int64_t f, double *value,
                              int *is_gap)
{
    struct csv_field field;
    enum csv_problem problem;
    const char *after = dcpn_csv_field(csv, at, &field, &problem);
    if (!after) return fail_field(chunk, problem, field, f);
    *is_gap = dcpn_csv_is_gap((struct word){field.start, field.end - field.start});
    if (*is_gap) {
        *value = csv->missing == CSV_ZERO ? 0.0 : (double)NAN;
        return csv->missing == CSV_REFUSE ? fail_field(chunk, CSV_MISSING, field, f) : after;
    }
    if (dcpn_word_truth((struct word){field.start, field.end - field.start}, value)) return after;
    if (!dcpn_csv_number(csv, &field, value)) return fail_field(chunk, CSV_TEXT, field, f);
    note_decimals(csv, chunk, field.start, field.end);
    if (fits(csv, *value)) return after;
    int is_word = !isfinite(*value) && dcpn_is_number_word(field.start, field.end);
    return fail_field(chunk, is_word ? CSV_NOT_FINITE : CSV_TOO_LARGE, field, f);
}

static const char *read_number(const struct csv *csv, struct csv_chunk *chunk, const char *at, int64_t f, double *value,
                               int *is_gap)
{
    const char *after = dcpn_parse_double(at, csv->end, value);
    if (!after || !dcpn_csv_ends_field(csv, after) || !fits(csv, *value))
        return read_other(csv, chunk, at, f, value, is_gap);
    note_decimals(csv, chunk, at, after);
    return after;
}

static const char *read_label(struct csv_table *table, struct csv_chunk *chunk, const char *at, int64_t f, int64_t row)
{
    struct csv_field field;
    enum csv_problem problem;
    const char *after = dcpn_csv_field(table->csv, at, &field, &problem);
    if (!after) return fail_field(chunk, problem, field, f);
    const struct word word = {field.start, field.end - field.start};
    if (f == table->csv->label) table->labels[row] = word;
    if (f == table->csv->id) table->ids[row] = word;
    return after;
}

/* A place for one more entry of the chunk, -1 if the first pass has not counted it. */
static int64_t take_entry(struct csv_chunk *chunk)
{
    return chunk->entries_read < chunk->entries ? chunk->first_entry + chunk->entries_read++ : -1;
}

/* Counts a missing value. Chunks are read at the same time, but a sum of whole numbers does not depend on their
 * order. */
static void count_gap(struct csv_table *table, int64_t column)
{
    __atomic_fetch_add(&table->gaps[column], 1, __ATOMIC_RELAXED);
}

static const char *read_feature(struct csv_table *table, struct csv_chunk *chunk, const char *at, int64_t f,
                                int64_t row)
{
    const struct csv *csv = table->csv;
    int64_t column = csv->feature_of[f];
    double value = 0.0;
    const char *after = dcpn_csv_zero_field(csv, at);
    int is_entry = !after, is_gap = after && *at != '0';
    if (is_entry) after = read_number(csv, chunk, at, f, &value, &is_gap);
    if (is_gap && table->gaps) count_gap(table, column);
    if (!after || (table->is_sparse && !is_entry)) return after;
    int64_t place = table->is_sparse ? take_entry(chunk) : row + column * table->rows;
    if (place < 0) return fail_field(chunk, CSV_CHANGED, at_place(at), f);
    dcpn_store_value(table->values, csv->options->value_type, place, value);
    if (table->is_sparse) table->sparse.indices[place] = (int32_t)column;
    return after;
}

/* Stores the values of a row for the features of a column of categories, its level being number `found`. */
static const char *store_level(struct csv_table *table, struct csv_chunk *chunk, const struct csv_coding *coding,
                               int64_t found, const struct csv_field *field, int64_t row)
{
    const struct csv *csv = table->csv;
    for (int64_t k = 1; k < coding->category.count; k++) {
        int64_t column = coding->feature_of[k];
        double value = dcpn_csv_level_value(csv, k, found);
        if (column < 0) continue;
        if (found < 0) count_gap(table, column);
        if (table->is_sparse && value == 0.0) continue;
        int64_t place = table->is_sparse ? take_entry(chunk) : row + column * table->rows;
        if (place < 0) return fail_field(chunk, CSV_CHANGED, *field, -1);
        dcpn_store_value(table->values, csv->options->value_type, place, value);
        if (table->is_sparse) table->sparse.indices[place] = (int32_t)column;
    }
    return field->end;
}

/* A level that is not known is a missing value: nothing is known of what it does. */
static const char *read_category(struct csv_table *table, struct csv_chunk *chunk, const char *at, int64_t f,
                                 int64_t row)
{
    const struct csv *csv = table->csv;
    const struct csv_coding *coding = dcpn_csv_coding(csv, f);
    struct csv_field field;
    enum csv_problem problem;
    const char *after = dcpn_csv_field(csv, at, &field, &problem);
    if (!after) return fail_field(chunk, problem, field, f);
    struct word word = {field.start, field.end - field.start};
    int64_t found = dcpn_category_find(&coding->category, word);
    if (found < 0 && csv->missing == CSV_REFUSE && coding->features > 0)
        return fail_field(chunk, dcpn_csv_is_gap_among_texts(word) ? CSV_MISSING : CSV_STRANGER, field, f);
    if (found < 0 && !dcpn_csv_is_gap_among_texts(word)) __atomic_fetch_add(&table->strangers[f], 1, __ATOMIC_RELAXED);
    return store_level(table, chunk, coding, found, &field, row) ? after : NULL;
}

/* Returns the end of the row; NULL: the chunk has a problem. */
static const char *read_row(struct csv_table *table, struct csv_chunk *chunk, const char *row_start, int64_t row)
{
    const struct csv *csv = table->csv;
    const char *at = row_start;
    for (int64_t f = 0;; f++, at++) {
        if (f == csv->fields) return fail_field(chunk, CSV_TOO_MANY, at_place(at), f);
        if (dcpn_csv_coding(csv, f))
            at = read_category(table, chunk, at, f, row);
        else
            at = dcpn_csv_is_feature(csv, f) ? read_feature(table, chunk, at, f, row)
                                             : read_label(table, chunk, at, f, row);
        if (!at) return NULL;
        if (at < csv->end && *at == csv->separator) continue;
        return f + 1 == csv->fields ? at : fail_field(chunk, CSV_TOO_FEW, at_place(row_start), f);
    }
}

static void read_chunk(struct csv_table *table, struct csv_chunk *chunk)
{
    const char *at = chunk->start;
    while ((at = dcpn_csv_row(at, chunk->end))) {
        if (chunk->rows_read == chunk->rows) {
            fail_field(chunk, CSV_CHANGED, at_place(at), 0);
            return;
        }
        int64_t row = chunk->first_row + chunk->rows_read++;
        at = read_row(table, chunk, at, row);
        if (!at) return;
        if (table->is_sparse) table->sparse.pointers[row + 1] = chunk->first_entry + chunk->entries_read;
        if (at < chunk->end) at++;
    }
    int is_complete = chunk->rows_read == chunk->rows && (!table->is_sparse || chunk->entries_read == chunk->entries);
    if (!is_complete) fail_field(chunk, CSV_CHANGED, at_place(chunk->start), 0);
}

static dcpn_status refuse_mixed_decimals(const struct csv_table *table)
{
    struct csv_field comma = {0}, point = {0};
    for (int64_t k = table->chunk_count - 1; k >= 0; k--) {
        if (table->chunks[k].comma.start) comma = table->chunks[k].comma;
        if (table->chunks[k].point.start) point = table->chunks[k].point;
    }
    if (!comma.start || !point.start) return DCPN_OK;
    return dcpn_csv_refuse(table->csv, CSV_MIXED_DECIMALS, comma.start > point.start ? &comma : &point, -1);
}

static void read_some(void *user, int64_t begin, int64_t end)
{
    struct csv_table *table = user;
    for (int64_t k = begin; k < end && !dcpn_is_interrupted(table->csv->content->context); k++) {
        read_chunk(table, &table->chunks[k]);
        dcpn_content_forget(table->csv->content, table->chunks[k].start, table->chunks[k].end);
    }
}

static dcpn_status read_chunks(struct csv_table *table)
{
    dcpn_parallel_items(table->csv->content->context, table->chunk_count, read_some, table);
    DCPN_TRY(dcpn_refuse_interrupted(table->csv->content->context, "reading"));
    for (int64_t k = 0; k < table->chunk_count; k++) {
        const struct csv_chunk *chunk = &table->chunks[k];
        if (chunk->problem) return dcpn_csv_refuse(table->csv, chunk->problem, &chunk->field, chunk->field_number);
    }
    return refuse_mixed_decimals(table);
}

/* ---- The result ---------------------------------------------------------------------------------------------------*/

static dcpn_status allocate_sparse(dcpn_context *context, struct csv_table *table)
{
    struct compressed_owned *sparse = &table->sparse;
    *sparse = (struct compressed_owned){
        .rows = table->rows, .columns = table->csv->features, .value_type = table->csv->options->value_type};
    sparse->pointers = dcpn_allocate(context, (size_t)table->rows + 1, sizeof *sparse->pointers);
    if (!sparse->pointers) return DCPN_MEMORY;
    sparse->pointers[0] = 0;
    sparse->indices = dcpn_allocate(context, (size_t)table->entries, sizeof *sparse->indices);
    return sparse->indices ? DCPN_OK : DCPN_MEMORY;
}

/* A field takes a byte at least, with what ends it: if there is not one for each, a row is short. Found before there is
 * room for fields that are not there. */
static dcpn_status refuse_short_row(const struct csv_table *table)
{
    const struct csv *csv = table->csv;
    const char *at = csv->rows_start, *row = at;
    if (table->rows <= (csv->end - csv->rows_start + 1) / csv->fields) return DCPN_OK;
    while (at && (row = dcpn_csv_row(at, csv->end))) {
        int64_t fields = 1;
        for (at = dcpn_csv_skip_field(csv, row); at && at < csv->end && *at == csv->separator; fields++)
            at = dcpn_csv_skip_field(csv, at + 1);
        const struct csv_field place = at_place(row);
        if (at && fields < csv->fields) return dcpn_csv_refuse(csv, CSV_TOO_FEW, &place, fields - 1);
    }
    return DCPN_OK;
}

static dcpn_status allocate(struct csv_table *table)
{
    const struct csv *csv = table->csv;
    dcpn_context *context = csv->content->context;
    int64_t stored = table->is_sparse ? table->entries : table->rows * csv->features;
    if (table->is_sparse) DCPN_TRY(allocate_sparse(context, table));
    if (csv->label >= 0 && !(table->labels = dcpn_allocate(context, (size_t)table->rows, sizeof *table->labels)))
        return DCPN_MEMORY;
    if (csv->id >= 0 && !(table->ids = dcpn_allocate(context, (size_t)table->rows, sizeof *table->ids)))
        return DCPN_MEMORY;
    if (csv->coding_of) {
        table->strangers = dcpn_allocate(context, (size_t)csv->fields, sizeof *table->strangers);
        if (!table->strangers) return DCPN_MEMORY;
        memset(table->strangers, 0, (size_t)csv->fields * sizeof *table->strangers);
    }
    if (csv->missing != CSV_REFUSE) {
        table->gaps = dcpn_allocate(context, (size_t)csv->features, sizeof *table->gaps);
        if (!table->gaps) return DCPN_MEMORY;
        memset(table->gaps, 0, (size_t)csv->features * sizeof *table->gaps);
    }
    table->values = dcpn_allocate(context, (size_t)stored, dcpn_value_size(csv->options->value_type));
    return table->values ? DCPN_OK : DCPN_MEMORY;
}

static dcpn_status make_matrix(struct csv_table *table, dcpn_matrix **matrix)
{
    dcpn_context *context = table->csv->content->context;
    void *values = table->values;
    table->values = NULL; /* handed over */
    if (!table->is_sparse)
        return dcpn_matrix_take_dense(context, table->rows, table->csv->features, values,
                                      table->csv->options->value_type, DCPN_COLUMN_MAJOR, matrix);
    struct compressed_owned sparse = table->sparse;
    sparse.values = values;
    table->sparse.pointers = NULL;
    table->sparse.indices = NULL;
    return dcpn_matrix_take_csr(context, &sparse, matrix);
}

static dcpn_status name_rows(const struct csv_table *table, dcpn_dataset *dataset)
{
    const struct csv *csv = table->csv;
    for (int64_t i = 0; table->ids && i < table->rows; i++) {
        const struct word *word = &table->ids[i];
        const char *zero = memchr(word->start, '\0', (size_t)word->length);
        if (zero)
            return dcpn_refuse_at(csv->content, zero,
                                  "found a zero byte in the name of a row, expected text; remove it");
    }
    if (!table->ids) return DCPN_OK;
    dataset->row_names = dcpn_names_copy(csv->content->context, table->ids, table->rows, 1);
    return dataset->row_names ? DCPN_OK : DCPN_MEMORY;
}

static dcpn_status make_dataset(struct csv_table *table, dcpn_dataset *dataset)
{
    const struct csv *csv = table->csv;
    unsigned style = csv->separator == ',' ? LABELS_QUOTED : LABELS_QUOTED | LABELS_DECIMAL_COMMA;
    if (csv->label >= 0)
        DCPN_TRY(dcpn_labels_from_words(csv->content, table->labels, style, csv->options, dataset));
    else
        DCPN_TRY(dcpn_labels_elsewhere(csv->content, csv->options, "a column named label", dataset));
    DCPN_TRY(name_rows(table, dataset));
    dataset->fill = table->fill;
    dataset->gaps = table->gaps;
    table->fill = NULL; /* handed over */
    table->gaps = NULL;
    return make_matrix(table, &dataset->matrix);
}

static dcpn_status read_table(struct csv_table *table, dcpn_dataset **dataset)
{
    const struct csv *csv = table->csv;
    dcpn_csv_cut(table);
    dcpn_csv_count_rows(table);
    DCPN_TRY(dcpn_refuse_interrupted(csv->content->context, "reading"));
    if (table->rows == 0)
        return dcpn_fail(csv->content->context, DCPN_DATA, "%s: found no rows, expected one a line%s",
                         csv->content->name, csv->header.count ? " after the header" : "");
    DCPN_TRY(refuse_short_row(table));
    DCPN_TRY(allocate(table));
    DCPN_TRY(read_chunks(table));
    DCPN_TRY(dcpn_csv_fill_gaps(table));
    DCPN_TRY(dcpn_dataset_new(csv->content->context, table->rows, csv->features_found, csv->features, csv->options,
                              dataset));
    return dcpn_dataset_finish(make_dataset(table, *dataset), dataset);
}

dcpn_status dcpn_csv_read_rows(const struct csv *csv, dcpn_dataset **dataset)
{
    dcpn_context *context = csv->content->context;
    struct csv_table table = {.csv = csv, .chunk_count = (csv->end - csv->rows_start) / DCPN_CSV_CHUNK + 1};
    table.chunks = dcpn_allocate(context, (size_t)table.chunk_count, sizeof *table.chunks);
    if (!table.chunks) return DCPN_MEMORY;
    dcpn_status status = read_table(&table, dataset);
    dcpn_free(context, table.chunks);
    dcpn_free(context, table.labels);
    dcpn_free(context, table.values);
    dcpn_free(context, table.fill);
    dcpn_free(context, table.ids);
    dcpn_free(context, table.gaps);
    dcpn_free(context, table.strangers);
    dcpn_free(context, table.sparse.pointers);
    dcpn_free(context, table.sparse.indices);
    return status;
}

/* ---- Checking -----------------------------------------------------------------------------------------------------*/

/* Adds a finding. Text in a column is reported a few times; the last of these findings says that no other one of the
 * column follows. */
static void add_finding(struct csv *csv, const struct csv_chunk *row, int64_t *texts, struct findings *findings)
{
    static const char *const rest[] = {"", "; in other rows this column is not looked at"};
    char sentence[DCPN_ERROR_LENGTH + 60];
    int is_last = row->problem == CSV_TEXT && ++texts[row->field_number] == TEXTS_SHOWN;
    if (findings->count < findings->limit) (void)dcpn_csv_refuse(csv, row->problem, &row->field, row->field_number);
    snprintf(sentence, sizeof sentence, "%s%s", dcpn_last_error(csv->content->context), rest[is_last]);
    dcpn_findings_add(findings, sentence);
    if (is_last) csv->feature_of[row->field_number] = -1;
}

/* Finds the end of a row with a problem. Fields in quotes may have line breaks; if the quotes are the problem, it is
 * the end of the line. */
static const char *skip_row(const struct csv *csv, const struct csv_chunk *row)
{
    const char *at = dcpn_csv_skip_field(csv, row->start);
    while (at && at < csv->end && *at == csv->separator) at = dcpn_csv_skip_field(csv, at + 1);
    return at ? at : memchr(row->field.start, '\n', (size_t)(csv->end - row->field.start));
}

/* Reads one row at a time into room for one row. After a row with a problem it goes on with the next. */
static void check_rows(struct csv *csv, struct csv_table *table, int64_t *texts, struct findings *findings)
{
    const char *at = csv->rows_start;
    while ((at = dcpn_csv_row(at, csv->end))) {
        struct csv_chunk row = {.start = at, .end = csv->end};
        const char *end = read_row(table, &row, at, 0);
        if (!end) {
            add_finding(csv, &row, texts, findings);
            end = skip_row(csv, &row);
        }
        if (!end || end == csv->end) break;
        at = end + 1;
    }
}

dcpn_status dcpn_csv_check_rows(struct csv *csv, struct findings *findings)
{
    struct csv_table table = {.csv = csv, .rows = 1};
    int64_t *texts = dcpn_allocate(csv->content->context, (size_t)csv->fields, sizeof *texts);
    dcpn_status status = texts ? allocate(&table) : DCPN_MEMORY;
    if (status == DCPN_OK) {
        memset(texts, 0, (size_t)csv->fields * sizeof *texts);
        check_rows(csv, &table, texts, findings);
    }
    dcpn_free(csv->content->context, texts);
    dcpn_free(csv->content->context, table.labels);
    dcpn_free(csv->content->context, table.ids);
    dcpn_free(csv->content->context, table.gaps);
    dcpn_free(csv->content->context, table.strangers);
    dcpn_free(csv->content->context, table.values);
    return status;
}
