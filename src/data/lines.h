/* SPDX-License-Identifier: BSD-3-Clause */
/* Text input line by line, read once from start to end, with the place of whatever is refused. */
#ifndef DCPN_SRC_LINES_H
#define DCPN_SRC_LINES_H

#include "data/content.h"

enum { DCPN_QUOTE_LENGTH = 48 };

struct line_reader {
    struct content content;
    const char *next;       /* what is not yet given out */
    int64_t number;         /* of the current line, from 1 */
    const char *text, *end; /* the current line, without its line end */
};

dcpn_status dcpn_lines_open(dcpn_context *context, const char *path, struct line_reader *lines);
/* Reads the lines of a content that stays the caller's; the reader is not to be closed. */
void dcpn_lines_over(const struct content *content, struct line_reader *lines);
/* Moves to the next line. *more is 0 after the last one. The line is valid until the reader is closed. */
dcpn_status dcpn_lines_next(struct line_reader *lines, int *more);
void dcpn_lines_close(struct line_reader *lines);

/* Fails with DCPN_DATA and "<file>: line <n>, column <c>: <sentence>", the column being that of `at`. */
dcpn_status dcpn_lines_refuse(const struct line_reader *lines, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The word at `at`, between quotes, shortened, unprintable characters as ?; "the end of the line" if there is none. */
const char *dcpn_lines_quote(const struct line_reader *lines, const char *at, char quote[DCPN_QUOTE_LENGTH]);

const char *dcpn_skip_blanks(const char *text, const char *end);
/* Finds the end of the word at text: a blank or the end of the line. */
const char *dcpn_word_end(const char *text, const char *end);

/* Reads a finite number at *at, which moves behind it. If there is none, the refusal says what was `expected`. */
dcpn_status dcpn_lines_number(const struct line_reader *lines, const char **at, const char *expected, double *value);

#endif
