/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts in a figure: escaped for XML, measured and broken into lines. */
#ifndef DCPN_PLOT_TEXT_H
#define DCPN_PLOT_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* One character: the bytes it takes, and its code point; 0xFFFD and one byte where there is no valid one. */
size_t dcpn_figure_text_decode(const char *text, size_t length, uint32_t *code);

/* May a terminal have the character? Neither a control character, nor invisible, nor a turn of direction. */
int dcpn_figure_text_is_harmless(uint32_t code);

/* length bytes of text, escaped; what is no UTF-8, or would turn the direction of its neighbours, becomes U+FFFD, and a
 * control character a space. */
void dcpn_figure_text_print(FILE *stream, const char *text, size_t length);

/* The width in units of the font size, from common fonts and rather too large than too small. */
double dcpn_figure_text_width(const char *text, size_t length);

/* The bytes of the first line of text if no line may be wider than this: up to a space, or up to where it fits. The
 * next line begins after them and after spaces. At least one character, unless the text is empty. */
size_t dcpn_figure_text_line(const char *text, double width);

/* How many lines that makes; 0 for an empty text. */
size_t dcpn_figure_text_lines(const char *text, double width);

/* A copy, no wider than this: a text that is too long loses its middle to an ellipsis. Control characters and what is
 * no UTF-8 are kept as they are. */
void dcpn_figure_text_shorten(const char *text, double width, char *copy, size_t size);

#endif
