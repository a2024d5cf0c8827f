/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as an image within a page. */
#ifndef DCPN_CLI_SHEET_IMAGE_H
#define DCPN_CLI_SHEET_IMAGE_H

#include <stdint.h>
#include <stdio.h>

double dcpn_cli_image_largest(int64_t count, const double *numbers);
/* Prints an <img> of rows x columns pixels, numbers by rows: 0 is white, `largest` and its negative have full colour.
 * `words` say what it is to those who cannot see it. */
void dcpn_cli_image_print(FILE *out, int64_t rows, int64_t columns, const double *numbers, double largest,
                          const char *words);

#endif
