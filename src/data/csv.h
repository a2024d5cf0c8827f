/* SPDX-License-Identifier: BSD-3-Clause */
/* Comma-separated values from inside: how the rows are written (found by csv.c in the first lines) and the rows
 * themselves (read by csv_rows.c). */
#ifndef DCPN_SRC_CSV_H
#define DCPN_SRC_CSV_H

#include "data/content.h"
#include "data/format.h"
#include "data/lines.h"
#include "data/names.h"
#include "dcpn/data.h"

enum csv_missing { CSV_REFUSE, CSV_ZERO, CSV_MEAN, CSV_KEEP, CSV_FILL };

struct csv_coding; /* csv_categories.h */

struct csv {
    const struct content *content;
    const dcpn_read_options *options;
    char separator;
    enum csv_missing missing;
    const char *rows_start, *end; /* the text after the header */
    int64_t fields;               /* in each row */
    int64_t columns;              /* those of them that count: all, or all but the empty one behind a last separator */
    int64_t label;                /* the field, from 0, that holds the label; -1: none does */
    int64_t id;                   /* the field, from 0, that names the row; -1: none does */
    int row_names;                /* 1: the first field is a name of the row, and left out */
    int64_t features;
    int64_t features_found;  /* and columns beside them that are not asked for */
    int32_t *feature_of;     /* of a field, from 0; -1: it is none, but the label or left out */
    struct csv_coding **coding_of; /* of a field, NULL: it is none of categories; NULL for the list: there are none */
    int is_selected;         /* the features are those that the options want, all others left out */
    double *fill;            /* of each feature where it is missing, with CSV_FILL */
    struct word_list header; /* empty: there is none */
    const struct word_list *first_row;
    int64_t header_shift; /* 1: the header has no name for the first field */
};

/* A field without the blanks or the quotes around it; a "" within quotes is left as it is. */
struct csv_field {
    const char *start, *end;
    int is_quoted;
};

static inline int dcpn_csv_is_feature(const struct csv *csv, int64_t field)
{
    return field < csv->columns && csv->feature_of[field] >= 0;
}

enum csv_problem {
    CSV_FINE,
    CSV_TOO_FEW,
    CSV_TOO_MANY,
    CSV_TEXT,
    CSV_MISSING,
    CSV_STRANGER, /* a category that is none of the levels */
    CSV_NOT_FINITE,
    CSV_TOO_LARGE,
    CSV_QUOTE_INSIDE,
    CSV_QUOTE_OPEN,
    CSV_AFTER_QUOTE,
    CSV_MIXED_DECIMALS,
    CSV_CHANGED,
};

/* The field at `at`. Returns what ends it: a separator, a line end or the end of the text; NULL: its quotes are wrong,
 * *problem says how and the field is then empty, at the place. */
const char *dcpn_csv_field(const struct csv *csv, const char *at, struct csv_field *field, enum csv_problem *problem);
/* The number that is all of the field, which may have a decimal comma unless commas separate the fields. */
int dcpn_csv_number(const struct csv *csv, const struct csv_field *field, double *value);
/* The first row at or after `at`, blank lines skipped; NULL: there is none. */
const char *dcpn_csv_row(const char *at, const char *end);
/* Fails with the sentence for a problem of field number `number` (from 0; -1: whichever). */
dcpn_status dcpn_csv_refuse(const struct csv *csv, enum csv_problem problem, const struct csv_field *field,
                            int64_t number);

/* Writes what a field is called: its name in quotes, or "column 3". */
const char *dcpn_csv_name_column(const struct csv *csv, int64_t field, char name[DCPN_QUOTE_LENGTH + 20]);

/* Counts the separators of a row outside of quotes; *end becomes the end of the row. */
int64_t dcpn_csv_count(const char *row, const char *text_end, char separator, const char **end);
/* The number of separators in the second row if the first, `shift` more counted, has as many; 0 if not. */
int64_t dcpn_csv_agreed(const char *text, const char *text_end, char separator, int shift);
char dcpn_csv_separator(const char *text, const char *text_end);
/* Do all rows behind the header end in a separator? */
int dcpn_csv_rows_end_in_separator(const struct csv *csv);
/* Is the word a missing value among numbers? "none" counts, too, */
int dcpn_csv_is_gap(struct word word);
/* which among texts is one of them: no pain, no complaint. */
int dcpn_csv_is_gap_among_texts(struct word word);
/* Is the word neither a number nor a missing value? */
int dcpn_csv_is_text(const struct csv *csv, struct word word);
/* Is there a comma between two digits? */
int dcpn_csv_has_decimal_comma(const char *start, const char *end);

/* The first two rows, by which the rest is judged. */
struct csv_opening {
    struct word_list first, second;
};
/* Finds the header and the number of fields; the rows of the opening are then those after the header. */
dcpn_status dcpn_csv_open_rows(struct csv *csv, struct csv_opening *opening, const char *first_row);

/* Finds the features, of which there are some, and the label; `row` is the first one after the header. */
dcpn_status dcpn_csv_settle_columns(struct csv *csv, const struct word_list *row);

/* Reads the rows; the number of them is found on the way. */
dcpn_status dcpn_csv_read_rows(const struct csv *csv, dcpn_dataset **dataset);
/* Reports the first problem of every row that has one. A column in which text was found a few times is left out: it
 * may be one of text. */
dcpn_status dcpn_csv_check_rows(struct csv *csv, struct findings *findings);

#endif
