/* SPDX-License-Identifier: BSD-3-Clause */
/* XXH64: four lanes of 8 bytes each, merged and mixed at the end. Little-endian machines only, like the files. */
#include "base/checksum.h"

#include <string.h>

static const uint64_t PRIME[] = {0x9E3779B185EBCA87u, 0xC2B2AE3D27D4EB4Fu, 0x165667B19E3779F9u, 0x85EBCA77C2B2AE63u,
                                 0x27D4EB2F165667C5u};

static uint64_t rotate(uint64_t value, int bits)
{
    return value << bits | value >> (64 - bits);
}

static uint64_t word_at(const unsigned char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

static uint64_t round_of(uint64_t lane, uint64_t word)
{
    return rotate(lane + word * PRIME[1], 31) * PRIME[0];
}

/* Hashes stripes of 32 bytes, as many as there are; *at moves behind them. */
static uint64_t hash_stripes(const unsigned char **at, const unsigned char *end)
{
    uint64_t lane[4] = {PRIME[0] + PRIME[1], PRIME[1], 0, 0 - PRIME[0]};
    for (; end - *at >= 32; *at += 32)
        for (int k = 0; k < 4; k++) lane[k] = round_of(lane[k], word_at(*at + 8 * k));
    uint64_t hash = rotate(lane[0], 1) + rotate(lane[1], 7) + rotate(lane[2], 12) + rotate(lane[3], 18);
    for (int k = 0; k < 4; k++) hash = (hash ^ round_of(0, lane[k])) * PRIME[0] + PRIME[3];
    return hash;
}

/* Hashes the rest, which has less than 32 bytes. */
static uint64_t hash_rest(uint64_t hash, const unsigned char *at, const unsigned char *end)
{
    for (; end - at >= 8; at += 8) hash = rotate(hash ^ round_of(0, word_at(at)), 27) * PRIME[0] + PRIME[3];
    if (end - at >= 4) {
        uint32_t half;
        memcpy(&half, at, sizeof half);
        hash = rotate(hash ^ half * PRIME[0], 23) * PRIME[1] + PRIME[2];
        at += 4;
    }
    for (; at < end; at++) hash = rotate(hash ^ *at * PRIME[4], 11) * PRIME[0];
    return hash;
}

static uint64_t mix(uint64_t hash)
{
    hash = (hash ^ hash >> 33) * PRIME[1];
    hash = (hash ^ hash >> 29) * PRIME[2];
    return hash ^ hash >> 32;
}

uint64_t dcpn_checksum(const void *bytes, size_t size)
{
    const unsigned char *at = bytes, *end = at + size;
    uint64_t hash = size >= 32 ? hash_stripes(&at, end) : PRIME[4];
    return mix(hash_rest(hash + size, at, end));
}
