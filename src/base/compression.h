/* SPDX-License-Identifier: BSD-3-Clause */
/* A way to compress, which base/compress.c drives. It is missing from a build without its library (DCPN_WITHOUT_ZLIB,
 * _ZSTD, _LZMA). */
#ifndef DCPN_SRC_COMPRESSION_H
#define DCPN_SRC_COMPRESSION_H

#include "base/context.h"

struct flow {
    const uint8_t *in;
    size_t in_size;
    uint8_t *out;
    size_t out_size;
    int ends; /* nothing comes behind `in` */
};

/* GOES_ON: there is more to come out, or to go in; READY: all of `in` is taken, and out if it ends. */
enum progress { GOES_ON, READY, FAILED };

struct compression {
    void *(*start)(dcpn_context *context);                /* NULL: no memory */
    enum progress (*run)(void *state, struct flow *flow); /* moves in and out on */
    void (*end)(dcpn_context *context, void *state);
};

extern const struct compression dcpn_gzip_compression, dcpn_zstd_compression, dcpn_xz_compression;

#endif
