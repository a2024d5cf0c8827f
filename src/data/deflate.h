/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of zlib that zip archives need: deflated entries and checksums of their bytes. A build without zlib
 * (DCPN_WITHOUT_ZLIB) stores entries as they are, and refuses to read deflated ones. */
#ifndef DCPN_SRC_DEFLATE_H
#define DCPN_SRC_DEFLATE_H

#include "data/content.h"

/* The cyclic redundancy check of zip, from that of the bytes before; 0 for none. */
uint32_t dcpn_crc32(uint32_t sum, const char *bytes, uint64_t length);

struct deflater;
typedef void dcpn_put(void *user, const char *bytes, size_t length);

/* level: zlib's, 0 (as it is) to 9. *deflater is NULL where there is no zlib. */
dcpn_status dcpn_deflater_new(dcpn_context *context, int level, struct deflater **deflater);
/* Compresses bytes and puts what is ready. If `ends`, puts everything that is left; what follows then is another
 * entry. */
void dcpn_deflate(struct deflater *deflater, const char *bytes, size_t length, int ends, dcpn_put *put, void *user);
void dcpn_deflater_free(struct deflater *deflater);

/* An entry that expands to so many bytes; *is_whole: to no more and no less. The bytes are the caller's in any case. */
struct inflation {
    const struct content *content; /* in which it lies */
    const char *from;
    uint64_t length, size;
    char *bytes;
    int is_whole;
};
int dcpn_can_inflate(void);
dcpn_status dcpn_inflate(struct inflation *inflation);

#endif
