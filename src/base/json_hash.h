/* SPDX-License-Identifier: BSD-3-Clause */
/* The checksum of what a JSON file says, value by value: whoever writes the values and whoever reads them gets the same
 * one. Neither blanks nor the order of members nor the way a number is written matter, so that a file may pass through
 * other programs. */
#ifndef DCPN_SRC_JSON_HASH_H
#define DCPN_SRC_JSON_HASH_H

#include <string.h>

#include "base/checksum.h"

enum { DCPN_CHECKSUM_LENGTH = 17 }; /* 16 hexadecimal digits and a NUL */

enum json_kind {
    DCPN_JSON_OBJECT = 0,
    DCPN_JSON_LIST = 1,
    DCPN_JSON_TEXT = 2,
    DCPN_JSON_NUMBER = 4, /* 2 and 2.0 are the same */
    DCPN_JSON_TRUE = 5,
    DCPN_JSON_FALSE = 6,
    DCPN_JSON_NULL = 7
};

static inline uint64_t dcpn_json_hash_of_pair(uint64_t first, uint64_t second)
{
    const uint64_t pair[] = {first, second};
    return dcpn_checksum(pair, sizeof pair);
}

static inline uint64_t dcpn_json_hash_of_value(enum json_kind kind, uint64_t content)
{
    return dcpn_json_hash_of_pair((uint64_t)kind, content);
}

static inline uint64_t dcpn_json_hash_of_real(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Whole numbers that a double cannot hold are their own kind. */
static inline uint64_t dcpn_json_hash_of_integer(int64_t value)
{
    double real = (double)value;
    return real < -0x1p53 || real > 0x1p53 ? ~(uint64_t)value : dcpn_json_hash_of_real(real);
}

/* A list starts with its length and takes one value after the other. */
static inline uint64_t dcpn_json_hash_of_list(uint64_t so_far, uint64_t value)
{
    return dcpn_json_hash_of_pair(so_far, value);
}

/* An object is the sum of its members, in whatever order. */
static inline uint64_t dcpn_json_hash_of_member(const char *key, uint64_t value)
{
    return dcpn_json_hash_of_pair(dcpn_checksum(key, strlen(key)), value);
}

/* Is the key a member of the outermost object that says how the file came to be, not what is in it? The checksum leaves
 * these members out. */
static inline int dcpn_json_is_apart(const char *key)
{
    return strcmp(key, "checksum") == 0 || strcmp(key, "command") == 0 || strcmp(key, "timing") == 0;
}

#endif
