/* SPDX-License-Identifier: BSD-3-Clause */
/* The file of a journal: a header, then each record with its bytes. It appears complete or not at all. */
#include "algorithm/journal_file.h"

#include <math.h>
#include <string.h>

#include "base/checksum.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/ranks.h"

#define MAGIC                                                                                                          \
    "\x89"                                                                                                             \
    "DCPK\r\n\x1a"
enum { FORMAT = 3, BYTE_ORDER_MARK = 0x01020304, FIRST_ROOM = 64, FIRST_BYTES = 1 << 16 };

struct header {
    char magic[8];
    uint32_t format, byte_order;
    struct journal_key key;
    uint64_t records, file_size;
    double elapsed_s;
    uint64_t body;     /* checksum of what follows the header */
    uint64_t checksum; /* of the header before it */
};

/* A record in the file; its bytes follow. */
struct head {
    uint64_t stream, number, begin, kind, size;
};

struct record *dcpn_journal_append(struct journal *journal, uint64_t stream, uint64_t number, enum record_kind kind)
{
    if (journal->count == journal->room) {
        uint64_t room = journal->room ? 2 * journal->room : FIRST_ROOM;
        struct record *records =
            dcpn_grow(journal->context, journal->records, (size_t)journal->count, (size_t)room, sizeof *records);
        if (!records) return NULL;
        journal->records = records;
        journal->room = room;
    }
    struct record *record = &journal->records[journal->count++];
    *record = (struct record){.stream = stream, .number = number, .kind = kind};
    return record;
}

/* ---- writing ---- */

static struct head head_of(const struct record *record)
{
    return (struct head){record->stream, record->number, record->begin, record->kind, record->size};
}

static uint64_t combine(uint64_t hash, const void *bytes, size_t size)
{
    const uint64_t pair[] = {hash, dcpn_checksum(bytes, size)};
    return dcpn_checksum(pair, sizeof pair);
}

static struct header header_of(const struct journal *journal)
{
    struct header header = {.format = FORMAT,
                            .byte_order = BYTE_ORDER_MARK,
                            .key = journal->key,
                            .records = journal->count,
                            .file_size = sizeof header,
                            .elapsed_s = journal->elapsed_s + dcpn_clock_s() - journal->started_at};
    memcpy(header.magic, MAGIC, sizeof header.magic);
    for (uint64_t k = 0; k < journal->count; k++) {
        struct head head = head_of(&journal->records[k]);
        header.file_size += sizeof head + head.size;
        header.body = combine(combine(header.body, &head, sizeof head), journal->records[k].bytes, head.size);
    }
    header.checksum = dcpn_checksum(&header, offsetof(struct header, checksum));
    return header;
}

static dcpn_status write_file(const struct journal *journal)
{
    struct output_file file;
    struct header header = header_of(journal);
    DCPN_TRY(dcpn_output_open_plain(journal->context, journal->path, &file));
    dcpn_output_write(&file, (const char *)&header, sizeof header);
    for (uint64_t k = 0; k < journal->count; k++) {
        struct head head = head_of(&journal->records[k]);
        dcpn_output_write(&file, (const char *)&head, sizeof head);
        dcpn_output_write(&file, journal->records[k].bytes, head.size);
    }
    return dcpn_output_commit(&file);
}

void dcpn_journal_write(struct journal *journal)
{
    if (!journal || !journal->path || journal->count == 0) return;
    if (write_file(journal) != DCPN_OK && !journal->has_warned) {
        dcpn_log(journal->context, DCPN_LOG_WARNING, "no checkpoint: %s", dcpn_last_error(journal->context));
        journal->has_warned = 1;
    }
    journal->written_at = dcpn_clock_s();
}

/* ---- reading ---- */

static dcpn_status refuse(const struct journal *journal, const char *path, const char *found)
{
    return dcpn_fail(journal->context, DCPN_DATA,
                     "%s: found %s, expected a checkpoint of this run; start it again without it", path, found);
}

static dcpn_status check_header(const struct journal *journal, const char *path, const char *bytes, size_t size)
{
    const struct header *header = (const void *)bytes;
    if (size < sizeof *header || memcmp(header->magic, MAGIC, sizeof header->magic) != 0)
        return refuse(journal, path, "something else");
    if (header->format != FORMAT || header->byte_order != BYTE_ORDER_MARK)
        return refuse(journal, path, "a checkpoint of another version or machine");
    if (dcpn_checksum(header, offsetof(struct header, checksum)) != header->checksum)
        return refuse(journal, path, "a damaged file");
    if (header->file_size != size) return refuse(journal, path, "a truncated or longer file");
    return DCPN_OK;
}

