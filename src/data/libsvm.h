/* SPDX-License-Identifier: BSD-3-Clause */
/* LIBSVM text: "label [qid:n] index:value ... [# comment]", one row a line. The qid is checked and ignored; features
 * written with the value 0 count for the number of columns alone.
 *
 * There are two parsers: libsvm_rows.c takes lines that are right, fast and on any thread, and only says where one is
 * not; libsvm_line.c takes one line apart again and writes the sentence. They accept the same lines. */
#ifndef DCPN_SRC_LIBSVM_H
#define DCPN_SRC_LIBSVM_H

#include "data/format.h"
#include "data/lines.h"
#include "dcpn/data.h"

enum {
    DCPN_LIBSVM_LARGEST = INT32_MAX - 1, /* feature number */
    DCPN_LIBSVM_OVERREAD = 32,           /* bytes behind the end of a piece that may be read */
};

/* The arrays that rows are stored in. Feature numbers are stored less 1; they are raised later if the file turns out to
 * count from 0. */
struct libsvm_arrays {
    double *labels;
    int64_t *ends; /* of each row: the number of its last entry, plus 1; before them the 0 of the pointers */
    int32_t *indices;
    void *values;
    dcpn_value_type value_type;
    int is_exact; /* the values are floats for as long as that changes none of them */
    int64_t row_room, entry_room;
};

/* Some lines, each with its line end, and what was found in them. Every piece has its own part of the arrays. */
struct libsvm_piece {
    const char *begin, *end;
    int64_t first_row, first_entry; /* of its part */
    int64_t lines, room;            /* rows and entries that it has room for: there can be no more */
    int64_t rows, entries;          /* found */
    int32_t largest;                /* feature number less 1; -1: none, or only feature 0 */
    int uses_zero;                  /* as a feature number */
    int has_features;
    int is_counted, is_parsed;
    int is_wide;       /* it has a value that is no float, and was not read further */
    const char *wrong; /* the line that is not right, the last one looked at; NULL: none */
};

/* Counts line ends and colons: lines and room. */
void dcpn_libsvm_count(struct libsvm_piece *piece);
void dcpn_libsvm_parse(struct libsvm_piece *piece, const dcpn_read_options *options, const struct libsvm_arrays *to);

/* Makes room for at least so many rows and entries, and keeps what is there. */
dcpn_status dcpn_libsvm_reserve(dcpn_context *context, struct libsvm_arrays *arrays, int64_t rows, int64_t entries);
/* Turns the values of the pieces that are parsed, which were exact floats until now, into doubles. */
dcpn_status dcpn_libsvm_widen(dcpn_context *context, struct libsvm_arrays *arrays, const struct libsvm_piece *pieces,
                              int64_t piece_count);
void dcpn_libsvm_release(dcpn_context *context, struct libsvm_arrays *arrays);

/* Checks the current line. features: not 0 if there are no more than that, counted from the base that the options give.
 * findings: receives all that is wrong, and the status is DCPN_OK; NULL: the first fault is refused. */
dcpn_status dcpn_libsvm_check_line(const struct line_reader *lines, const dcpn_read_options *options, int64_t features,
                                   struct findings *findings);

#endif
