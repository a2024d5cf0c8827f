/* SPDX-License-Identifier: BSD-3-Clause */
/* A journal from inside, and its file. */
#ifndef DCPN_SRC_JOURNAL_FILE_H
#define DCPN_SRC_JOURNAL_FILE_H

#include "algorithm/journal.h"
#include "base/threads.h"

enum record_kind { RECORD_END = 1, RECORD_STAND = 2 };

struct record {
    uint64_t stream, number; /* of the descent in the stream */
    uint64_t begin;          /* a checksum of what the descent is a function of */
    uint64_t kind;
    uint64_t size;
    char *bytes;
};

struct journal {
    dcpn_context *context;
    char *path; /* NULL: nothing is written */
    double every_s, started_at, written_at;
    double elapsed_s; /* what the runs before took */
    struct journal_key key, resumed_key;
    struct record *records;
    uint64_t count, room;
    char *resumed; /* the file that the first records are from; NULL: none */
    int has_warned;
    struct mutex lock;
};

/* No records, and no file that they are from. */
void dcpn_journal_clear(struct journal *journal);
/* A record without bytes; NULL: no memory. */
struct record *dcpn_journal_append(struct journal *journal, uint64_t stream, uint64_t number, enum record_kind kind);

#endif
