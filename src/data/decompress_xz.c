/* SPDX-License-Identifier: BSD-3-Clause */
/* xz, undone. */
#include <lzma.h>

#include "base/codec_memory.h"
#include "data/expansion.h"

static const uint64_t xz_memory_limit = UINT64_C(1) << 30; /* the largest preset needs 65 MiB */

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

const struct expansion dcpn_xz_expansion = {start_xz, run_xz, end_xz};
