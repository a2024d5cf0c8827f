/* SPDX-License-Identifier: BSD-3-Clause */
/* Zip archives, as far as .npz files need them: entries stored or deflated, of any size (zip64). */
#ifndef DCPN_SRC_ZIP_H
#define DCPN_SRC_ZIP_H

#include "base/file.h"
#include "data/content.h"
#include "data/deflate.h"
#include "data/names.h"

struct zip_entry {
    struct word name; /* in the content */
    unsigned method, flags;
    uint32_t checksum;
    uint64_t compressed, size, offset;
};

struct zip_archive {
    const struct content *content;
    struct zip_entry *entries;
    int64_t count, capacity;
};

/* Reads the directory. Nothing in it is believed that does not lie within the content. */
dcpn_status dcpn_zip_open(const struct content *content, struct zip_archive *archive);
/* The bytes of an entry, whose sum is checked: in the content if they are stored, in *owned (else NULL) if not. */
dcpn_status dcpn_zip_load(const struct zip_archive *archive, const struct zip_entry *entry, const char **bytes,
                          char **owned);
void dcpn_zip_close(struct zip_archive *archive);

/* An archive written from start to end, so that a pipe will do; entries are deflated, or stored. The first error sticks
 * to the file, and is told by its commit. */
struct zip_writer {
    struct output_file *file;
    struct deflater *deflater; /* NULL: entries are stored */
    struct zip_written *entries;
    int64_t count, capacity;
    uint64_t offset; /* bytes written so far */
};

/* level: zlib's, 0 (as it is) to 9. */
dcpn_status dcpn_zip_create(struct output_file *file, int level, struct zip_writer *writer);
dcpn_status dcpn_zip_begin(struct zip_writer *writer, const char *name); /* the name lives as long as the writer */
void dcpn_zip_put(void *writer, const char *bytes, size_t length);
void dcpn_zip_end(struct zip_writer *writer);
void dcpn_zip_finish(struct zip_writer *writer); /* the directory */
void dcpn_zip_release(struct zip_writer *writer);

#endif
