/* SPDX-License-Identifier: BSD-3-Clause */
/* Zip archives written from start to end. Sizes are only known behind an entry, so a record stands there, and the
 * directory repeats them; all of it in the zip64 form, whatever the sizes, so that large ones are nothing special. */
#include <string.h>

#include "base/codec_memory.h"
#include "base/growing.h"
#include "data/zip.h"

enum {
    BLOCK = 1 << 16,
    VERSION = 45,
    SIZES_FOLLOW = 8,
    DEFLATED = 8,
    DATE = 1 << 5 | 1 /* 1 January 1980 */
};

struct zip_written {
    const char *name;
    uint32_t checksum;
    uint64_t compressed, size, offset;
};

static void put_raw(struct zip_writer *writer, const char *bytes, size_t length)
{
    dcpn_output_write(writer->file, bytes, length);
    writer->offset += length;
}

static void put_number(struct zip_writer *writer, uint64_t number, int bytes)
{
    char little[8];
    for (int k = 0; k < bytes; k++) little[k] = (char)(number >> (8 * k));
    put_raw(writer, little, (size_t)bytes);
}

dcpn_status dcpn_zip_create(struct output_file *file, int level, struct zip_writer *writer)
{
    dcpn_context *context = file->context;
    *writer = (struct zip_writer){.file = file, .block = dcpn_allocate(context, BLOCK, 1)};
    if (!writer->block) return DCPN_MEMORY;
    writer->stream = (z_stream){.zalloc = dcpn_allocate_for_zlib, .zfree = dcpn_release_for_codec, .opaque = context};
    if (deflateInit2(&writer->stream, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK) return DCPN_OK;
    dcpn_free(context, writer->block);
    writer->block = NULL;
    return DCPN_MEMORY;
}

void dcpn_zip_release(struct zip_writer *writer)
{
    if (writer->block) deflateEnd(&writer->stream);
    dcpn_free(writer->file->context, writer->block);
    dcpn_free(writer->file->context, writer->entries);
}

/* What a local header and one of the directory have in common. */
static void put_common(struct zip_writer *writer, const struct zip_written *entry, int extra)
{
    put_number(writer, VERSION, 2);
    put_number(writer, SIZES_FOLLOW, 2);
    put_number(writer, DEFLATED, 2);
    put_number(writer, 0, 2); /* the time of day */
    put_number(writer, DATE, 2);
    put_number(writer, entry->checksum, 4);
    put_number(writer, UINT32_MAX, 4); /* sizes are in the zip64 field */
    put_number(writer, UINT32_MAX, 4);
    put_number(writer, strlen(entry->name), 2);
    put_number(writer, (uint64_t)extra, 2);
}

dcpn_status dcpn_zip_begin(struct zip_writer *writer, const char *name)
{
    struct zip_written *entries =
        dcpn_make_room(writer->file->context, writer->entries, writer->count, &writer->capacity, sizeof *entries);
    if (!entries) return DCPN_MEMORY;
    writer->entries = entries;
    struct zip_written *entry = &entries[writer->count++];
    *entry = (struct zip_written){.name = name, .offset = writer->offset};
    put_number(writer, 0x04034b50, 4);
    put_common(writer, entry, 20);
    put_raw(writer, name, strlen(name));
    put_number(writer, 1, 2);
    put_number(writer, 16, 2);
    put_number(writer, 0, 8);
    put_number(writer, 0, 8);
    entry->checksum = (uint32_t)crc32(0, NULL, 0);
    return DCPN_OK;
}

static void compress_portion(struct zip_writer *writer, const char *bytes, uInt length, int flush)
{
    struct zip_written *entry = &writer->entries[writer->count - 1];
    z_stream *stream = &writer->stream;
    stream->next_in = (Bytef *)(uintptr_t)bytes;
    stream->avail_in = length;
    do {
        stream->next_out = (Bytef *)writer->block;
        stream->avail_out = BLOCK;
        deflate(stream, flush);
        put_raw(writer, writer->block, BLOCK - stream->avail_out);
        entry->compressed += BLOCK - stream->avail_out;
    } while (stream->avail_out == 0);
}

void dcpn_zip_put(void *to, const char *bytes, size_t length)
{
    struct zip_writer *writer = to;
    struct zip_written *entry = &writer->entries[writer->count - 1];
    while (length > 0) {
        uInt now = length < 1U << 30 ? (uInt)length : 1U << 30;
        entry->checksum = (uint32_t)crc32(entry->checksum, (const Bytef *)bytes, now);
        entry->size += now;
        compress_portion(writer, bytes, now, Z_NO_FLUSH);
        bytes += now;
        length -= now;
    }
}

void dcpn_zip_end(struct zip_writer *writer)
{
    compress_portion(writer, "", 0, Z_FINISH);
    deflateReset(&writer->stream);
    const struct zip_written *entry = &writer->entries[writer->count - 1];
    put_number(writer, 0x08074b50, 4);
    put_number(writer, entry->checksum, 4);
    put_number(writer, entry->compressed, 8);
    put_number(writer, entry->size, 8);
}

static void put_directory_entry(struct zip_writer *writer, const struct zip_written *entry)
{
    put_number(writer, 0x02014b50, 4);
    put_number(writer, VERSION, 2);
    put_common(writer, entry, 28);
    put_number(writer, 0, 2); /* comment */
    put_number(writer, 0, 2); /* disk */
    put_number(writer, 0, 2); /* attributes, here and below */
    put_number(writer, 0, 4);
    put_number(writer, UINT32_MAX, 4);
    put_raw(writer, entry->name, strlen(entry->name));
    put_number(writer, 1, 2);
    put_number(writer, 24, 2);
    put_number(writer, entry->size, 8);
    put_number(writer, entry->compressed, 8);
    put_number(writer, entry->offset, 8);
}

static void put_end(struct zip_writer *writer, uint64_t start, uint64_t size)
{
    uint64_t record = writer->offset, count = (uint64_t)writer->count;
    put_number(writer, 0x06064b50, 4);
    put_number(writer, 44, 8); /* of the rest of this record */
    put_number(writer, VERSION, 2);
    put_number(writer, VERSION, 2);
    put_number(writer, 0, 4);
    put_number(writer, 0, 4);
    put_number(writer, count, 8);
    put_number(writer, count, 8);
    put_number(writer, size, 8);
    put_number(writer, start, 8);
    put_number(writer, 0x07064b50, 4);
    put_number(writer, 0, 4);
    put_number(writer, record, 8);
    put_number(writer, 1, 4);
    put_number(writer, 0x06054b50, 4);
    put_number(writer, 0, 2);
    put_number(writer, 0, 2);
    put_number(writer, UINT16_MAX, 2);
    put_number(writer, UINT16_MAX, 2);
    put_number(writer, UINT32_MAX, 4);
    put_number(writer, UINT32_MAX, 4);
    put_number(writer, 0, 2);
}

void dcpn_zip_finish(struct zip_writer *writer)
{
    uint64_t start = writer->offset;
    for (int64_t k = 0; k < writer->count; k++) put_directory_entry(writer, &writer->entries[k]);
    put_end(writer, start, writer->offset - start);
}
