/* SPDX-License-Identifier: BSD-3-Clause */
/* Distinct words, numbered in the order in which they came: a table of hashes that grows with them. */
#ifndef DCPN_SRC_WORD_SET_H
#define DCPN_SRC_WORD_SET_H

#include "data/names.h"

struct word_set {
    dcpn_context *context;
    struct word_list distinct;
    int64_t *slots; /* the number of a distinct word, -1: free */
    int64_t slot_count;
};

/* The number of the word, from 0; that of a new one is distinct.count as it was before. The words are borrowed. */
dcpn_status dcpn_word_set_add(struct word_set *set, struct word word, int64_t *number);
/* The number of the word; -1: it is not there. */
int64_t dcpn_word_set_find(const struct word_set *set, struct word word);
void dcpn_word_set_free(struct word_set *set);

#endif
