/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts in a figure: escaped for XML, measured and broken into lines. */
#ifndef DCPN_PLOT_TEXT_H
#define DCPN_PLOT_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Reads one character: returns the bytes it takes, and its code point in *code; 0xFFFD and one byte where there is
 * no valid one. */
size_t dcpn_figure_text_decode(const char *text, size_t length, uint32_t *code);

/* May a terminal have the character? Neither a control character, nor invisible, nor a turn of direction. */
int dcpn_figure_text_is_harmless(uint32_t code);

/* Prints length bytes of text, escaped. What is not UTF-8, or would turn the direction of its neighbours, becomes
 * U+FFFD, and a control character becomes a space. */
void dcpn_figure_text_print(FILE *stream, const char *text, size_t length);

/* Returns the width in units of the font size. It is taken from common fonts, and is rather too large than too
 * small. */
double dcpn_figure_text_width(const char *text, size_t length);

/* Returns how many bytes the first line of text has if no line may be wider than this: up to a space, or up to where
 * it fits, but at least one character, unless the text is empty. The next line begins after these bytes and the
 * spaces that follow. */
size_t dcpn_figure_text_line(const char *text, double width);

/* Returns how many lines the text makes; 0 for an empty text. */
size_t dcpn_figure_text_lines(const char *text, double width);

/* Makes a copy no wider than this: a text that is too long loses its middle to an ellipsis. Control characters and
 * what is not UTF-8 are kept as they are. */
void dcpn_figure_text_shorten(const char *text, double width, char *copy, size_t size);

#endif
