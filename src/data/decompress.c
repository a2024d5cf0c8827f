/* SPDX-License-Identifier: BSD-3-Clause */
/* Compressed bytes to plain ones. One loop drives every compression; those whose library is not there are refused by
 * name. No size that a header claims is believed: the output grows with what is really there. */
#include "data/decompress.h"

#include <string.h>

#include "data/expansion.h"

enum { DROPPED_AT_ONCE = 1 << 18 }; /* bytes */

struct codec {
    const char *name;
    int (*recognises)(const uint8_t *bytes, size_t size);
    const struct expansion *how; /* NULL: not in this build */
};

#ifdef DCPN_WITHOUT_ZLIB
#define GZIP NULL
#else
#define GZIP &dcpn_gzip_expansion
#endif
#ifdef DCPN_WITHOUT_ZSTD
#define ZSTD NULL
#else
#define ZSTD &dcpn_zstd_expansion
#endif
#ifdef DCPN_WITHOUT_LZMA
#define XZ NULL
#else
#define XZ &dcpn_xz_expansion
#endif

static int starts_with(const uint8_t *bytes, size_t size, const char *magic, size_t length)
{
    return size >= length && memcmp(bytes, magic, length) == 0;
}

static int recognises_gzip(const uint8_t *bytes, size_t size)
{
    return starts_with(bytes, size, "\x1f\x8b\x08", 3) || (size < 3 && starts_with(bytes, size, "\x1f\x8b", 2));
}

static int recognises_zstd(const uint8_t *bytes, size_t size)
{
    int is_skippable = size >= 4 && (bytes[0] & 0xf0) == 0x50 && memcmp(bytes + 1, "\x2a\x4d\x18", 3) == 0;
    return is_skippable || starts_with(bytes, size, "\x28\xb5\x2f\xfd", 4);
}

static int recognises_xz(const uint8_t *bytes, size_t size)
{
    return starts_with(bytes, size,
                       "\xfd"
                       "7zXZ\0",
                       6);
}

static const struct codec codecs[] = {
    {"gzip", recognises_gzip, GZIP},
    {"zstd", recognises_zstd, ZSTD},
    {"xz", recognises_xz, XZ},
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

struct expanding {
    dcpn_context *context;
    const struct content *content;
    size_t dropped; /* bytes of it */
    const struct codec *codec;
    struct flow flow;
    struct gathered *plain;
};

static dcpn_status refuse(const struct expanding *expansion, const char *what, const char *advice)
{
    return dcpn_fail(expansion->context, DCPN_DATA, "%s: byte %zu of %zu: the %s stream %s; %s",
                     expansion->content->name, expansion->flow.in_used, expansion->flow.in_size, expansion->codec->name,
                     what, advice);
}

static dcpn_status refuse_broken(const struct expanding *expansion)
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

static void drop_what_is_read(struct expanding *expansion)
{
    const char *bytes = expansion->content->bytes;
    if (expansion->flow.in_used - expansion->dropped < DROPPED_AT_ONCE) return;
    dcpn_content_drop(expansion->content, bytes + expansion->dropped, bytes + expansion->flow.in_used);
    expansion->dropped = expansion->flow.in_used;
}

static dcpn_status run_member(struct expanding *expansion, void *state)
{
    struct flow *flow = &expansion->flow;
    struct gathered *plain = expansion->plain;
    for (;;) {
        DCPN_TRY(dcpn_gather_room(plain));
        size_t in_before = flow->in_used;
        flow->out = (uint8_t *)plain->start;
        flow->out_size = plain->capacity;
        flow->out_used = plain->size;
        enum progress progress = expansion->codec->how->run(state, flow);
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

static dcpn_status expand_member(struct expanding *expansion)
{
    expansion->flow.reason = "invalid data";
    void *state = expansion->codec->how->start(expansion->context);
    if (!state) return DCPN_MEMORY;
    dcpn_status status = run_member(expansion, state);
    expansion->codec->how->end(expansion->context, state);
    return status;
}

/* Zeros behind a member are the padding of tapes and of xz. */
static int at_end(struct flow *flow)
{
    while (flow->in_used < flow->in_size && flow->in[flow->in_used] == 0) flow->in_used++;
    return flow->in_used == flow->in_size;
}

static dcpn_status expand(struct expanding *expansion)
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
    struct expanding expansion = {
        .context = plain->context,
        .content = content,
        .codec = codec_of(content->bytes, content->size),
        .flow = {.in = (const uint8_t *)content->bytes, .in_size = content->size},
        .plain = plain,
    };
    if (expansion.codec->how) return expand(&expansion);
    return dcpn_fail(plain->context, DCPN_DATA,
                     "%s: found a %s stream, which this build of dcpn does not read; expand it first", content->name,
                     expansion.codec->name);
}

size_t dcpn_decompress_head(dcpn_context *context, const char *bytes, size_t size, char *head, size_t room)
{
    const struct codec *codec = codec_of(bytes, size);
    struct flow flow = {.in = (const uint8_t *)bytes, .in_size = size, .out = (uint8_t *)head, .out_size = room};
    void *state = codec && codec->how ? codec->how->start(context) : NULL;
    if (!state) return 0;
    for (int moved = 1; moved && flow.out_used < room;) {
        size_t in_before = flow.in_used, out_before = flow.out_used;
        moved = codec->how->run(state, &flow) == GOES_ON && (flow.in_used > in_before || flow.out_used > out_before);
    }
    codec->how->end(context, state);
    return flow.out_used;
}
