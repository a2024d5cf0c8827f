/* SPDX-License-Identifier: BSD-3-Clause */
/* Plain bytes to compressed ones. Each library is a codec of three functions; one loop drives them all. */
#include "base/compress.h"

#include <limits.h>
#include <lzma.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/codec_memory.h"

enum { ROOM = 1 << 16, GZIP_LEVEL = 6, ZSTD_LEVEL = 3, XZ_PRESET = 6 };

struct flow {
    const uint8_t *in;
    size_t in_size;
    uint8_t *out;
    size_t out_size;
    int ends; /* nothing comes behind `in` */
};

/* GOES_ON: there is more to come out, or to go in; READY: all of `in` is taken, and out if it ends. */
enum progress { GOES_ON, READY, FAILED };

struct codec {
    const char *extension;
    void *(*start)(dcpn_context *context);                /* NULL: no memory */
    enum progress (*run)(void *state, struct flow *flow); /* moves in and out on */
    void (*end)(dcpn_context *context, void *state);
};

struct compressor {
    dcpn_context *context;
    const struct codec *codec;
    void *state;
    uint8_t room[ROOM];
};

/* ---- gzip ---------------------------------------------------------------------------------------------------------*/

static void *start_gzip(dcpn_context *context)
{
    enum { GZIP_HEADER = 16, MEMORY_LEVEL = 8 };
    z_stream *stream = dcpn_allocate(context, 1, sizeof *stream);
    if (!stream) return NULL;
    *stream = (z_stream){.zalloc = dcpn_allocate_for_zlib, .zfree = dcpn_release_for_codec, .opaque = context};
    if (deflateInit2(stream, GZIP_LEVEL, Z_DEFLATED, GZIP_HEADER + MAX_WBITS, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK)
        return stream;
    dcpn_free(context, stream);
    return NULL;
}

static enum progress run_gzip(void *state, struct flow *flow)
{
    z_stream *stream = state;
    unsigned given = flow->in_size < UINT_MAX ? (unsigned)flow->in_size : UINT_MAX;
    int is_last = flow->ends && given == flow->in_size;
    stream->next_in = (z_const Bytef *)(uintptr_t)flow->in; /* zlib reads only */
    stream->avail_in = given;
    stream->next_out = flow->out;
    stream->avail_out = (unsigned)flow->out_size;
    int result = deflate(stream, is_last ? Z_FINISH : Z_NO_FLUSH);
    flow->in += given - stream->avail_in;
    flow->in_size -= given - stream->avail_in;
    flow->out += flow->out_size - stream->avail_out;
    flow->out_size = stream->avail_out;
    if (result == Z_STREAM_END) return READY;
    if (result != Z_OK && result != Z_BUF_ERROR) return FAILED;
    return is_last || flow->in_size > 0 ? GOES_ON : READY;
}

static void end_gzip(dcpn_context *context, void *state)
{
    deflateEnd(state);
    dcpn_free(context, state);
}

/* ---- zstd ---------------------------------------------------------------------------------------------------------*/

static void *start_zstd(dcpn_context *context)
{
    ZSTD_CCtx *stream = ZSTD_createCCtx();
    if (!stream) {
        dcpn_fail(context, DCPN_MEMORY, "out of memory for a zstd stream");
        return NULL;
    }
    ZSTD_CCtx_setParameter(stream, ZSTD_c_compressionLevel, ZSTD_LEVEL);
    ZSTD_CCtx_setParameter(stream, ZSTD_c_checksumFlag, 1);
    return stream;
}

static enum progress run_zstd(void *state, struct flow *flow)
{
    ZSTD_inBuffer in = {flow->in, flow->in_size, 0};
    ZSTD_outBuffer out = {flow->out, flow->out_size, 0};
    size_t left = ZSTD_compressStream2(state, &out, &in, flow->ends ? ZSTD_e_end : ZSTD_e_continue);
    flow->in += in.pos;
    flow->in_size -= in.pos;
    flow->out += out.pos;
    flow->out_size -= out.pos;
    if (ZSTD_isError(left)) return FAILED;
    return flow->in_size > 0 || (flow->ends && left > 0) ? GOES_ON : READY;
}

static void end_zstd(dcpn_context *context, void *state)
{
    (void)context;
    ZSTD_freeCCtx(state);
}

/* ---- xz -----------------------------------------------------------------------------------------------------------*/

struct xz {
    lzma_stream stream;
    lzma_allocator allocator;
};

static void *start_xz(dcpn_context *context)
{
    struct xz *xz = dcpn_allocate(context, 1, sizeof *xz);
    if (!xz) return NULL;
    *xz =
        (struct xz){.stream = LZMA_STREAM_INIT, .allocator = {dcpn_allocate_for_lzma, dcpn_release_for_codec, context}};
    xz->stream.allocator = &xz->allocator;
    if (lzma_easy_encoder(&xz->stream, XZ_PRESET, LZMA_CHECK_CRC64) == LZMA_OK) return xz;
    dcpn_free(context, xz);
    return NULL;
}

static enum progress run_xz(void *state, struct flow *flow)
{
    lzma_stream *stream = &((struct xz *)state)->stream;
    stream->next_in = flow->in;
    stream->avail_in = flow->in_size;
    stream->next_out = flow->out;
    stream->avail_out = flow->out_size;
    lzma_ret result = lzma_code(stream, flow->ends ? LZMA_FINISH : LZMA_RUN);
    flow->in = stream->next_in;
    flow->in_size = stream->avail_in;
    flow->out = stream->next_out;
    flow->out_size = stream->avail_out;
    if (result == LZMA_STREAM_END) return READY;
    if (result != LZMA_OK && result != LZMA_BUF_ERROR) return FAILED;
    return flow->ends || flow->in_size > 0 ? GOES_ON : READY;
}

static void end_xz(dcpn_context *context, void *state)
{
    lzma_end(&((struct xz *)state)->stream);
    dcpn_free(context, state);
}

/* ---- All of them --------------------------------------------------------------------------------------------------*/

static const struct codec codecs[] = {
    {".gz", start_gzip, run_gzip, end_gzip},
    {".zst", start_zstd, run_zstd, end_zstd},
    {".xz", start_xz, run_xz, end_xz},
};

static int has_ending(const char *path, const char *ending)
{
    size_t length = strlen(path), part = strlen(ending);
    return length > part && strcmp(path + length - part, ending) == 0;
}

static const struct codec *codec_of(const char *path)
{
    for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++)
        if (has_ending(path, codecs[i].extension)) return &codecs[i];
    return NULL;
}

