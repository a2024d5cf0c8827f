/* SPDX-License-Identifier: BSD-3-Clause */
/* zstd, undone. */
#include <string.h>
#include <zstd.h>

#include "data/expansion.h"

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

const struct expansion dcpn_zstd_expansion = {start_zstd, run_zstd, end_zstd};
