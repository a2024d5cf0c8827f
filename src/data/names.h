/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of a text, and lists of names in one block of memory. */
#ifndef DCPN_SRC_NAMES_H
#define DCPN_SRC_NAMES_H

#include "base/context.h"

/* A word of a text, which is borrowed. No 0 ends it. */
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
/* Copies a word to a text, to be freed with dcpn_free; NULL: no memory. */
char *dcpn_word_copy(dcpn_context *context, struct word word, int quoted);
/* Makes a word of the whole of a text that ends in NUL. */
struct word dcpn_word_of(const char *text);
int dcpn_word_equals(struct word word, const char *text);
/* Is the word the same as the text but for the case of ASCII letters? */
int dcpn_word_resembles(struct word word, const char *text);
/* The number that is all of the word, written with a decimal comma if that is allowed; 0: it is none. */
int dcpn_word_number(struct word word, int decimal_comma, double *value);
/* Reads "true" as 1 and "false" as 0, whatever their case. Returns 0 if the word is neither. */
int dcpn_word_truth(struct word word, double *value);
/* Does the word say that a value is missing? It does if it is empty, NA, N/A, #N/A, <NA>, NaN, -NaN, null, . or ?,
 * whatever its case. */
int dcpn_word_is_missing(struct word word);

#endif
