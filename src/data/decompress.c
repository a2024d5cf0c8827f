/* SPDX-License-Identifier: BSD-3-Clause */
/* Compressed bytes to plain ones. Each library is a codec of four functions; one loop drives them all. No size that a
 * header claims is believed: the output grows with what is really there. */
#include "data/decompress.h"

#include <limits.h>
#include <lzma.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/codec_memory.h"

enum { DROPPED_AT_ONCE = 1 << 18 }; /* bytes */

static const uint64_t xz_memory_limit = UINT64_C(1) << 30; /* the largest preset needs 65 MiB */

/* What a codec reads from and writes to: it moves in_used and out_used. */
struct flow {
    const uint8_t *in;
    size_t in_size, in_used;
    uint8_t *out;
    size_t out_size, out_used;
    const char *reason; /* set with BROKEN */
};

enum progress { GOES_ON, MEMBER_ENDS, BROKEN, OUT_OF_MEMORY };

struct codec {
    const char *name;
    int (*recognises)(const uint8_t *bytes, size_t size);
    void *(*start)(dcpn_context *context); /* a new member; NULL: no memory */
    enum progress (*run)(void *state, struct flow *flow);
    void (*end)(dcpn_context *context, void *state);
};

static int starts_with(const uint8_t *bytes, size_t size, const char *magic, size_t length)
{
    return size >= length && memcmp(bytes, magic, length) == 0;
}

/* ---- gzip ---------------------------------------------------------------------------------------------------------*/

static int recognises_gzip(const uint8_t *bytes, size_t size)
{
    return starts_with(bytes, size, "\x1f\x8b\x08", 3) || (size < 3 && starts_with(bytes, size, "\x1f\x8b", 2));
}

static void *start_gzip(dcpn_context *context)
{
    z_stream *stream = dcpn_allocate(context, 1, sizeof *stream);
    if (!stream) return NULL;
    *stream = (z_stream){.zalloc = dcpn_allocate_for_zlib, .zfree = dcpn_release_for_codec, .opaque = context};
    if (inflateInit2(stream, 16 + MAX_WBITS) == Z_OK) return stream; /* 16: with a gzip header */
    dcpn_free(context, stream);
    return NULL;
}

static unsigned at_most_uint(size_t size)
{
    return size < UINT_MAX ? (unsigned)size : UINT_MAX;
}

static enum progress run_gzip(void *state, struct flow *flow)
{
    z_stream *stream = state;
    stream->next_in = (z_const Bytef *)(uintptr_t)(flow->in + flow->in_used); /* zlib reads only */
    stream->avail_in = at_most_uint(flow->in_size - flow->in_used);
    stream->next_out = flow->out + flow->out_used;
    stream->avail_out = at_most_uint(flow->out_size - flow->out_used);
    int result = inflate(stream, Z_NO_FLUSH);
    flow->in_used = (size_t)(stream->next_in - flow->in);
    flow->out_used = (size_t)(stream->next_out - flow->out);
    flow->reason = stream->msg ? stream->msg : "invalid data";
    if (result == Z_OK || result == Z_BUF_ERROR) return GOES_ON;
    if (result == Z_STREAM_END) return MEMBER_ENDS;
    return result == Z_MEM_ERROR ? OUT_OF_MEMORY : BROKEN;
}

static void end_gzip(dcpn_context *context, void *state)
{
    inflateEnd(state);
    dcpn_free(context, state);
}

/* ---- zstd ---------------------------------------------------------------------------------------------------------*/

static int recognises_zstd(const uint8_t *bytes, size_t size)
{
    int is_skippable = size >= 4 && (bytes[0] & 0xf0) == 0x50 && memcmp(bytes + 1, "\x2a\x4d\x18", 3) == 0;
    return is_skippable || starts_with(bytes, size, "\x28\xb5\x2f\xfd", 4);
}

static void *start_zstd(dcpn_context *context)
{
    ZSTD_DStream *stream = ZSTD_createDStream();
    if (!stream) dcpn_fail(context, DCPN_MEMORY, "out of memory for a zstd stream");
    return stream;
}

