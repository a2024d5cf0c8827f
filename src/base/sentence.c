/* SPDX-License-Identifier: BSD-3-Clause */
/* Options in sentences: two dashes and a small letter, at the start of a word. What is quoted is what was found, and
 * stays. */
#include "base/sentence.h"

#include <string.h>

static int is_letter(char c)
{
    return c >= 'a' && c <= 'z';
}

static int begins_option(const char *sentence, const char *at)
{
    int begins_word = at == sentence || at[-1] == ' ' || at[-1] == '(';
    return begins_word && at[0] == '-' && at[1] == '-' && is_letter(at[2]);
}

static char *next_option(char *sentence, char *at)
{
    while (*at && !begins_option(sentence, at)) at++;
    return *at ? at : NULL;
}

void dcpn_sentence_set_prefix(char *sentence, size_t room, const char *prefix)
{
    size_t length = strlen(prefix);
    if (strcmp(prefix, "--") == 0) return;
    for (char *at = sentence; (at = next_option(sentence, at)); at += length) {
        size_t before = (size_t)(at - sentence), rest = strlen(at + 2);
        if (before + length >= room) return;
        if (before + length + rest >= room) rest = room - before - length - 1;
        memmove(at + length, at + 2, rest);
        memcpy(at, prefix, length);
        at[length + rest] = '\0';
    }
}

void dcpn_sentence_first_option(const char *sentence, char *name, size_t room)
{
    const char *at = sentence;
    size_t length = 0;
    while (*at && !begins_option(sentence, at)) at++;
    if (*at) at += 2;
    while (length + 1 < room && (is_letter(at[length]) || (at[length] == '-' && is_letter(at[length + 1])))) length++;
    memcpy(name, at, length);
    name[length] = '\0';
}
