/* SPDX-License-Identifier: BSD-3-Clause */
/* Compression by xz. */
#include <lzma.h>

#include "base/codec_memory.h"
#include "base/compression.h"

enum { XZ_PRESET = 6 };

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

const struct compression dcpn_xz_compression = {start_xz, run_xz, end_xz};
