/* SPDX-License-Identifier: BSD-3-Clause */
/* Characters of UTF-8. */
#ifndef DCPN_SRC_UTF8_H
#define DCPN_SRC_UTF8_H

#include <stddef.h>
#include <string.h>

/* The length of the byte order mark, which some editors put before a text, or of several, where a program put one
 * before a text that had one; 0: there is none. */
static inline size_t dcpn_byte_order_mark(const char *text, size_t size)
{
    size_t length = 0;
    while (size - length >= 3 && memcmp(text + length, "\xEF\xBB\xBF", 3) == 0) length += 3;
    return length;
}

/* The length of the character at text, 1 to 4; 0: none starts there. No overlong forms, surrogates or numbers beyond
 * 0x10ffff. */
static inline int dcpn_utf8_length(const char *character)
{
    const unsigned char *text = (const unsigned char *)character;
    unsigned first = text[0], low = 0x80, high = 0xbf;
    int length = first < 0x80 ? 1 : first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : 4;
    if ((first >= 0x80 && first < 0xc2) || first > 0xf4) return 0;
    if (first == 0xe0) low = 0xa0;
    if (first == 0xed) high = 0x9f;
    if (first == 0xf0) low = 0x90;
    if (first == 0xf4) high = 0x8f;
    for (int k = 1; k < length; k++) {
        if (text[k] < low || text[k] > high) return 0;
        low = 0x80;
        high = 0xbf;
    }
    return length;
}

#endif
