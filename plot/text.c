/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts in a figure: escaped for XML, measured and broken into lines. */
#include "text.h"

#include "drawing.h"

#include <string.h>

static const char replacement[] = "\xEF\xBF\xBD";

size_t dcpn_figure_text_decode(const char *text, size_t length, uint32_t *code)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *bytes = (const unsigned char *)text;
    size_t size = bytes[0] < 0x80 ? 1 : bytes[0] >= 0xF0 ? 4 : bytes[0] >= 0xE0 ? 3 : 2;
    *code = size == 1 ? bytes[0] : bytes[0] & (0x7FU >> size);
    for (size_t i = 1; i < size && bytes[0] >= 0xC0 && bytes[0] < 0xF8; i++) {
        if (i >= length || (bytes[i] & 0xC0) != 0x80) break;
        *code = *code << 6 | (bytes[i] & 0x3FU);
        if (i + 1 < size) continue;
        int is_surrogate = *code >= 0xD800 && *code < 0xE000, is_none = (*code & 0xFFFE) == 0xFFFE;
        if (*code >= smallest[size] && *code < 0x110000 && !is_surrogate && !is_none) return size;
    }
    if (size == 1) return 1;
    *code = 0xFFFD;
    return 1;
}

/* Marks of direction, with which a name could turn around what stands beside it. */
static int turns_text(uint32_t code)
{
    return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

int dcpn_figure_text_is_harmless(uint32_t code)
{
    return code >= 0x20 && !(code >= 0x7F && code < 0xA0) && !(code >= 0x200B && code < 0x2010) &&
           !(code >= 0x2028 && code < 0x202F) && !(code >= 0x2060 && code < 0x2070) && code != 0xFFFD;
}

static void print_character(FILE *stream, uint32_t code, const char *bytes, size_t size)
{
    if (code == '&')
        fputs("&amp;", stream);
    else if (code == '<')
        fputs("&lt;", stream);
    else if (code == '>')
        fputs("&gt;", stream);
    else if (code == '"')
        fputs("&quot;", stream);
    else if (code < 0x20 || code == 0x7F)
        fputc(' ', stream);
    else if (code == 0xFFFD || turns_text(code))
        fputs(replacement, stream);
    else
        fwrite(bytes, 1, size, stream);
}

void dcpn_figure_text_print(FILE *stream, const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        uint32_t code;
        size_t size = dcpn_figure_text_decode(text + at, length - at, &code);
        print_character(stream, code, text + at, size);
        at += size;
    }
}

static double character_width(uint32_t code)
{
    if (code >= 0x1100) return code >= 0x2000 && code < 0x2E80 ? 0.7 : 1.0;
    if (code < 0x80 && strchr("ijl|.,:;'!() ", (int)code)) return 0.36;
    return code == 'm' || code == 'w' || (code >= 'A' && code <= 'Z') ? 0.8 : 0.6;
}

double dcpn_figure_text_width(const char *text, size_t length)
{
    double width = 0.0;
    for (size_t at = 0; at < length;) {
        uint32_t code;
        at += dcpn_figure_text_decode(text + at, length - at, &code);
        width += character_width(code);
    }
    return width;
}

size_t dcpn_figure_text_line(const char *text, double width)
{
    size_t length = strlen(text), last_space = 0, at = 0;
    double used = 0.0;
    while (at < length) {
        uint32_t code;
        size_t size = dcpn_figure_text_decode(text + at, length - at, &code);
        used += character_width(code);
        if (used > width && at > 0) return last_space > 0 ? last_space : at;
        if (code == ' ') last_space = at;
        at += size;
    }
    return length;
}

size_t dcpn_figure_text_lines(const char *text, double width)
{
    size_t lines = 0;
    for (; *text; lines++) {
        text += dcpn_figure_text_line(text, width);
        text += strspn(text, " ");
    }
    return lines;
}

/* The bytes from the start, or up to the end, that are no wider than this. */
static size_t fitting(const char *text, size_t length, double width, size_t most)
{
    size_t at = 0;
    double used = 0.0;
    while (at < length) {
        uint32_t code;
        size_t size = dcpn_figure_text_decode(text + at, length - at, &code);
        used += character_width(code);
        if (used > width || at + size > most) break;
        at += size;
    }
    return at;
}

void dcpn_figure_text_shorten(const char *text, double width, char *copy, size_t size)
{
    size_t length = strlen(text), room = (size - 4) / 2;
    if (length < size && dcpn_figure_text_width(text, length) <= width) {
        memcpy(copy, text, length + 1);
        return;
    }
    size_t head = fitting(text, length, 0.6 * width, room), tail = length;
    for (double used = 0.0; tail > head; tail--) {
        uint32_t code;
        if (length - tail + 1 > room) break;
        if (((unsigned char)text[tail - 1] & 0xC0) == 0x80) continue;
        dcpn_figure_text_decode(text + tail - 1, length - tail + 1, &code);
        used += character_width(code);
        if (used > 0.35 * width) break;
    }
    while (tail < length && ((unsigned char)text[tail] & 0xC0) == 0x80) tail++;
    memcpy(copy, text, head);
    memcpy(copy + head, "\xE2\x80\xA6", 3);
    memcpy(copy + head + 3, text + tail, length - tail + 1);
}

double dcpn_figure_pixels(const char *text, double font)
{
    return font * dcpn_figure_text_width(text, strlen(text));
}

double dcpn_figure_tick_width(const struct figure_tick *tick)
{
    return dcpn_figure_pixels(tick->label, DCPN_FIGURE_FONT) + dcpn_figure_pixels(tick->exponent, 10.0);
}

void dcpn_figure_print_text(const struct drawing *drawing, const char *text)
{
    dcpn_figure_text_print(drawing->out, text, strlen(text));
}

void dcpn_figure_draw_lines(const struct drawing *drawing, const char *text, double width, double x, double y,
                            double step)
{
    for (size_t length; *text; text += length, text += strspn(text, " "), y += step) {
        length = dcpn_figure_text_line(text, width);
        fprintf(drawing->out, "<tspan x=\"%.1f\" y=\"%.1f\">", x, y);
        dcpn_figure_text_print(drawing->out, text, length);
        fputs("</tspan>", drawing->out);
    }
}
