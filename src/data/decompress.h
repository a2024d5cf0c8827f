/* SPDX-License-Identifier: BSD-3-Clause */
/* Compressed bytes to plain ones: gzip, zstd and xz, of one member or several. */
#ifndef DCPN_SRC_DECOMPRESS_H
#define DCPN_SRC_DECOMPRESS_H

#include "data/gather.h"

/* "gzip", "zstd" or "xz" by the first bytes; NULL: not compressed. */
const char *dcpn_compression_of(const char *bytes, size_t size);
/* Expands all of a content, whose bytes are lost by that. A stream that is damaged, ends early or is followed by
 * something else is refused with the place. */
dcpn_status dcpn_decompress(const struct content *content, struct gathered *plain);
/* Expands the beginning of compressed bytes as far as it goes into the room and comes out of these bytes. Returns how
 * many bytes it has written. */
size_t dcpn_decompress_head(dcpn_context *context, const char *bytes, size_t size, char *head, size_t room);

#endif
