/* SPDX-License-Identifier: BSD-3-Clause */
/* The whole of an input in memory, decompressed: a plain file is mapped, anything else (a pipe, gzip, zstd, xz) read
 * into memory of its own. Compression is recognised by the first bytes.
 *
 * A mapped file can change under the reader. Its bytes are therefore not to be trusted twice: a parser that counts in a
 * first pass checks in the second that it stays within the count. A file that another process cuts short while it is
 * mapped raises SIGBUS, in the middle of parsing, as it does in any program that maps files; the command catches it and
 * says so. Who cannot rule that out, and is a library's user, gives a pipe. */
#ifndef DCPN_SRC_CONTENT_H
#define DCPN_SRC_CONTENT_H

#include "base/context.h"

struct content {
    dcpn_context *context;
    const char *name;  /* for messages: the path, borrowed, or "standard input" */
    const char *bytes; /* not ended by a 0 */
    size_t size;
    char *owned; /* NULL: mapped, or somebody else's */
    int is_mapped;
    const char *plain_path; /* the path, if the file is plain and uncompressed: for libraries that open it themselves */
};

/* path "-" is standard input. */
dcpn_status dcpn_content_open(dcpn_context *context, const char *path, struct content *content);
/* Makes a content of bytes that somebody else owns and keeps. */
dcpn_status dcpn_content_borrow(dcpn_context *context, const char *name, const void *bytes, size_t size,
                                struct content *content);
/* Tells that some bytes are not needed for now. Memory that holds them only for a mapped file is given back. */
void dcpn_content_forget(const struct content *content, const char *begin, const char *end);
/* Tells that some bytes are never needed again. Memory that the content owns is given back, too, and the bytes are
 * lost. */
void dcpn_content_drop(const struct content *content, const char *begin, const char *end);
void dcpn_content_close(struct content *content);

#endif
