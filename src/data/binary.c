/* SPDX-License-Identifier: BSD-3-Clause */
/* The layout of the binary form: what the shape in a header says about the sections behind it. */
#include "data/binary.h"

#include <string.h>

#include "base/checksum.h"
#include "base/threads.h"

const char *dcpn_binary_section_name(int section)
{
    static const char *const names[] = {
        [ROW_POINTERS] = "row pointers",
        [ROW_INDICES] = "row indices",
        [ROW_VALUES] = "row values",
        [COLUMN_POINTERS] = "column pointers",
        [COLUMN_INDICES] = "column indices",
        [COLUMN_VALUES] = "column values",
        [LABELS] = "labels",
        [FEATURE_NAMES] = "feature names",
        [LABEL_NAMES] = "label names",
    };
    return names[section];
}

static uint64_t index_size(uint32_t type)
{
    return type == DCPN_INT32 ? sizeof(int32_t) : sizeof(int64_t);
}

static uint64_t value_size(uint32_t type)
{
    return type == DCPN_FLOAT64 ? sizeof(double) : sizeof(float);
}

/* The bytes of a section, from the shape; those of names are taken from the header. The shape must be plausible:
 * dcpn_binary_shape_defect. */
static uint64_t section_size(const struct binary_header *header, int section)
{
    int sparse = header->kind == DCPN_BINARY_SPARSE;
    uint64_t entries = (uint64_t)header->entries, values = entries * value_size(header->value_type);
    switch (section) {
    case ROW_POINTERS:
        return sparse ? ((uint64_t)header->rows + 1) * sizeof(int64_t) : 0;
    case ROW_INDICES:
        return sparse ? entries * index_size(header->row_index_type) : 0;
    case ROW_VALUES:
        return sparse || header->kind == DCPN_BINARY_DENSE_BY_ROWS ? values : 0;
    case COLUMN_POINTERS:
        return sparse ? ((uint64_t)header->columns + 1) * sizeof(int64_t) : 0;
    case COLUMN_INDICES:
        return sparse ? entries * index_size(header->column_index_type) : 0;
    case COLUMN_VALUES:
        return sparse || header->kind == DCPN_BINARY_DENSE_BY_COLUMNS ? values : 0;
    case LABELS:
        return (uint64_t)header->rows * sizeof(double);
    default:
        return header->sections[section].size;
    }
}

static int is_one_of_two(uint32_t value)
{
    return value <= 1;
}

/* Every row has a label, every sparse column a pointer, every entry a value, every name a byte: a count above the
 * number of bytes is a lie, and counts below it cannot overflow when they are multiplied by the size of an element. */
const char *dcpn_binary_shape_defect(const struct binary_header *header, uint64_t file_size)
{
    int64_t most = file_size < INT64_MAX / 64 ? (int64_t)file_size : INT64_MAX / 64, product;
    int sparse = header->kind == DCPN_BINARY_SPARSE;
    if (header->kind > DCPN_BINARY_DENSE_BY_COLUMNS) return "an unknown kind of matrix";
    if (!is_one_of_two(header->value_type) || !is_one_of_two(header->row_index_type) ||
        !is_one_of_two(header->column_index_type))
        return "an unknown type of number";
    if (!is_one_of_two(header->index_base)) return "an index base that is neither 0 nor 1";
    if (header->rows < 1 || header->columns < 1 || header->entries < 0 || header->label_count < 0)
        return "no rows, no columns or a negative count";
    if (header->rows > most || header->columns > most || header->entries > most || header->label_count > most)
        return "more rows, columns or entries than the file has bytes";
    if (!sparse && (__builtin_mul_overflow(header->rows, header->columns, &product) || product != header->entries))
        return "a dense matrix whose entries are not rows x columns";
    for (int k = FEATURE_NAMES; k < BINARY_SECTIONS; k++)
        if (header->sections[k].size > file_size) return "names longer than the file";
    return NULL;
}

uint64_t dcpn_binary_lay_out(struct binary_header *header, int check)
{
    uint64_t end = sizeof *header;
    for (int k = 0; k < BINARY_SECTIONS; k++) {
        struct binary_extent *section = &header->sections[k];
        struct binary_extent expected = {.size = section_size(header, k)};
        expected.offset = (end + DCPN_BINARY_ALIGNMENT - 1) / DCPN_BINARY_ALIGNMENT * DCPN_BINARY_ALIGNMENT;
        if (check && (section->offset != expected.offset || section->size != expected.size)) return 0;
        section->offset = expected.offset;
        section->size = expected.size;
        end = expected.offset + expected.size;
    }
    return end;
}

struct hashing {
    const char *bytes;
    uint64_t size, *hashes;
};

static void hash_blocks(void *user, int64_t first, int64_t last)
{
    const struct hashing *h = user;
    for (int64_t k = first; k < last; k++) {
        uint64_t begin = (uint64_t)k * DCPN_BINARY_BLOCK, left = h->size - begin;
        h->hashes[k] = dcpn_checksum(h->bytes + begin, left < DCPN_BINARY_BLOCK ? left : DCPN_BINARY_BLOCK);
    }
}

uint64_t dcpn_binary_checksum(dcpn_context *context, const void *bytes, uint64_t size, uint64_t *hashes)
{
    int64_t blocks = dcpn_binary_blocks(size);
    dcpn_parallel_ranges(context, blocks, hash_blocks, &(struct hashing){bytes, size, hashes});
    return dcpn_checksum(hashes, (size_t)blocks * sizeof *hashes);
}
