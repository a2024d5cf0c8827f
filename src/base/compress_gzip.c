/* SPDX-License-Identifier: BSD-3-Clause */
/* Compression by gzip. */
#include <limits.h>
#include <zlib.h>

#include "base/codec_memory.h"
#include "base/compression.h"

enum { GZIP_LEVEL = 6 };

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

const struct compression dcpn_gzip_compression = {start_gzip, run_gzip, end_gzip};
