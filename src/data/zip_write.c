/* SPDX-License-Identifier: BSD-3-Clause */
/* Zip archives written from start to end. Sizes are only known behind an entry, so a record stands there, and the
 * directory repeats them; all of it in the zip64 form, whatever the sizes, so that large ones are nothing special. */
#include <string.h>

#include "base/growing.h"
#include "data/zip.h"

enum {
    VERSION = 45,
    SIZES_FOLLOW = 8,
    STORED = 0,
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
    *writer = (struct zip_writer){.file = file};
    return dcpn_deflater_new(file->context, level, &writer->deflater);
}

void dcpn_zip_release(struct zip_writer *writer)
{
    dcpn_deflater_free(writer->deflater);
    dcpn_free(writer->file->context, writer->entries);
}

/* Writes the fields that a local header and one of the directory have in common. */
static void put_common(struct zip_writer *writer, const struct zip_written *entry, int extra)
{
    put_number(writer, VERSION, 2);
    put_number(writer, SIZES_FOLLOW, 2);
    put_number(writer, writer->deflater ? DEFLATED : STORED, 2);
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
    return DCPN_OK;
}

static void put_deflated(void *to, const char *bytes, size_t length)
{
    struct zip_writer *writer = to;
    put_raw(writer, bytes, length);
    writer->entries[writer->count - 1].compressed += length;
}

void dcpn_zip_put(void *to, const char *bytes, size_t length)
{
    struct zip_writer *writer = to;
    struct zip_written *entry = &writer->entries[writer->count - 1];
    entry->checksum = dcpn_crc32(entry->checksum, bytes, length);
    entry->size += length;
    dcpn_deflate(writer->deflater, bytes, length, 0, put_deflated, writer);
}

void dcpn_zip_end(struct zip_writer *writer)
{
    dcpn_deflate(writer->deflater, "", 0, 1, put_deflated, writer);
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