static enum progress run_zstd(void *state, struct flow *flow)
{
    ZSTD_inBuffer in = {flow->in, flow->in_size, flow->in_used};
    ZSTD_outBuffer out = {flow->out, flow->out_size, flow->out_used};
    size_t result = ZSTD_decompressStream(state, &out, &in);
    flow->in_used = in.pos;
    flow->out_used = out.pos;
    if (!ZSTD_isError(result)) return result == 0 ? MEMBER_ENDS : GOES_ON;
    flow->reason = ZSTD_getErrorName(result);
    return strstr(flow->reason, "Allocation") ? OUT_OF_MEMORY : BROKEN;
}

static void end_zstd(dcpn_context *context, void *state)
{
    (void)context;
    ZSTD_freeDStream(state);
}

/* ---- xz -----------------------------------------------------------------------------------------------------------*/

struct xz {
    lzma_stream stream;
    lzma_allocator allocator;
};

static int recognises_xz(const uint8_t *bytes, size_t size)
{
    return starts_with(bytes, size,
                       "\xfd"
                       "7zXZ\0",
                       6);
}

static void *start_xz(dcpn_context *context)
{
    struct xz *xz = dcpn_allocate(context, 1, sizeof *xz);
    if (!xz) return NULL;
    *xz =
        (struct xz){.stream = LZMA_STREAM_INIT, .allocator = {dcpn_allocate_for_lzma, dcpn_release_for_codec, context}};
    xz->stream.allocator = &xz->allocator;
    if (lzma_stream_decoder(&xz->stream, xz_memory_limit, 0) == LZMA_OK) return xz;
    dcpn_free(context, xz);
    return NULL;
}

static const char *reason_of_lzma(lzma_ret result)
{
    switch (result) {
    case LZMA_MEMLIMIT_ERROR:
        return "it needs more than 1 GiB of memory to be expanded";
    case LZMA_OPTIONS_ERROR:
        return "it uses options that liblzma does not know";
    case LZMA_FORMAT_ERROR:
        return "not an xz stream";
    default:
        return "invalid data";
    }
}

static enum progress run_xz(void *state, struct flow *flow)
{
    lzma_stream *stream = &((struct xz *)state)->stream;
    stream->next_in = flow->in + flow->in_used;
    stream->avail_in = flow->in_size - flow->in_used;
    stream->next_out = flow->out + flow->out_used;
    stream->avail_out = flow->out_size - flow->out_used;
    lzma_ret result = lzma_code(stream, LZMA_RUN);
    flow->in_used = flow->in_size - stream->avail_in;
    flow->out_used = flow->out_size - stream->avail_out;
    if (result == LZMA_OK || result == LZMA_BUF_ERROR) return GOES_ON;
    if (result == LZMA_STREAM_END) return MEMBER_ENDS;
    flow->reason = reason_of_lzma(result);
    return result == LZMA_MEM_ERROR ? OUT_OF_MEMORY : BROKEN;
}

static void end_xz(dcpn_context *context, void *state)
{
    lzma_end(&((struct xz *)state)->stream);
    dcpn_free(context, state);
}

/* ---- All of them --------------------------------------------------------------------------------------------------*/

static const struct codec codecs[] = {
    {"gzip", recognises_gzip, start_gzip, run_gzip, end_gzip},
    {"zstd", recognises_zstd, start_zstd, run_zstd, end_zstd},
    {"xz", recognises_xz, start_xz, run_xz, end_xz},
};

static const struct codec *codec_of(const char *bytes, size_t size)
{
    for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++)
        if (codecs[i].recognises((const uint8_t *)bytes, size)) return &codecs[i];
    return NULL;
}

const char *dcpn_compression_of(const char *bytes, size_t size)
{
    const struct codec *codec = codec_of(bytes, size);
    return codec ? codec->name : NULL;
}

struct expansion {
    dcpn_context *context;
    const struct content *content;
    size_t dropped; /* bytes of it */
    const struct codec *codec;
    struct flow flow;
    struct gathered *plain;
};

static dcpn_status refuse(const struct expansion *expansion, const char *what, const char *advice)
{
    return dcpn_fail(expansion->context, DCPN_DATA, "%s: byte %zu of %zu: the %s stream %s; %s",
                     expansion->content->name, expansion->flow.in_used, expansion->flow.in_size, expansion->codec->name,
                     what, advice);
}

