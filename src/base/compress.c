/* SPDX-License-Identifier: BSD-3-Clause */
/* Plain bytes to compressed ones. One loop drives every compression; those whose library is not there are refused by
 * name. */
#include "base/compress.h"

#include <string.h>

#include "base/compression.h"

enum { ROOM = 1 << 16 };

struct codec {
    const char *extension;
    const struct compression *how; /* NULL: not in this build */
};

struct compressor {
    dcpn_context *context;
    const struct codec *codec;
    void *state;
    uint8_t room[ROOM];
};

#ifdef DCPN_WITHOUT_ZLIB
#define GZIP NULL
#else
#define GZIP &dcpn_gzip_compression
#endif
#ifdef DCPN_WITHOUT_ZSTD
#define ZSTD NULL
#else
#define ZSTD &dcpn_zstd_compression
#endif
#ifdef DCPN_WITHOUT_LZMA
#define XZ NULL
#else
#define XZ &dcpn_xz_compression
#endif

static const struct codec codecs[] = {{".gz", GZIP}, {".zst", ZSTD}, {".xz", XZ}};

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

/* Refuses the endings of other compressions, since plain bytes under such a name would be a surprise. */
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
    if (!codec->how)
        return dcpn_fail(context, DCPN_USAGE, "%s: this build of dcpn does not write %s; end the name otherwise", path,
                         codec->extension);
    struct compressor *made = dcpn_allocate(context, 1, sizeof *made);
    if (!made) return DCPN_MEMORY;
    made->context = context;
    made->codec = codec;
    made->state = codec->how->start(context);
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
        progress = compressor->codec->how->run(compressor->state, &flow);
        put(user, (const char *)compressor->room, ROOM - flow.out_size);
    } while (progress == GOES_ON);
    if (progress == READY) return DCPN_OK;
    return dcpn_fail(compressor->context, DCPN_MEMORY, "out of memory for the %s compressor",
                     compressor->codec->extension + 1);
}

void dcpn_compressor_free(struct compressor *compressor)
{
    if (!compressor) return;
    compressor->codec->how->end(compressor->context, compressor->state);
    dcpn_free(compressor->context, compressor);
}
