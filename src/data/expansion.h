/* SPDX-License-Identifier: BSD-3-Clause */
/* A way to undo a compression, which data/decompress.c drives. It is missing from a build without its library
 * (DCPN_WITHOUT_ZLIB, _ZSTD, _LZMA). */
#ifndef DCPN_SRC_EXPANSION_H
#define DCPN_SRC_EXPANSION_H

#include "base/context.h"

/* The bytes that a codec reads and the room that it writes to. The codec moves in_used and out_used. */
struct flow {
    const uint8_t *in;
    size_t in_size, in_used;
    uint8_t *out;
    size_t out_size, out_used;
    const char *reason; /* set with BROKEN */
};

enum progress { GOES_ON, MEMBER_ENDS, BROKEN, OUT_OF_MEMORY };

struct expansion {
    void *(*start)(dcpn_context *context); /* a new member; NULL: no memory */
    enum progress (*run)(void *state, struct flow *flow);
    void (*end)(dcpn_context *context, void *state);
};

extern const struct expansion dcpn_gzip_expansion, dcpn_zstd_expansion, dcpn_xz_expansion;

#endif
