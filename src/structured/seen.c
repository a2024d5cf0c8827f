/* SPDX-License-Identifier: BSD-3-Clause */
/* The entries of a matrix that are seen: checked, and sorted by rows and by columns. */
#include "structured/seen.h"

#include <math.h>

#include "base/context.h"

void dcpn_seen_layout(struct seen *seen, struct arena *arena)
{
    seen->row_start = dcpn_arena_integers(arena, seen->rows + 1);
    seen->column_of = dcpn_arena_integers(arena, seen->count);
    seen->column_start = dcpn_arena_integers(arena, seen->columns + 1);
    seen->row_of = dcpn_arena_integers(arena, seen->count);
    seen->entry_of = dcpn_arena_integers(arena, seen->count);
    seen->value = dcpn_arena_doubles(arena, seen->count);
}

dcpn_status dcpn_seen_check(dcpn_context *context, const dcpn_entries *entries)
{
    if (entries->rows < 1 || entries->columns < 1 || entries->count < 1)
        return dcpn_fail(context, DCPN_DATA,
                         "found %lld entries of a %lld x %lld matrix, expected at least one of each",
                         (long long)entries->count, (long long)entries->rows, (long long)entries->columns);
    for (int64_t e = 0; e < entries->count; e++) {
        if (entries->row[e] < 0 || entries->row[e] >= entries->rows || entries->column[e] < 0 ||
            entries->column[e] >= entries->columns)
            return dcpn_fail(context, DCPN_DATA,
                             "entry %lld: found row %lld and column %lld, expected a place in a %lld x %lld matrix",
                             (long long)e + 1, dcpn_counted_from_1(entries->row[e]),
                             dcpn_counted_from_1(entries->column[e]), (long long)entries->rows,
                             (long long)entries->columns);
        if (!isfinite(entries->value[e]))
            return dcpn_fail(context, DCPN_DATA, "entry %lld: found %g, expected a finite number", (long long)e + 1,
                             entries->value[e]);
    }
    return DCPN_OK;
}

static void count_starts(int64_t size, int64_t count, const int64_t *index, int64_t *start)
{
    for (int64_t i = 0; i <= size; i++) start[i] = 0;
    for (int64_t e = 0; e < count; e++) start[index[e] + 1]++;
    for (int64_t i = 0; i < size; i++) start[i + 1] += start[i];
}

/* Sorts by columns first, then by rows, each time by counting. column_start is moved along and put back. */
dcpn_status dcpn_seen_sort(dcpn_context *context, const dcpn_entries *entries, double offset, struct seen *seen)
{
    int64_t *by_column = seen->entry_of;
    count_starts(seen->columns, seen->count, entries->column, seen->column_start);
    for (int64_t e = 0; e < seen->count; e++) by_column[seen->column_start[entries->column[e]]++] = e;
    count_starts(seen->rows, seen->count, entries->row, seen->row_start);
    for (int64_t k = 0; k < seen->count; k++) {
        int64_t e = by_column[k], place = seen->row_start[entries->row[e]]++;
        seen->column_of[place] = entries->column[e];
        seen->value[place] = entries->value[e] - offset;
    }
    count_starts(seen->rows, seen->count, entries->row, seen->row_start);
    count_starts(seen->columns, seen->count, entries->column, seen->column_start);
    for (int64_t i = 0; i < seen->rows; i++)
        for (int64_t e = seen->row_start[i]; e < seen->row_start[i + 1]; e++) {
            if (e > seen->row_start[i] && seen->column_of[e] == seen->column_of[e - 1])
                return dcpn_fail(context, DCPN_DATA, "row %lld, column %lld: found two entries, expected one",
                                 (long long)i + 1, (long long)seen->column_of[e] + 1);
            int64_t k = seen->column_start[seen->column_of[e]]++;
            seen->row_of[k] = i;
            seen->entry_of[k] = e;
        }
    count_starts(seen->columns, seen->count, entries->column, seen->column_start);
    return DCPN_OK;
}
