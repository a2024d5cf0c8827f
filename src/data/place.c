/* SPDX-License-Identifier: BSD-3-Clause */
/* Where in a text something stands. */
#include "data/place.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

dcpn_status dcpn_refuse_at(const struct content *content, const char *at, const char *format, ...)
{
    char sentence[DCPN_ERROR_LENGTH];
    const char *line = content->bytes, *newline;
    int64_t number = 1;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    while ((newline = memchr(line, '\n', (size_t)(at - line)))) {
        line = newline + 1;
        number++;
    }
    if (number == 1) line += dcpn_byte_order_mark(line, (size_t)(at - line));
    return dcpn_fail(content->context, DCPN_DATA, "%s: line %lld, column %lld: %s", content->name, (long long)number,
                     (long long)(at - line) + 1, sentence);
}

const char *dcpn_quote(const char *start, const char *end, char quote[DCPN_QUOTE_LENGTH])
{
    size_t length = (size_t)(end - start), room = DCPN_QUOTE_LENGTH - sizeof "'...'";
    size_t shown = length <= room ? length : room;
    char *out = quote;
    if (length == 0) return "nothing";
    *out++ = '\'';
    for (size_t i = 0; i < shown; i++) *out++ = start[i] >= ' ' && start[i] <= '~' ? start[i] : '?';
    strcpy(out, shown < length ? "...'" : "'");
    return quote;
}

const char *dcpn_largest(dcpn_value_type type)
{
    return type == DCPN_FLOAT64 ? "1.8e308, the largest double" : "3.4e38, the largest float32";
}
