/* SPDX-License-Identifier: BSD-3-Clause */
/* gzip, undone. */
#include <limits.h>
#include <zlib.h>

#include "base/codec_memory.h"
#include "data/expansion.h"

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

const struct expansion dcpn_gzip_expansion = {start_gzip, run_gzip, end_gzip};
