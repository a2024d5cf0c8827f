/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of a text, and lists of names in one block of memory. */
#ifndef DCPN_SRC_NAMES_H
#define DCPN_SRC_NAMES_H

#include "base/context.h"

/* Not ended by a 0; borrowed. */
struct word {
    const char *start;
    int64_t length;
};

/* Words that grow in number. */
struct word_list {
    struct word *words;
    int64_t count, capacity;
};

dcpn_status dcpn_words_append(dcpn_context *context, struct word_list *list, const char *start, const char *end);
/* The names as a data set owns them: one block, to be freed with dcpn_free. quoted: "" in a word stands for one ". */
char **dcpn_names_copy(dcpn_context *context, const struct word *words, int64_t count, int quoted);
/* One of them as a text, to be freed with dcpn_free; NULL: no memory. */
char *dcpn_word_copy(dcpn_context *context, struct word word, int quoted);
/* The whole of a text that ends in NUL. */
struct word dcpn_word_of(const char *text);
int dcpn_word_equals(struct word word, const char *text);
/* The same, whatever the case of ASCII letters. */
int dcpn_word_resembles(struct word word, const char *text);
/* The number that is all of the word, written with a decimal comma if that is allowed; 0: it is none. */
int dcpn_word_number(struct word word, int decimal_comma, double *value);
/* true or false, whatever their case: 1 or 0. */
int dcpn_word_truth(struct word word, double *value);
/* Nothing, NA, N/A, #N/A, <NA>, NaN, -NaN, null, . or ?, whatever their case: a value that is not there. */
int dcpn_word_is_missing(struct word word);

#endif
