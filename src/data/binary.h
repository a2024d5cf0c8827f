/* SPDX-License-Identifier: BSD-3-Clause */
/* The binary form of a data set, ours: a header, then sections that start at multiples of 64 bytes and hold the arrays
 * of both orientations as a matrix wants them, so that a mapped file is a matrix. Little-endian. docs/file-formats.md
 * describes it for those who write such files with other programs.
 *
 *     | header | row pointers | row indices | row values | column pointers | ... | labels | feature names | ... |
 */
#ifndef DCPN_SRC_BINARY_H
#define DCPN_SRC_BINARY_H

#include "base/context.h"
#include "dcpn/data.h"

#define DCPN_BINARY_MAGIC                                                                                              \
    "\x89"                                                                                                             \
    "DCPN\r\n\x1a" /* no text file starts so, and a transfer as text would damage it */
#define DCPN_BINARY_VERSION 1
#define DCPN_BINARY_BYTE_ORDER 0x01020304u

enum {
    DCPN_BINARY_ALIGNMENT = 64,
    DCPN_BINARY_BLOCK = 1 << 16, /* bytes that are hashed together: a section's checksum is that of its blocks' */
};

enum binary_kind { DCPN_BINARY_SPARSE, DCPN_BINARY_DENSE_BY_ROWS, DCPN_BINARY_DENSE_BY_COLUMNS };

enum binary_section {
    ROW_POINTERS, /* int64: rows + 1 */
    ROW_INDICES,  /* column numbers from 0, ascending within a row */
    ROW_VALUES,   /* dense by rows: all of them */
    COLUMN_POINTERS,
    COLUMN_INDICES,
    COLUMN_VALUES,
    LABELS,        /* double, one per row; NaN: unlabelled */
    FEATURE_NAMES, /* one text per column, each ended by a 0; or nothing */
    LABEL_NAMES,   /* likewise, label_count of them */
    BINARY_SECTIONS
};

struct binary_extent {
    uint64_t offset, size; /* bytes, from the start of the file */
    uint64_t checksum;     /* of the checksums of its blocks */
};

struct binary_header {
    char magic[8];
    uint32_t version, byte_order;
    uint64_t file_size;
    int64_t rows, columns, entries;
    uint32_t kind, value_type;                  /* binary_kind, dcpn_value_type */
    uint32_t row_index_type, column_index_type; /* dcpn_index_type */
    uint32_t index_base, unused;                /* unused: 0 */
    int64_t label_count;                        /* of label names */
    struct binary_extent sections[BINARY_SECTIONS];
    uint64_t reserved[10]; /* 0 */
    uint64_t checksum;     /* of all bytes before it */
};
_Static_assert(sizeof(struct binary_header) == 384, "the header has no padding, and sections start behind it");

const char *dcpn_binary_section_name(int section);
/* Says what in the header cannot be true of a file of that many bytes; NULL: nothing, and then no size that is computed
 * later overflows. */
const char *dcpn_binary_shape_defect(const struct binary_header *header, uint64_t file_size);
/* Fills the offsets and returns the size of the file; or checks them, if `check`, and returns 0 if one is wrong. */
uint64_t dcpn_binary_lay_out(struct binary_header *header, int check);

/* The checksum of a section; hashes has room for one number per block. */
uint64_t dcpn_binary_checksum(dcpn_context *context, const void *bytes, uint64_t size, uint64_t *hashes);
static inline int64_t dcpn_binary_blocks(uint64_t size)
{
    return (int64_t)((size + DCPN_BINARY_BLOCK - 1) / DCPN_BINARY_BLOCK);
}

/* binary_check.c: reads every byte of the sections once, and refuses the file if a checksum differs or if what they
 * hold could make a program read outside of them or a fit go wrong: pointers, indices, numbers that are not finite, two
 * orientations that are not the same matrix. The header has been checked. */
dcpn_status dcpn_binary_check(dcpn_context *context, const char *name, const struct binary_header *header,
                              const char *bytes, int unlabelled);

/* binary_write.c */
dcpn_status dcpn_binary_write(const dcpn_dataset *dataset, const char *path);

#endif
