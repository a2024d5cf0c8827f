/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of a text, and lists of names in one block of memory: the pointers, then the texts. */
#include "data/names.h"

#include <string.h>

#include "base/growing.h"
#include "base/number.h"

enum { LONGEST_WITH_COMMA = 64 };

dcpn_status dcpn_words_append(dcpn_context *context, struct word_list *list, const char *start, const char *end)
{
    struct word *words = dcpn_make_room(context, list->words, list->count, &list->capacity, sizeof *words);
    if (!words) return DCPN_MEMORY;
    words[list->count++] = (struct word){start, end - start};
    list->words = words;
    return DCPN_OK;
}

static char *copy_word(char *out, struct word word, int quoted)
{
    for (int64_t k = 0; k < word.length; k++) {
        if (quoted && word.start[k] == '"' && k + 1 < word.length && word.start[k + 1] == '"') k++;
        *out++ = word.start[k];
    }
    *out++ = '\0';
    return out;
}

char **dcpn_names_copy(dcpn_context *context, const struct word *words, int64_t count, int quoted)
{
    size_t bytes = (size_t)count * sizeof(char *);
    for (int64_t k = 0; k < count; k++) bytes += (size_t)words[k].length + 1;
    char **names = dcpn_allocate(context, bytes, 1);
    if (!names) return NULL;
    char *out = (char *)(names + count);
    for (int64_t k = 0; k < count; k++) {
        names[k] = out;
        out = copy_word(out, words[k], quoted);
    }
    return names;
}

char *dcpn_word_copy(dcpn_context *context, struct word word, int quoted)
{
    char *copy = dcpn_allocate(context, (size_t)word.length + 1, 1);
    if (copy) copy_word(copy, word, quoted);
    return copy;
}

struct word dcpn_word_of(const char *text)
{
    return (struct word){text, (int64_t)strlen(text)};
}

int dcpn_word_equals(struct word word, const char *text)
{
    return strlen(text) == (size_t)word.length && memcmp(word.start, text, (size_t)word.length) == 0;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

int dcpn_word_resembles(struct word word, const char *text)
{
    if (strlen(text) != (size_t)word.length) return 0;
    for (int64_t k = 0; k < word.length; k++)
        if (lower(word.start[k]) != lower(text[k])) return 0;
    return 1;
}

static int parse_all(const char *start, const char *end, double *value)
{
    return start < end && dcpn_parse_double(start, end, value) == end;
}

int dcpn_word_number(struct word word, int decimal_comma, double *value)
{
    char copy[LONGEST_WITH_COMMA];
    size_t length = (size_t)word.length;
    if (parse_all(word.start, word.start + length, value)) return 1;
    if (!decimal_comma || length > sizeof copy || memchr(word.start, '.', length)) return 0;
    memcpy(copy, word.start, length);
    char *comma = memchr(copy, ',', length);
    if (!comma) return 0;
    *comma = '.';
    return parse_all(copy, copy + length, value);
}

int dcpn_word_truth(struct word word, double *value)
{
    *value = dcpn_word_resembles(word, "true");
    return *value > 0.0 || dcpn_word_resembles(word, "false");
}

int dcpn_word_is_missing(struct word word)
{
    static const char *const missing[] = {"", "?", ".", "na", "n/a", "#n/a", "<na>", "nan", "-nan", "null"};
    if (word.length > 4) return 0;
    for (size_t k = 0; k < sizeof missing / sizeof *missing; k++)
        if (dcpn_word_resembles(word, missing[k])) return 1;
    return 0;
}
