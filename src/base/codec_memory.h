/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of the context for the libraries that compress, as they ask for it. */
#ifndef DCPN_SRC_CODEC_MEMORY_H
#define DCPN_SRC_CODEC_MEMORY_H

#include "base/context.h"

static inline void *dcpn_allocate_for_zlib(void *context, unsigned count, unsigned size)
{
    return dcpn_allocate(context, count, size);
}

static inline void *dcpn_allocate_for_lzma(void *context, size_t count, size_t size)
{
    return dcpn_allocate(context, count, size);
}

static inline void dcpn_release_for_codec(void *context, void *memory)
{
    dcpn_free(context, memory);
}

#endif
