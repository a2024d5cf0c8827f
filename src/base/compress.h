/* SPDX-License-Identifier: BSD-3-Clause */
/* Plain bytes to compressed ones: gzip, zstd and xz. */
#ifndef DCPN_SRC_COMPRESS_H
#define DCPN_SRC_COMPRESS_H

#include "base/context.h"

struct compressor;

/* The length of path without .gz, .zst or .xz at its end; all of it if it has none. */
size_t dcpn_uncompressed_length(const char *path);

/* Opens the compressor that the end of path asks for; *compressor is NULL if it asks for none. Endings of other
 * compressions are refused. */
dcpn_status dcpn_compressor_open(dcpn_context *context, const char *path, struct compressor **compressor);
/* Takes all of the bytes, the last ones if `ends`; what is ready is put where it belongs. */
dcpn_status dcpn_compress(struct compressor *compressor, const char *bytes, size_t length, int ends,
                          void (*put)(void *user, const char *bytes, size_t length), void *user);
void dcpn_compressor_free(struct compressor *compressor);

#endif
