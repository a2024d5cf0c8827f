/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a table while it is settled what each of them is. */
#ifndef DCPN_SRC_CSV_COLUMNS_H
#define DCPN_SRC_CSV_COLUMNS_H

#include "data/csv.h"

/* The values of feature_of until features are numbered. CSV_WANTED + k is the feature number k of those that are asked
 * for. */
enum { CSV_LEFT_OUT = -1, CSV_FEATURE = 0, CSV_WANTED = 1 };

static inline int dcpn_csv_is_kept(const struct csv *csv, int64_t field)
{
    return csv->feature_of[field] != CSV_LEFT_OUT;
}

static inline int dcpn_csv_is_wanted(const struct csv *csv, int64_t field)
{
    return csv->feature_of[field] >= CSV_WANTED;
}

int64_t dcpn_csv_count_kept(const struct csv *csv);
/* Finds the columns of the header of which `matches` holds: how many, and the last. */
int64_t dcpn_csv_find_columns(const struct csv *csv, int (*matches)(struct word, const char *), const char *name,
                              int64_t *column);
/* Finds the column of that number, from 1; -1: there is none, or it is left out. */
int64_t dcpn_csv_column_numbered(const struct csv *csv, const char *text, const char *end);
/* "'age'", or nothing where there is no header. */
const char *dcpn_csv_name_in_quotes(const struct csv *csv, int64_t field, char name[DCPN_QUOTE_LENGTH]);
/* " ('age')", or nothing where there is no header. */
const char *dcpn_csv_name_in_brackets(const struct csv *csv, int64_t field, char name[DCPN_QUOTE_LENGTH + 4]);

/* Finds the column of the labels, if there is one; `row` is the first one after the header. */
dcpn_status dcpn_csv_find_label(struct csv *csv, const struct word_list *row);
/* Sees to it that a column that the model uses is not taken for the labels, whatever it is called. */
dcpn_status dcpn_csv_keep_wanted(struct csv *csv);

#endif
