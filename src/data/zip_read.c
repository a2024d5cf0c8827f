/* SPDX-License-Identifier: BSD-3-Clause */
/* Zip archives: the directory at their end, and the entries. */
#include <string.h>

#include "base/growing.h"
#include "data/deflate.h"
#include "data/place.h"
#include "data/zip.h"

enum {
    LOCAL = 0x04034b50,
    CENTRAL = 0x02014b50,
    END = 0x06054b50,
    END_64 = 0x06064b50,
    LOCATOR_64 = 0x07064b50,
    LOCAL_SIZE = 30,
    CENTRAL_SIZE = 46,
    END_SIZE = 22,
    END_64_SIZE = 56,
    LOCATOR_64_SIZE = 20,
    LONGEST_COMMENT = 65535,
    EXTRA_64 = 1,
    STORED = 0,
    DEFLATED = 8,
    ENCRYPTED = 1,
    BEST_RATIO = 1040, /* deflate's, rounded up */
};

static dcpn_status refuse(const struct content *content, const char *what)
{
    return dcpn_fail(content->context, DCPN_DATA, "%s: found %s; the archive is cut short or damaged", content->name,
                     what);
}

static const char beyond_the_end[] = "bytes that lie beyond the end; the archive is cut short or damaged";

static dcpn_status refuse_entry(const struct content *content, const struct zip_entry *entry, const char *what)
{
    char quote[DCPN_QUOTE_LENGTH];
    return dcpn_fail(content->context, DCPN_DATA, "%s: entry %s: found %s", content->name,
                     dcpn_quote(entry->name.start, entry->name.start + entry->name.length, quote), what);
}

static uint64_t number_at(const struct content *content, uint64_t offset, int bytes)
{
    uint64_t number = 0;
    for (int k = bytes - 1; k >= 0; k--) number = number << 8 | (unsigned char)content->bytes[offset + (uint64_t)k];
    return number;
}

static int lies_within(const struct content *content, uint64_t offset, uint64_t length)
{
    return length <= content->size && offset <= content->size - length;
}

static int has_signature(const struct content *content, uint64_t offset, uint64_t length, uint32_t signature)
{
    return lies_within(content, offset, length) && number_at(content, offset, 4) == signature;
}

/* ---- The directory ------------------------------------------------------------------------------------------------*/

struct directory {
    uint64_t offset, size, count;
};

/* The record at the end, behind which a comment may stand. */
static int find_end(const struct content *content, uint64_t *end)
{
    if (content->size < END_SIZE) return 0;
    uint64_t last = content->size - END_SIZE, first = last > LONGEST_COMMENT ? last - LONGEST_COMMENT : 0;
    for (*end = last;; --*end) {
        if (has_signature(content, *end, END_SIZE, END) && number_at(content, *end + 20, 2) == last - *end) return 1;
        if (*end == first) return 0;
    }
}

static dcpn_status find_directory(const struct content *content, struct directory *directory)
{
    uint64_t end;
    if (!find_end(content, &end)) return refuse(content, "no directory at the end");
    *directory = (struct directory){.count = number_at(content, end + 10, 2),
                                    .size = number_at(content, end + 12, 4),
                                    .offset = number_at(content, end + 16, 4)};
    if (end >= LOCATOR_64_SIZE && has_signature(content, end - LOCATOR_64_SIZE, LOCATOR_64_SIZE, LOCATOR_64)) {
        uint64_t record = number_at(content, end - LOCATOR_64_SIZE + 8, 8);
        if (!has_signature(content, record, END_64_SIZE, END_64))
            return refuse(content, "a zip64 directory out of place");
        *directory = (struct directory){.count = number_at(content, record + 32, 8),
                                        .size = number_at(content, record + 40, 8),
                                        .offset = number_at(content, record + 48, 8)};
    }
    return lies_within(content, directory->offset, directory->size)
               ? DCPN_OK
               : refuse(content, "a directory that lies beyond the end");
}

/* Replaces the numbers that are too large for four bytes by those of the zip64 field, in their fixed order. */
static void read_extra_64(const struct content *content, uint64_t at, uint64_t end, struct zip_entry *entry)
{
    uint64_t *const numbers[] = {&entry->size, &entry->compressed, &entry->offset};
    for (; at + 4 <= end; at += 4 + number_at(content, at + 2, 2)) {
        uint64_t field = at + 4, field_end = field + number_at(content, at + 2, 2);
        if (number_at(content, at, 2) != EXTRA_64 || field_end > end) continue;
        for (int k = 0; k < 3; k++) {
            if (*numbers[k] != UINT32_MAX || field + 8 > field_end) continue;
            *numbers[k] = number_at(content, field, 8);
            field += 8;
        }
    }
}

