/* SPDX-License-Identifier: BSD-3-Clause */
/* Text input line by line. */
#include "data/lines.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

dcpn_status dcpn_lines_open(dcpn_context *context, const char *path, struct line_reader *lines)
{
    struct content content;
    DCPN_TRY(dcpn_content_open(context, path, &content));
    dcpn_lines_over(&content, lines);
    return DCPN_OK;
}

void dcpn_lines_over(const struct content *content, struct line_reader *lines)
{
    *lines = (struct line_reader){.content = *content, .next = content->bytes};
}

void dcpn_lines_close(struct line_reader *lines)
{
    dcpn_content_close(&lines->content);
}

static void skip_byte_order_mark(struct line_reader *lines)
{
    if (lines->number == 1) lines->text += dcpn_byte_order_mark(lines->text, (size_t)(lines->end - lines->text));
}

static dcpn_status refuse_zero_bytes(const struct line_reader *lines)
{
    const char *zero = memchr(lines->text, '\0', (size_t)(lines->end - lines->text));
    if (!zero) return DCPN_OK;
    return dcpn_lines_refuse(lines, zero,
                             "found a zero byte, expected text; a binary, compressed or UTF-16 file has to "
                             "be converted to plain text first");
}

dcpn_status dcpn_lines_next(struct line_reader *lines, int *more)
{
    const char *stop = lines->content.bytes + lines->content.size;
    *more = lines->next < stop;
    if (!*more) return DCPN_OK;
    const char *newline = memchr(lines->next, '\n', (size_t)(stop - lines->next));
    lines->text = lines->next;
    lines->end = newline ? newline : stop;
    lines->next = newline ? newline + 1 : stop;
    lines->number++;
    if (!newline)
        dcpn_log(lines->content.context, DCPN_LOG_WARNING, "%s: line %lld ends without a line end: was it truncated?",
                 lines->content.name, (long long)lines->number);
    if (lines->end > lines->text && lines->end[-1] == '\r') lines->end--;
    skip_byte_order_mark(lines);
    return refuse_zero_bytes(lines);
}

dcpn_status dcpn_lines_refuse(const struct line_reader *lines, const char *at, const char *format, ...)
{
    char sentence[DCPN_ERROR_LENGTH];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return dcpn_fail(lines->content.context, DCPN_DATA, "%s: line %lld, column %lld: %s", lines->content.name,
                     (long long)lines->number, (long long)(at - lines->text) + 1, sentence);
}

const char *dcpn_lines_quote(const struct line_reader *lines, const char *at, char quote[DCPN_QUOTE_LENGTH])
{
    const char *end = dcpn_word_end(at, lines->end);
    size_t length = (size_t)(end - at), room = DCPN_QUOTE_LENGTH - sizeof "'...'";
    if (length == 0) return at == lines->end ? "the end of the line" : "a blank";
    size_t shown = length <= room ? length : room;
    char *out = quote;
    *out++ = '\'';
    for (size_t i = 0; i < shown; i++) *out++ = at[i] > ' ' && at[i] <= '~' ? at[i] : '?';
    strcpy(out, shown < length ? "...'" : "'");
    return quote;
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

const char *dcpn_skip_blanks(const char *text, const char *end)
{
    while (text < end && is_blank(*text)) text++;
    return text;
}

const char *dcpn_word_end(const char *text, const char *end)
{
    while (text < end && !is_blank(*text)) text++;
    return text;
}

dcpn_status dcpn_lines_number(const struct line_reader *lines, const char **at, const char *expected, double *value)
{
    char quote[DCPN_QUOTE_LENGTH];
    const char *after = dcpn_parse_double(*at, lines->end, value);
    if (!after)
        return dcpn_lines_refuse(lines, *at, "found %s, expected %s", dcpn_lines_quote(lines, *at, quote), expected);
    if (isfinite(*value)) {
        *at = after;
        return DCPN_OK;
    }
    if (dcpn_is_number_word(*at, after))
        return dcpn_lines_refuse(lines, *at, "found %s, expected %s that is finite; remove or impute missing values",
                                 dcpn_lines_quote(lines, *at, quote), expected);
    return dcpn_lines_refuse(lines, *at,
                             "found %s, expected %s of at most 1.8e308, the largest double; rescale the data",
                             dcpn_lines_quote(lines, *at, quote), expected);
}