/* Plain bytes under such a name would be a surprise. */
static dcpn_status refuse_others(dcpn_context *context, const char *path)
{
    static const char *const others[] = {".bz2", ".lz4", ".lzma", ".lz", ".lzo", ".br", ".Z", ".zip", ".7z"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (has_ending(path, others[i]))
            return dcpn_fail(context, DCPN_USAGE,
                             "%s: %s is not written; end the name in .gz, .zst or .xz, or in none of them", path,
                             others[i]);
    return DCPN_OK;
}

size_t dcpn_uncompressed_length(const char *path)
{
    const struct codec *codec = codec_of(path);
    return strlen(path) - (codec ? strlen(codec->extension) : 0);
}

dcpn_status dcpn_compressor_open(dcpn_context *context, const char *path, struct compressor **compressor)
{
    const struct codec *codec = codec_of(path);
    *compressor = NULL;
    if (!codec) return refuse_others(context, path);
    struct compressor *made = dcpn_allocate(context, 1, sizeof *made);
    if (!made) return DCPN_MEMORY;
    made->context = context;
    made->codec = codec;
    made->state = codec->start(context);
    if (made->state) {
        *compressor = made;
        return DCPN_OK;
    }
    dcpn_free(context, made);
    return DCPN_MEMORY;
}

dcpn_status dcpn_compress(struct compressor *compressor, const char *bytes, size_t length, int ends,
                          void (*put)(void *user, const char *bytes, size_t length), void *user)
{
    struct flow flow = {.in = (const uint8_t *)bytes, .in_size = length, .ends = ends};
    enum progress progress;
    do {
        flow.out = compressor->room;
        flow.out_size = ROOM;
        progress = compressor->codec->run(compressor->state, &flow);
        put(user, (const char *)compressor->room, ROOM - flow.out_size);
    } while (progress == GOES_ON);
    if (progress == READY) return DCPN_OK;
    return dcpn_fail(compressor->context, DCPN_MEMORY, "out of memory for the %s compressor",
                     compressor->codec->extension + 1);
}

void dcpn_compressor_free(struct compressor *compressor)
{
    if (!compressor) return;
    compressor->codec->end(compressor->context, compressor->state);
    dcpn_free(compressor->context, compressor);
}