/* Reads the entry at *at, which moves behind it. */
static dcpn_status read_entry(const struct content *content, uint64_t *at, uint64_t end, struct zip_entry *entry)
{
    uint64_t start = *at;
    if (end - start < CENTRAL_SIZE || number_at(content, start, 4) != CENTRAL)
        return refuse(content, "a directory with a wrong entry");
    uint64_t name = number_at(content, start + 28, 2), extra = number_at(content, start + 30, 2);
    uint64_t comment = number_at(content, start + 32, 2), length = CENTRAL_SIZE + name + extra + comment;
    if (length > end - start) return refuse(content, "a directory with an entry that lies beyond its end");
    *entry = (struct zip_entry){
        .name = {content->bytes + start + CENTRAL_SIZE, (int64_t)name},
        .flags = (unsigned)number_at(content, start + 8, 2),
        .method = (unsigned)number_at(content, start + 10, 2),
        .checksum = (uint32_t)number_at(content, start + 16, 4),
        .compressed = number_at(content, start + 20, 4),
        .size = number_at(content, start + 24, 4),
        .offset = number_at(content, start + 42, 4),
    };
    read_extra_64(content, start + CENTRAL_SIZE + name, start + CENTRAL_SIZE + name + extra, entry);
    *at = start + length;
    return DCPN_OK;
}

/* The name stands in front of the bytes, too. No checksum covers either. */
static dcpn_status check_name(const struct content *content, const struct zip_entry *entry)
{
    uint64_t length = (uint64_t)entry->name.length, name = entry->offset + LOCAL_SIZE;
    if (!has_signature(content, entry->offset, LOCAL_SIZE, LOCAL)) return refuse_entry(content, entry, beyond_the_end);
    if (number_at(content, entry->offset + 26, 2) != length || !lies_within(content, name, length) ||
        memcmp(content->bytes + name, entry->name.start, length) != 0)
        return refuse_entry(content, entry, "another name in front of its bytes; the archive is damaged");
    return DCPN_OK;
}

static dcpn_status read_directory(const struct content *content, struct zip_archive *archive)
{
    struct directory directory = {0};
    DCPN_TRY(find_directory(content, &directory));
    uint64_t at = directory.offset, end = at + directory.size;
    for (uint64_t k = 0; k < directory.count; k++) {
        struct zip_entry *entries =
            dcpn_make_room(content->context, archive->entries, archive->count, &archive->capacity, sizeof *entries);
        if (!entries) return DCPN_MEMORY;
        archive->entries = entries;
        DCPN_TRY(read_entry(content, &at, end, &entries[archive->count]));
        DCPN_TRY(check_name(content, &entries[archive->count]));
        archive->count++;
    }
    return DCPN_OK;
}

dcpn_status dcpn_zip_open(const struct content *content, struct zip_archive *archive)
{
    *archive = (struct zip_archive){.content = content};
    dcpn_status status = read_directory(content, archive);
    if (status != DCPN_OK) dcpn_zip_close(archive);
    return status;
}

void dcpn_zip_close(struct zip_archive *archive)
{
    dcpn_free(archive->content->context, archive->entries);
    archive->entries = NULL;
}

/* ---- Entries ------------------------------------------------------------------------------------------------------*/

static dcpn_status find_bytes(const struct content *content, const struct zip_entry *entry, uint64_t *start)
{
    *start = entry->offset + LOCAL_SIZE + number_at(content, entry->offset + 26, 2) +
             number_at(content, entry->offset + 28, 2);
    return lies_within(content, *start, entry->compressed) ? DCPN_OK : refuse_entry(content, entry, beyond_the_end);
}

static dcpn_status expand(const struct content *content, const struct zip_entry *entry, const char *from, char **bytes)
{
    if (!dcpn_can_inflate())
        return refuse_entry(
            content, entry,
            "deflated bytes, which this build of dcpn does not read; save the archive with numpy.savez");
    if (entry->size / BEST_RATIO > entry->compressed)
        return refuse_entry(content, entry, "a size that its bytes cannot expand to; the archive is damaged");
    struct inflation inflation = {.content = content, .from = from, .length = entry->compressed, .size = entry->size};
    dcpn_status status = dcpn_inflate(&inflation);
    *bytes = inflation.bytes;
    if (status == DCPN_OK && !inflation.is_whole)
        status = refuse_entry(content, entry, "bytes that cannot be expanded; the archive is damaged");
    return status;
}

static dcpn_status load(const struct content *content, const struct zip_entry *entry, const char **bytes, char **owned)
{
    uint64_t start = 0;
    if (entry->flags & ENCRYPTED)
        return refuse_entry(content, entry, "an encrypted entry; save the archive without a password");
    if (entry->method != STORED && entry->method != DEFLATED)
        return refuse_entry(content, entry,
                            "a compression other than deflate; save the archive with numpy.savez_compressed");
    DCPN_TRY(find_bytes(content, entry, &start));
    *bytes = content->bytes + start;
    if (entry->method == STORED && entry->size != entry->compressed)
        return refuse_entry(content, entry, "two different sizes; the archive is damaged");
    if (entry->method == DEFLATED) {
        DCPN_TRY(expand(content, entry, *bytes, owned));
        *bytes = *owned;
    }
    return dcpn_crc32(0, *bytes, entry->size) == entry->checksum
               ? DCPN_OK
               : refuse_entry(content, entry, "bytes that do not add up to its checksum; the archive is damaged");
}

dcpn_status dcpn_zip_load(const struct zip_archive *archive, const struct zip_entry *entry, const char **bytes,
                          char **owned)
{
    *owned = NULL;
    dcpn_status status = load(archive->content, entry, bytes, owned);
    if (status == DCPN_OK) return DCPN_OK;
    dcpn_free(archive->content->context, *owned);
    *owned = NULL;
    return status;
}
