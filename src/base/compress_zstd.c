/* SPDX-License-Identifier: BSD-3-Clause */
/* Compression by zstd. */
#include <zstd.h>

#include "base/compression.h"

enum { ZSTD_LEVEL = 3 };

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

const struct compression dcpn_zstd_compression = {start_zstd, run_zstd, end_zstd};
