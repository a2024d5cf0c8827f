/* SPDX-License-Identifier: BSD-3-Clause */
/* Eight characters at a time, as one word: how many of them are digits, and which number these make. */
#ifndef DCPN_SRC_DIGITS_H
#define DCPN_SRC_DIGITS_H

#include <stdint.h>
#include <string.h>

/* The first character in the lowest byte, whatever the byte order of the machine. */
static inline uint64_t dcpn_eight_characters(const char *text)
{
    uint64_t word;
    memcpy(&word, text, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* How many characters come before the first that is no digit: 0 to 8. A digit xor '0' is at most 9, and adding 0x76 to
 * more than that reaches the top bit of its byte; a carry can only come from a byte that is marked already. */
static inline int dcpn_count_digits(uint64_t word)
{
    uint64_t digits = word ^ UINT64_C(0x3030303030303030);
    uint64_t others = ((digits + UINT64_C(0x7676767676767676)) | digits) & UINT64_C(0x8080808080808080);
    return others ? __builtin_ctzll(others) >> 3 : 8;
}

/* The number that the first `count` characters make, all digits, 1 <= count <= 8: pairs, then fours, then all eight are
 * put together, each by one multiplication. */
static inline uint32_t dcpn_number_of_digits(uint64_t word, int count)
{
    word = (word ^ UINT64_C(0x3030303030303030)) << (8 * (8 - count));
    word = (word * 2561) >> 8;
    word = ((word & UINT64_C(0x00ff00ff00ff00ff)) * 6553601) >> 16;
    return (uint32_t)(((word & UINT64_C(0x0000ffff0000ffff)) * UINT64_C(42949672960001)) >> 32);
}

#endif
