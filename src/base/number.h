/* SPDX-License-Identifier: BSD-3-Clause */
/* Text <-> number, correctly rounded, whatever the locale of the host program. */
#ifndef DCPN_SRC_NUMBER_H
#define DCPN_SRC_NUMBER_H

#include <stdint.h>

enum { DCPN_NUMBER_LENGTH = 32 }; /* room for any formatted number and its NUL */

/* Reads a number at the start of [text, end), which need not end in NUL, and returns the first character after it; NULL
 * if no number starts there. Decimal literals are correctly rounded; one too large for a double gives an infinity. The
 * words nan, inf and infinity are read too, so that a caller can refuse them by name (dcpn_is_number_word). */
const char *dcpn_parse_double(const char *text, const char *end, double *value);
/* Is [text, end), read by dcpn_parse_double, one of the words, as opposed to digits? */
int dcpn_is_number_word(const char *text, const char *end);

/* Reads a whole number in the same way; one beyond the range of int64_t gives INT64_MAX or INT64_MIN. */
const char *dcpn_parse_integer(const char *text, const char *end, int64_t *value);

/* Writes the number with the fewest of 15, 16 or 17 digits that read back to exactly the same number, without zeros at
 * the end: "0.1", "-12", "1e-300", "-0.0", "nan", "inf". Returns the length. */
int dcpn_format_double(char buffer[DCPN_NUMBER_LENGTH], double value);

#endif
