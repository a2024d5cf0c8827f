/* SPDX-License-Identifier: BSD-3-Clause */
/* Compressed bytes to plain ones: gzip, zstd and xz, of one member or several. */
#ifndef DCPN_SRC_DECOMPRESS_H
#define DCPN_SRC_DECOMPRESS_H

#include "base/context.h"

/* Bytes in memory of their own, to be freed with dcpn_free, that grow while their final number is unknown. */
struct owned_bytes {
    char *start; /* NULL: none yet */
    size_t size, capacity;
};

/* Room for at least one more byte. */
dcpn_status dcpn_owned_bytes_grow(dcpn_context *context, struct owned_bytes *bytes);

/* "gzip", "zstd" or "xz" by the first bytes; NULL: not compressed. */
const char *dcpn_compression_of(const char *bytes, size_t size);
/* Expands all of it. A stream that is damaged, ends early or is followed by something else is refused with the place;
 * name is that of the file, for the message. */
dcpn_status dcpn_decompress(dcpn_context *context, const char *name, const char *bytes, size_t size,
                            struct owned_bytes *plain);

#endif
