/* SPDX-License-Identifier: BSD-3-Clause */
/* A table of comma-separated values while its rows are read. The text is cut at row starts into chunks of 256 KiB,
 * whatever the number of threads. A first pass over the chunks (csv_chunks.c) counts rows and fields that are not 0,
 * which settles where everything goes; a second one (csv_rows.c) reads. */
#ifndef DCPN_SRC_CSV_TABLE_H
#define DCPN_SRC_CSV_TABLE_H

#include "data/csv.h"
#include "data/dataset.h"
#include "matrix/sparse.h"

enum { DCPN_CSV_CHUNK = 1 << 18 };

struct csv_chunk {
    const char *start, *end; /* whole rows */
    int64_t rows, entries;   /* counted by the first pass */
    int64_t first_row, first_entry;
    int64_t rows_read, entries_read;
    enum csv_problem problem; /* the first one, in that field */
    struct csv_field field;
    int64_t field_number;
    struct csv_field comma, point; /* the first numbers with one, unless fields are separated by commas; or empty */
};

struct csv_table {
    const struct csv *csv;
    struct csv_chunk *chunks;
    int64_t chunk_count, rows, entries;
    /* of each field: how many rows have a category that is no level; NULL: there are no categories */
    int64_t *strangers;
    int is_sparse;
    struct word *labels;            /* NULL: the rows have none */
    struct word *ids;               /* what the rows are called; NULL: nothing */
    int64_t *gaps;                  /* how many values of each feature are missing; NULL: missing values are refused */
    void *values;                   /* by columns if dense, by rows if sparse; NaN: missing, to be imputed */
    struct compressed_owned sparse; /* without its values */
    double *fill;                   /* what is put in the place of a missing value of each feature; NULL: nothing */
};

static inline int dcpn_csv_ends_field(const struct csv *csv, const char *at)
{
    return at == csv->end || *at == csv->separator || *at == '\n';
}

/* The end of a field that is 0 by its looks (0, 0.00, or nothing where that means 0), NULL for any other. Both passes
 * ask this, so that they agree. */
static inline const char *dcpn_csv_zero_field(const struct csv *csv, const char *at)
{
    const char *end = csv->end, *start = at;
    while (at < end && *at == '0') at++;
    if (at > start && at < end && *at == '.')
        for (at++; at < end && *at == '0';) at++;
    if (at == start && csv->missing != CSV_ZERO) return NULL;
    if (at < end && *at == '\r') at++;
    return dcpn_csv_ends_field(csv, at) ? at : NULL;
}

/* Returns the end of the field at `at`; NULL: its quotes are wrong. */
const char *dcpn_csv_skip_field(const struct csv *csv, const char *at);
/* Make the chunks, count their rows and entries, and find whether the matrix is sparse. */
void dcpn_csv_cut(struct csv_table *table);
void dcpn_csv_count_rows(struct csv_table *table);
/* Settles what missing values count as, and puts it in their place. */
dcpn_status dcpn_csv_fill_gaps(struct csv_table *table);

#endif