static dcpn_status take_record(struct journal *journal, const char **next, size_t *left)
{
    struct head head;
    memcpy(&head, *next, sizeof head);
    struct record *record =
        dcpn_journal_append(journal, head.stream, head.number, (enum record_kind)(head.kind == RECORD_STAND ? 2 : 1));
    if (!record) return DCPN_MEMORY;
    record->begin = head.begin;
    record->bytes = dcpn_allocate(journal->context, head.size, 1);
    if (!record->bytes) return DCPN_MEMORY;
    record->size = head.size;
    memcpy(record->bytes, *next + sizeof head, head.size);
    *next += sizeof head + head.size;
    *left -= sizeof head + head.size;
    return DCPN_OK;
}

static dcpn_status take_records(struct journal *journal, const char *path, const char *bytes, size_t size)
{
    const struct header *header = (const void *)bytes;
    const char *next = bytes + sizeof *header;
    size_t left = size - sizeof *header;
    uint64_t body = 0;
    for (uint64_t k = 0; k < header->records; k++) {
        struct head head;
        if (left < sizeof head) return refuse(journal, path, "a damaged file");
        memcpy(&head, next, sizeof head);
        if (head.size > left - sizeof head) return refuse(journal, path, "a damaged file");
        body = combine(combine(body, &head, sizeof head), next + sizeof head, head.size);
        DCPN_TRY(take_record(journal, &next, &left));
    }
    return left == 0 && body == header->body ? DCPN_OK : refuse(journal, path, "a damaged file");
}

/* All of a file, which the caller frees. */
static dcpn_status read_all(dcpn_context *context, const char *path, char **bytes, size_t *size)
{
    struct input_file file;
    size_t room = 0, length = 1;
    DCPN_TRY(dcpn_input_open(context, path, &file));
    dcpn_status status = DCPN_OK;
    while (status == DCPN_OK && length > 0) {
        if (*size == room) {
            room = room ? 2 * room : FIRST_BYTES;
            char *grown = dcpn_grow(context, *bytes, *size, room, 1);
            if (!grown) status = DCPN_MEMORY;
            if (grown) *bytes = grown;
        }
        if (status == DCPN_OK) status = dcpn_input_read(&file, *bytes + *size, room - *size, &length);
        if (status == DCPN_OK) *size += length;
    }
    dcpn_input_close(&file);
    return status;
}

/* The first rank reads, and tells the others what. */
static dcpn_status read_on_ranks(dcpn_context *context, const char *path, char **bytes, size_t *size)
{
    int is_first = dcpn_context_rank(context) == 0;
    DCPN_TRY(dcpn_ranks_agree(context, is_first ? read_all(context, path, bytes, size) : DCPN_OK));
    int64_t length = (int64_t)*size;
    dcpn_ranks_max(context, &length, 1);
    DCPN_TRY(dcpn_ranks_status(context));
    if (!is_first) *bytes = dcpn_allocate(context, (size_t)length, 1);
    if (!*bytes) return dcpn_ranks_end(context, DCPN_MEMORY);
    *size = (size_t)length;
    dcpn_ranks_broadcast(context, *bytes, length);
    return dcpn_ranks_status(context);
}

dcpn_status dcpn_journal_read(struct journal *journal, const char *path)
{
    char *bytes = NULL;
    size_t size = 0;
    dcpn_journal_clear(journal);
    dcpn_status status = read_on_ranks(journal->context, path, &bytes, &size);
    if (status == DCPN_OK) status = check_header(journal, path, bytes, size);
    if (status == DCPN_OK) status = take_records(journal, path, bytes, size);
    if (status == DCPN_OK) {
        const struct header *header = (const void *)bytes;
        journal->elapsed_s = isfinite(header->elapsed_s) ? fmax(header->elapsed_s, 0.0) : 0.0;
        journal->resumed_key = header->key;
        journal->resumed = dcpn_copy_text(journal->context, path);
        if (!journal->resumed) status = DCPN_MEMORY;
    }
    if (status != DCPN_OK) dcpn_journal_clear(journal);
    dcpn_free(journal->context, bytes);
    return dcpn_ranks_end(journal->context, status);
}

void dcpn_journal_end(struct journal *journal)
{
    if (journal) dcpn_journal_clear(journal);
}

dcpn_status dcpn_journal_begin(struct journal *journal, const struct journal_key *key)
{
    const struct journal_key *found = &journal->resumed_key;
    const char *path = journal->resumed;
    journal->key = *key;
    journal->started_at = journal->written_at = dcpn_clock_s();
    journal->has_warned = 0;
    if (!path) { /* what there is, is of the run before */
        dcpn_journal_clear(journal);
        return DCPN_OK;
    }
    if (found->version != key->version) return refuse(journal, path, "a checkpoint of another version of dcpn");
    if (found->problem != key->problem)
        return refuse(journal, path, "a checkpoint of another problem: other data or another start");
    if (found->settings != key->settings) return refuse(journal, path, "a checkpoint of a run with other settings");
    dcpn_log(journal->context, DCPN_LOG_NOTE, "going on from %s", path);
    return DCPN_OK;
}
