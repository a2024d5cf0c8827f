/* SPDX-License-Identifier: BSD-3-Clause */
/* The first pass over a table of comma-separated values: where its chunks start, and what is in them. */
#include <string.h>

#include "base/interrupt.h"
#include "base/threads.h"
#include "data/csv_categories.h"
#include "data/csv_table.h"

enum { SPARSE_BELOW = 4 };

/* ---- Chunks -------------------------------------------------------------------------------------------------------*/

/* Is the number of quotes in [start, end) odd? */
static int odd_quotes(const char *start, const char *end)
{
    int odd = 0;
    for (; start < end && (start = memchr(start, '"', (size_t)(end - start))); start++) odd ^= 1;
    return odd;
}

/* Finds the place behind the first line end from `at` on that is not within quotes. */
static const char *next_row_start(const char *at, const char *end, int within_quotes)
{
    for (; at < end; at++) {
        if (*at == '"') within_quotes ^= 1;
        if (*at == '\n' && !within_quotes) return at + 1;
    }
    return end;
}

static int has_quotes(const struct csv *csv)
{
    const char *block = csv->rows_start;
    while (block < csv->end) {
        const char *next = csv->end - block > DCPN_CSV_CHUNK ? block + DCPN_CSV_CHUNK : csv->end;
        if (memchr(block, '"', (size_t)(next - block))) return 1;
        dcpn_content_forget(csv->content, block, next);
        block = next;
    }
    return 0;
}

/* Cuts the table into chunks, on one thread but at the speed of memchr. A row that is longer than a chunk leaves some
 * of them empty. */
void dcpn_csv_cut(struct csv_table *table)
{
    const struct csv *csv = table->csv;
    int is_quoted = has_quotes(csv), within = 0;
    const char *block = csv->rows_start, *start = block;
    for (int64_t k = 0; k < table->chunk_count; k++) {
        const char *next_block = csv->end - block > DCPN_CSV_CHUNK ? block + DCPN_CSV_CHUNK : csv->end;
        if (is_quoted) within ^= odd_quotes(block, next_block);
        const char *end = start > next_block ? start : next_row_start(next_block, csv->end, within);
        table->chunks[k] = (struct csv_chunk){.start = start, .end = end};
        dcpn_content_forget(csv->content, block, next_block);
        start = end;
        block = next_block;
    }
}

/* ---- Counting -----------------------------------------------------------------------------------------------------*/

const char *dcpn_csv_skip_field(const struct csv *csv, const char *at)
{
    struct csv_field field;
    enum csv_problem problem;
    const char *start = at;
    while (!dcpn_csv_ends_field(csv, at) && *at != '"') at++;
    if (dcpn_csv_ends_field(csv, at)) return at;
    return dcpn_csv_field(csv, start, &field, &problem);
}

/* Counts the entries of a row. NULL: the rest of the chunk cannot be made sense of; the second pass will say why. */
static const char *count_row(const struct csv *csv, const char *at, int64_t *entries)
{
    for (int64_t f = 0;; f++, at++) {
        const struct csv_coding *coding = dcpn_csv_coding(csv, f);
        const char *after = coding ? dcpn_csv_count_category(csv, coding, at, entries) : dcpn_csv_zero_field(csv, at);
        if (!after && !coding) {
            *entries += dcpn_csv_is_feature(csv, f);
            after = dcpn_csv_skip_field(csv, at);
        }
        if (!after || after == csv->end || *after == '\n') return after;
        at = after;
    }
}

static void count_rows(const struct csv *csv, struct csv_chunk *chunk)
{
    const char *at = chunk->start;
    while (at && (at = dcpn_csv_row(at, chunk->end))) {
        chunk->rows++;
        at = count_row(csv, at, &chunk->entries);
        if (at && at < chunk->end) at++;
    }
}

static void count_chunks(void *user, int64_t begin, int64_t end)
{
    const struct csv_table *table = user;
    for (int64_t k = begin; k < end && !dcpn_is_interrupted(table->csv->content->context); k++) {
        count_rows(table->csv, &table->chunks[k]);
        dcpn_content_forget(table->csv->content, table->chunks[k].start, table->chunks[k].end);
    }
}

/* The matrix is sparse if at most a quarter of its fields are something other than 0, 0.0 and the like. */
void dcpn_csv_count_rows(struct csv_table *table)
{
    dcpn_parallel_items(table->csv->content->context, table->chunk_count, count_chunks, table);
    for (int64_t k = 0; k < table->chunk_count; k++) {
        table->chunks[k].first_row = table->rows;
        table->chunks[k].first_entry = table->entries;
        table->rows += table->chunks[k].rows;
        table->entries += table->chunks[k].entries;
    }
    dcpn_storage storage = table->csv->options->storage;
    table->is_sparse = storage == DCPN_STORAGE_AUTO
                           ? table->entries <= table->rows * table->csv->features / SPARSE_BELOW
                           : storage == DCPN_STORAGE_SPARSE;
}
