/* SPDX-License-Identifier: BSD-3-Clause */
#include "data/deflate.h"

#ifdef DCPN_WITHOUT_ZLIB

/* The polynomial 0xEDB88320, bits in reverse, four of them at once. */
uint32_t dcpn_crc32(uint32_t sum, const char *bytes, uint64_t length)
{
    static const uint32_t of_nibble[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                           0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                           0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    sum = ~sum;
    for (uint64_t k = 0; k < length; k++) {
        sum ^= (unsigned char)bytes[k];
        sum = of_nibble[sum & 15] ^ sum >> 4;
        sum = of_nibble[sum & 15] ^ sum >> 4;
    }
    return ~sum;
}

dcpn_status dcpn_deflater_new(dcpn_context *context, int level, struct deflater **deflater)
{
    (void)context;
    (void)level;
    *deflater = NULL;
    return DCPN_OK;
}

void dcpn_deflate(struct deflater *deflater, const char *bytes, size_t length, int ends, dcpn_put *put, void *user)
{
    (void)deflater;
    (void)ends;
    put(user, bytes, length);
}

void dcpn_deflater_free(struct deflater *deflater)
{
    (void)deflater;
}

int dcpn_can_inflate(void)
{
    return 0;
}

dcpn_status dcpn_inflate(struct inflation *inflation)
{
    inflation->is_whole = 0;
    return DCPN_OK;
}

#else

#include <zlib.h>

#include "base/codec_memory.h"

enum {
    ROOM = 1 << 16,
    EXPANDED_AT_ONCE = 1 << 20, /* bytes */
    FIRST_ROOM = 1 << 16,
};

/* Sums and streams take at most 4 GiB at a time. */
static uInt portion(uint64_t length)
{
    return length < 1U << 30 ? (uInt)length : 1U << 30;
}

uint32_t dcpn_crc32(uint32_t sum, const char *bytes, uint64_t length)
{
    while (length > 0) {
        uInt now = portion(length);
        sum = (uint32_t)crc32(sum, (const Bytef *)bytes, now);
        bytes += now;
        length -= now;
    }
    return sum;
}

/* ---- Deflating ----------------------------------------------------------------------------------------------------*/

struct deflater {
    dcpn_context *context;
    z_stream stream;
    char room[ROOM];
};

dcpn_status dcpn_deflater_new(dcpn_context *context, int level, struct deflater **deflater)
{
    struct deflater *made = *deflater = dcpn_allocate(context, 1, sizeof *made);
    if (!made) return DCPN_MEMORY;
    made->context = context;
    made->stream = (z_stream){.zalloc = dcpn_allocate_for_zlib, .zfree = dcpn_release_for_codec, .opaque = context};
    if (deflateInit2(&made->stream, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK) return DCPN_OK;
    dcpn_free(context, made);
    *deflater = NULL;
    return DCPN_MEMORY;
}

static void deflate_portion(struct deflater *deflater, const char *bytes, uInt length, int flush, dcpn_put *put,
                            void *user)
{
    z_stream *stream = &deflater->stream;
    stream->next_in = (Bytef *)(uintptr_t)bytes;
    stream->avail_in = length;
    do {
        stream->next_out = (Bytef *)deflater->room;
        stream->avail_out = ROOM;
        deflate(stream, flush);
        put(user, deflater->room, ROOM - stream->avail_out);
    } while (stream->avail_out == 0);
}

void dcpn_deflate(struct deflater *deflater, const char *bytes, size_t length, int ends, dcpn_put *put, void *user)
{
    while (length > 0) {
        uInt now = portion(length);
        deflate_portion(deflater, bytes, now, Z_NO_FLUSH, put, user);
        bytes += now;
        length -= now;
    }
    if (!ends) return;
    deflate_portion(deflater, "", 0, Z_FINISH, put, user);
    deflateReset(&deflater->stream);
}

void dcpn_deflater_free(struct deflater *deflater)
{
    if (!deflater) return;
    deflateEnd(&deflater->stream);
    dcpn_free(deflater->context, deflater);
}

/* ---- Inflating ----------------------------------------------------------------------------------------------------*/

int dcpn_can_inflate(void)
{
    return 1;
}

/* The room for the expanded bytes grows with them: their number in the directory is only where it ends. */
struct growth {
    struct inflation *inflation;
    z_stream stream;
    uint64_t room, used;
};

static dcpn_status enlarge(struct growth *growth, uint64_t room)
{
    struct inflation *inflation = growth->inflation;
    if (room > inflation->size) room = inflation->size;
    char *larger = dcpn_grow(inflation->content->context, inflation->bytes, (size_t)growth->used, (size_t)room, 1);
    if (!larger) return DCPN_MEMORY;
    inflation->bytes = larger;
    growth->room = room;
    return DCPN_OK;
}

static dcpn_status run(struct growth *growth)
{
    z_stream *stream = &growth->stream;
    struct inflation *inflation = growth->inflation;
    const char *from = inflation->from;
    uint64_t length = inflation->length;
    int result;
    do {
        if (growth->used == growth->room && growth->room < inflation->size) DCPN_TRY(enlarge(growth, 2 * growth->room));
        uInt in = length < EXPANDED_AT_ONCE ? (uInt)length : EXPANDED_AT_ONCE,
             out = portion(growth->room - growth->used);
        stream->next_in = (Bytef *)(uintptr_t)from;
        stream->avail_in = in;
        stream->next_out = (Bytef *)inflation->bytes + growth->used;
        stream->avail_out = out;
        result = inflate(stream, Z_NO_FLUSH);
        dcpn_content_forget(inflation->content, from, from + (in - stream->avail_in));
        from += in - stream->avail_in;
        length -= in - stream->avail_in;
        growth->used += out - stream->avail_out;
    } while (result == Z_OK);
    inflation->is_whole = result == Z_STREAM_END && length == 0 && growth->used == inflation->size;
    return result == Z_MEM_ERROR ? DCPN_MEMORY : DCPN_OK;
}

dcpn_status dcpn_inflate(struct inflation *inflation)
{
    struct growth growth = {.inflation = inflation};
    inflation->is_whole = 0;
    growth.stream = (z_stream){
        .zalloc = dcpn_allocate_for_zlib, .zfree = dcpn_release_for_codec, .opaque = inflation->content->context};
    DCPN_TRY(enlarge(&growth, 4 * inflation->length + FIRST_ROOM));
    if (inflateInit2(&growth.stream, -MAX_WBITS) != Z_OK) return DCPN_MEMORY;
    dcpn_status status = run(&growth);
    inflateEnd(&growth.stream);
    return status;
}

#endif
