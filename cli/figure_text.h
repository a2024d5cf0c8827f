/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts in a figure: escaped for XML, measured and broken into lines. */
#ifndef DCPN_CLI_FIGURE_TEXT_H
#define DCPN_CLI_FIGURE_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* length bytes of text; what is no UTF-8 becomes U+FFFD, and a control character a space. */
void dcpn_figure_text_print(FILE *stream, const char *text, size_t length);

/* The width in units of the font size, from common fonts and rather too large than too small. */
double dcpn_figure_text_width(const char *text, size_t length);

/* The bytes of the first line of text if no line may be wider than this: up to a space, or up to where it fits. The
 * next line begins after them and after spaces. At least one character, unless the text is empty. */
size_t dcpn_figure_text_line(const char *text, double width);

/* How many lines that makes; 0 for an empty text. */
size_t dcpn_figure_text_lines(const char *text, double width);

#endif