static dcpn_status refuse_broken(const struct expansion *expansion)
{
    if (strstr(expansion->flow.reason, "too much memory")) /* zstd's own words */
        return refuse(expansion, "has a window of more than 128 MiB",
                      "expand it with zstd -d --long=31, or compress it without --long");
    return dcpn_fail(expansion->context, DCPN_DATA,
                     "%s: byte %zu of %zu: the %s stream is damaged (%s) after %zu bytes of plain data; copy or "
                     "compress the file again",
                     expansion->content->name, expansion->flow.in_used, expansion->flow.in_size, expansion->codec->name,
                     expansion->flow.reason, expansion->plain->in_file + expansion->plain->size);
}

static void drop_what_is_read(struct expansion *expansion)
{
    const char *bytes = expansion->content->bytes;
    if (expansion->flow.in_used - expansion->dropped < DROPPED_AT_ONCE) return;
    dcpn_content_drop(expansion->content, bytes + expansion->dropped, bytes + expansion->flow.in_used);
    expansion->dropped = expansion->flow.in_used;
}

static dcpn_status run_member(struct expansion *expansion, void *state)
{
    struct flow *flow = &expansion->flow;
    struct gathered *plain = expansion->plain;
    for (;;) {
        DCPN_TRY(dcpn_gather_room(plain));
        size_t in_before = flow->in_used;
        flow->out = (uint8_t *)plain->start;
        flow->out_size = plain->capacity;
        flow->out_used = plain->size;
        enum progress progress = expansion->codec->run(state, flow);
        int moved = flow->in_used > in_before || flow->out_used > plain->size;
        plain->size = flow->out_used;
        drop_what_is_read(expansion);
        if (progress == MEMBER_ENDS) return DCPN_OK;
        if (progress == BROKEN) return refuse_broken(expansion);
        if (progress == OUT_OF_MEMORY)
            return dcpn_fail(expansion->context, DCPN_MEMORY, "%s: out of memory while it was expanded",
                             expansion->content->name);
        if (!moved && flow->in_used == flow->in_size)
            return refuse(expansion, "ends early", "the file is truncated: copy or download it again");
        if (!moved) return refuse_broken(expansion);
    }
}

static dcpn_status expand_member(struct expansion *expansion)
{
    expansion->flow.reason = "invalid data";
    void *state = expansion->codec->start(expansion->context);
    if (!state) return DCPN_MEMORY;
    dcpn_status status = run_member(expansion, state);
    expansion->codec->end(expansion->context, state);
    return status;
}

/* Zeros behind a member are the padding of tapes and of xz. */
static int at_end(struct flow *flow)
{
    while (flow->in_used < flow->in_size && flow->in[flow->in_used] == 0) flow->in_used++;
    return flow->in_used == flow->in_size;
}

static dcpn_status expand(struct expansion *expansion)
{
    struct flow *flow = &expansion->flow;
    do {
        DCPN_TRY(expand_member(expansion));
        if (at_end(flow)) return DCPN_OK;
    } while (expansion->codec->recognises(flow->in + flow->in_used, flow->in_size - flow->in_used));
    return refuse(expansion, "has ended, and something else follows", "remove what stands behind it");
}

dcpn_status dcpn_decompress(const struct content *content, struct gathered *plain)
{
    struct expansion expansion = {
        .context = plain->context,
        .content = content,
        .codec = codec_of(content->bytes, content->size),
        .flow = {.in = (const uint8_t *)content->bytes, .in_size = content->size},
        .plain = plain,
    };
    return expand(&expansion);
}

size_t dcpn_decompress_head(dcpn_context *context, const char *bytes, size_t size, char *head, size_t room)
{
    const struct codec *codec = codec_of(bytes, size);
    struct flow flow = {.in = (const uint8_t *)bytes, .in_size = size, .out = (uint8_t *)head, .out_size = room};
    void *state = codec ? codec->start(context) : NULL;
    if (!state) return 0;
    for (int moved = 1; moved && flow.out_used < room;) {
        size_t in_before = flow.in_used, out_before = flow.out_used;
        moved = codec->run(state, &flow) == GOES_ON && (flow.in_used > in_before || flow.out_used > out_before);
    }
    codec->end(context, state);
    return flow.out_used;
}
