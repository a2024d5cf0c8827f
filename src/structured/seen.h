/* SPDX-License-Identifier: BSD-3-Clause */
/* The entries of a matrix that are seen. */
#ifndef DCPN_SRC_SEEN_H
#define DCPN_SRC_SEEN_H

#include "base/arena.h"
#include "dcpn/complete.h"

/* Entries by rows, and where those of a column are. */
struct seen {
    int64_t rows, columns, count;
    int64_t *row_start, *column_of; /* entry e of row i: row_start[i] <= e < row_start[i + 1] */
    int64_t *column_start, *row_of; /* the k-th of column j: entry entry_of[k] in row row_of[k] */
    int64_t *entry_of;
    double *value;
};

void dcpn_seen_layout(struct seen *seen, struct arena *arena);
/* Refuses entries that are no finite numbers at places of the matrix. */
dcpn_status dcpn_seen_check(dcpn_context *context, const dcpn_entries *entries);
/* Takes the entries, less the offset, by rows and within a row by columns. Refuses a place that is there twice. */
dcpn_status dcpn_seen_sort(dcpn_context *context, const dcpn_entries *entries, double offset, struct seen *seen);

#endif
