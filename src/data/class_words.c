/* SPDX-License-Identifier: BSD-3-Clause */
/* Words that classes are called by, and whether they mean that something is there. The order of the alphabet would make
 * "control" the positive class beside "case". */
#include "data/class_words.h"

static const char *const positive_words[] = {
    "case",    "cases", "yes",  "y",       "true",     "t",         "positive",   "pos",    "+",      "present",
    "patient", "sick",  "ill",  "disease", "diseased", "malignant", "tumor",      "tumour", "cancer", "abnormal",
    "event",   "dead",  "died", "death",   "deceased", "relapse",   "recurrence", "spam",   "fraud",  "success",
};

static const char *const negative_words[] = {
    "control", "controls", "no",     "n",        "false", "f",     "negative", "neg",      "-",   "absent", "healthy",
    "well",    "normal",   "benign", "nontumor", "none",  "alive", "survived", "censored", "ham", "other",  "rest",
};

static int is_among(struct word word, const char *const *list, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (dcpn_word_resembles(word, list[k])) return 1;
    return 0;
}

/* "not relapsed", "no event", "non-responder" */
static int begins_with_a_no(struct word word)
{
    static const char *const starts[] = {"no ", "not ", "non ", "no-", "not-", "non-", "no_", "not_", "non_"};
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
        struct word part = dcpn_word_of(starts[k]);
        if (word.length > part.length && dcpn_word_resembles((struct word){word.start, part.length}, starts[k]))
            return 1;
    }
    return 0;
}

/* Does the word mean that something is there? 1: it is, -1: it is not, 0: the word does not say. */
static int meaning(struct word word)
{
    if (is_among(word, positive_words, sizeof positive_words / sizeof *positive_words)) return 1;
    int is_negative = is_among(word, negative_words, sizeof negative_words / sizeof *negative_words);
    return is_negative || begins_with_a_no(word) ? -1 : 0;
}

int dcpn_first_is_positive(struct word first, struct word second)
{
    return meaning(first) > meaning(second);
}
