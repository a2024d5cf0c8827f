/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays and texts that grow by doubling. */
#include "base/growing.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"

enum { FIRST_ELEMENTS = 256 };

void *dcpn_make_room(dcpn_context *context, void *array, int64_t count, int64_t *capacity, size_t size)
{
    if (count < *capacity) return array;
    int64_t larger = *capacity ? 2 * *capacity : FIRST_ELEMENTS;
    void *grown = dcpn_grow(context, array, (size_t)count, (size_t)larger, size);
    if (grown) *capacity = larger;
    return grown;
}

static int has_room(struct text *text, size_t addition)
{
    size_t needed = text->length + addition + 1;
    if (text->status != DCPN_OK) return 0;
    if (needed <= text->capacity) return 1;
    char *grown = dcpn_grow(text->context, text->start, text->length, 2 * needed, 1);
    if (!grown) {
        text->status = DCPN_MEMORY;
        return 0;
    }
    text->start = grown;
    text->capacity = 2 * needed;
    return 1;
}

void dcpn_text_append(struct text *text, const char *addition)
{
    size_t length = strlen(addition);
    if (!has_room(text, length)) return;
    memcpy(text->start + text->length, addition, length + 1);
    text->length += length;
}

void dcpn_text_append_number(struct text *text, double value)
{
    char number[DCPN_NUMBER_LENGTH];
    dcpn_format_double(number, value);
    dcpn_text_append(text, number);
}

void dcpn_text_append_integer(struct text *text, int64_t value)
{
    char number[DCPN_NUMBER_LENGTH];
    snprintf(number, sizeof number, "%lld", (long long)value);
    dcpn_text_append(text, number);
}

dcpn_status dcpn_text_give(struct text *text, char **given)
{
    *given = text->status == DCPN_OK ? text->start : NULL;
    if (text->status != DCPN_OK) dcpn_free(text->context, text->start);
    return text->status;
}
