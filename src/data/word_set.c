/* SPDX-License-Identifier: BSD-3-Clause */
/* Distinct words in a table of hashes, with open addressing, at most half full. */
#include "data/word_set.h"

#include <string.h>

enum { FIRST_SLOTS = 64 };

static int same(struct word a, struct word b)
{
    return a.length == b.length && memcmp(a.start, b.start, (size_t)a.length) == 0;
}

/* FNV-1a */
static uint64_t hash(struct word word)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (int64_t k = 0; k < word.length; k++) h = (h ^ (unsigned char)word.start[k]) * UINT64_C(0x100000001b3);
    return h ^ h >> 32;
}

/* The slot that holds the word, or the free one where it belongs. */
static int64_t *slot_of(const struct word_set *set, struct word word)
{
    uint64_t mask = (uint64_t)set->slot_count - 1, k = hash(word) & mask;
    while (set->slots[k] >= 0 && !same(set->distinct.words[set->slots[k]], word)) k = (k + 1) & mask;
    return &set->slots[k];
}

static dcpn_status enlarge(struct word_set *set)
{
    int64_t larger = set->slot_count ? 2 * set->slot_count : FIRST_SLOTS;
    int64_t *slots = dcpn_allocate(set->context, (size_t)larger, sizeof *slots);
    if (!slots) return DCPN_MEMORY;
    memset(slots, -1, (size_t)larger * sizeof *slots);
    dcpn_free(set->context, set->slots);
    set->slots = slots;
    set->slot_count = larger;
    for (int64_t k = 0; k < set->distinct.count; k++) *slot_of(set, set->distinct.words[k]) = k;
    return DCPN_OK;
}

dcpn_status dcpn_word_set_add(struct word_set *set, struct word word, int64_t *number)
{
    if (2 * set->distinct.count >= set->slot_count) DCPN_TRY(enlarge(set));
    int64_t *slot = slot_of(set, word);
    if (*slot < 0) {
        DCPN_TRY(dcpn_words_append(set->context, &set->distinct, word.start, word.start + word.length));
        *slot = set->distinct.count - 1;
    }
    *number = *slot;
    return DCPN_OK;
}

int64_t dcpn_word_set_find(const struct word_set *set, struct word word)
{
    return set->slot_count ? *slot_of(set, word) : -1;
}

void dcpn_word_set_free(struct word_set *set)
{
    dcpn_free(set->context, set->distinct.words);
    dcpn_free(set->context, set->slots);
}
