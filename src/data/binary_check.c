/* SPDX-License-Identifier: BSD-3-Clause */
/* The binary form, checked: one pass over the bytes, tile by tile, hashes a tile and looks at its entries while they
 * are in the cache. Threads share the tiles; what is found is a sum or a union, so the same for any number of them. */
#include "data/binary.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/checksum.h"
#include "base/threads.h"
#include "base/vector.h"

enum { TILE = DCPN_BINARY_BLOCK / 4 }; /* entries: whole blocks for elements of 4 and of 8 bytes */

enum defect { UNORDERED = 1, BEYOND = 2, NOT_FINITE = 4, ZERO = 8 };

struct check {
    dcpn_context *context;
    const char *name; /* of the file */
    const struct binary_header *header;
    const char *bytes;
    uint64_t *hashes[BINARY_SECTIONS]; /* of blocks */
};

/* One orientation of the matrix, by rows or by columns. */
struct compressed_view {
    int64_t vectors, length;
    const int64_t *pointers;
    const void *indices, *values;
    int wide_indices, single_values; /* int64, float */
    int by_row;
};

static const void *section_of(const struct check *check, int section)
{
    return check->bytes + check->header->sections[section].offset;
}

/* Hashes the blocks of a section that start in [begin, end). */
static void hash_blocks(const struct check *check, int section, uint64_t begin, uint64_t end)
{
    const struct binary_extent *extent = &check->header->sections[section];
    const char *bytes = section_of(check, section);
    if (end > extent->size) end = extent->size;
    for (; begin < end; begin += DCPN_BINARY_BLOCK) {
        uint64_t left = extent->size - begin;
        check->hashes[section][begin / DCPN_BINARY_BLOCK] =
            dcpn_checksum(bytes + begin, left < DCPN_BINARY_BLOCK ? left : DCPN_BINARY_BLOCK);
    }
}

/* ---- entries ------------------------------------------------------------------------------------------------------*/

/* Finds the vector, a row or a column, that holds the entry. */
static int64_t vector_of(const struct compressed_view *C, int64_t entry)
{
    int64_t low = 0, high = C->vectors;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (C->pointers[middle] <= entry)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* An entry's share of the fingerprint, which is a sum and so the same for both orientations of one matrix. */
static inline uint64_t row_factor(uint64_t row)
{
    return (row + 1) * 0x9E3779B97F4A7C15u;
}

static inline uint64_t column_term(uint64_t column)
{
    return (column + 1) * 0xD1B54A32D192ED03u;
}

/* The entries [begin, end) of C; what is wrong with them. The last two arguments are constants where it is called: the
 * compiler makes four functions of this one. */
static inline __attribute__((always_inline)) unsigned walk(const struct compressed_view *C, int64_t begin, int64_t end,
                                                           uint64_t *fingerprint, int wide, int single)
{
    const uint64_t exponent = single ? 0x7F800000u : 0x7FF0000000000000u;
    uint64_t total = 0;
    int unordered = 0, beyond = 0, not_finite = 0, zero = 0;
    int64_t i = begin;
    for (int64_t k = vector_of(C, begin); i < end; k++) {
        int64_t stop = C->pointers[k + 1] < end ? C->pointers[k + 1] : end, before = -1;
        uint64_t sum = 0;
        if (i == stop) continue;
        if (i > C->pointers[k])
            before = wide ? ((const int64_t *)C->indices)[i - 1] : ((const int32_t *)C->indices)[i - 1];
        for (; i < stop; i++) {
            int64_t index = wide ? ((const int64_t *)C->indices)[i] : ((const int32_t *)C->indices)[i];
            uint64_t bits = single ? ((const uint32_t *)C->values)[i] : ((const uint64_t *)C->values)[i];
            unordered |= index <= before; /* a negative one too: `before` starts at -1 */
            not_finite |= (bits & exponent) == exponent;
            zero |= (single ? bits << 33 : bits << 1) == 0; /* of either sign */
            sum += C->by_row ? column_term((uint64_t)index) ^ bits
                             : row_factor((uint64_t)index) * (column_term((uint64_t)k) ^ bits);
            before = index;
        }
        beyond |= before >= C->length;
        total += C->by_row ? row_factor((uint64_t)k) * sum : sum;
    }
    *fingerprint = total;
    return (unordered ? UNORDERED : 0u) | (beyond ? BEYOND : 0u) | (not_finite ? NOT_FINITE : 0u) | (zero ? ZERO : 0u);
}

static unsigned check_entries(const struct compressed_view *C, int64_t begin, int64_t end, uint64_t *fingerprint)
{
    if (C->wide_indices) {
        if (C->single_values) return walk(C, begin, end, fingerprint, 1, 1);
        return walk(C, begin, end, fingerprint, 1, 0);
    }
    if (C->single_values) return walk(C, begin, end, fingerprint, 0, 1);
    return walk(C, begin, end, fingerprint, 0, 0);
}

static int pointers_are_sound(const struct compressed_view *C, int64_t entries)
{
    int decrease = 0;
    for (int64_t k = 0; k < C->vectors; k++) decrease |= C->pointers[k + 1] < C->pointers[k];
    return C->pointers[0] == 0 && C->pointers[C->vectors] == entries && !decrease;
}

static dcpn_status refuse(const struct check *check, int section, const char *found, const char *expected)
{
    return dcpn_fail(check->context, DCPN_DATA,
                     "%s: section %s, from byte %llu: found %s, expected %s; make the file anew", check->name,
                     dcpn_binary_section_name(section), (unsigned long long)check->header->sections[section].offset,
                     found, expected);
}

static dcpn_status check_checksum(const struct check *check, int section)
{
    const struct binary_extent *extent = &check->header->sections[section];
    size_t blocks = (size_t)dcpn_binary_blocks(extent->size);
    if (dcpn_checksum(check->hashes[section], blocks * sizeof(uint64_t)) == extent->checksum) return DCPN_OK;
    return dcpn_fail(
        check->context, DCPN_DATA,
        "%s: section %s, from byte %llu: found bytes that do not have the checksum of the header; the file "
        "is damaged: make it anew",
        check->name, dcpn_binary_section_name(section), (unsigned long long)extent->offset);
}

static dcpn_status judge_entries(const struct check *check, int section, unsigned defects)
{
    DCPN_TRY(check_checksum(check, section));
    if (section != ROW_VALUES && section != COLUMN_VALUES && defects & (UNORDERED | BEYOND))
        return refuse(check, section, defects & BEYOND ? "an index beyond the matrix" : "indices that do not ascend",
                      "each index once, ascending, within the matrix");
    if ((section == ROW_VALUES || section == COLUMN_VALUES) && defects & NOT_FINITE)
        return refuse(check, section, "a value that is not finite", "numbers");
    if ((section == ROW_VALUES || section == COLUMN_VALUES) && defects & ZERO)
        return refuse(check, section, "an entry that is 0", "only those that are not");
    return DCPN_OK;
}

static struct compressed_view view_of(const struct check *check, int by_row)
{
    const struct binary_header *header = check->header;
    return (struct compressed_view){
        .vectors = by_row ? header->rows : header->columns,
        .length = by_row ? header->columns : header->rows,
        .pointers = section_of(check, by_row ? ROW_POINTERS : COLUMN_POINTERS),
        .indices = section_of(check, by_row ? ROW_INDICES : COLUMN_INDICES),
        .values = section_of(check, by_row ? ROW_VALUES : COLUMN_VALUES),
        .wide_indices = (by_row ? header->row_index_type : header->column_index_type) == DCPN_INT64,
        .single_values = header->value_type == DCPN_FLOAT32,
        .by_row = by_row,
    };
}

struct orientation {
    const struct check *check;
    struct compressed_view C;
    int section; /* the pointers */
    atomic_uint defects;
    _Atomic uint64_t fingerprint;
};

static void check_entry_tiles(void *user, int64_t first, int64_t last)
{
    struct orientation *o = user;
    const struct compressed_view *C = &o->C;
    uint64_t index_size = C->wide_indices ? 8 : 4, value_size = C->single_values ? 4 : 8;
    for (int64_t tile = first; tile < last; tile++) {
        int64_t entries = o->check->header->entries;
        int64_t begin = tile * TILE, end = begin + TILE < entries ? begin + TILE : entries;
        uint64_t part = 0;
        hash_blocks(o->check, o->section + 1, (uint64_t)begin * index_size, (uint64_t)end * index_size);
        hash_blocks(o->check, o->section + 2, (uint64_t)begin * value_size, (uint64_t)end * value_size);
        o->defects |= check_entries(C, begin, end, &part);
        o->fingerprint += part;
    }
}

/* Checks the sections of one orientation: pointers, indices and values, which follow one another. */
static dcpn_status check_orientation(const struct check *check, int by_row, uint64_t *fingerprint)
{
    int first = by_row ? ROW_POINTERS : COLUMN_POINTERS;
    struct orientation o = {.check = check, .C = view_of(check, by_row), .section = first};
    int64_t entries = check->header->entries;
    hash_blocks(check, first, 0, UINT64_MAX);
    DCPN_TRY(check_checksum(check, first));
    if (!pointers_are_sound(&o.C, entries))
        return refuse(check, first, "pointers that do not ascend from 0 to the number of entries", "such ones");
    dcpn_parallel_ranges(check->context, (entries + TILE - 1) / TILE, check_entry_tiles, &o);
    *fingerprint = o.fingerprint;
    DCPN_TRY(judge_entries(check, first + 1, o.defects));
    return judge_entries(check, first + 2, o.defects);
}

static dcpn_status check_sparse(const struct check *check)
{
    uint64_t by_row, by_column;
    DCPN_TRY(check_orientation(check, 1, &by_row));
    DCPN_TRY(check_orientation(check, 0, &by_column));
    if (by_row == by_column) return DCPN_OK;
    return refuse(check, COLUMN_POINTERS, "columns that are not those of the rows", "the same matrix twice");
}

/* ---- the rest -----------------------------------------------------------------------------------------------------*/

static unsigned check_finite(const void *values, int single, int64_t begin, int64_t end)
{
    int finite = single ? dcpn_all_finite_single(end - begin, (const float *)values + begin)
                        : dcpn_all_finite(end - begin, (const double *)values + begin);
    return finite ? 0u : NOT_FINITE;
}

struct dense_values {
    const struct check *check;
    int section;
    atomic_uint defects;
};

static void check_dense_tiles(void *user, int64_t first, int64_t last)
{
    struct dense_values *dense = user;
    const struct check *check = dense->check;
    const void *values = section_of(check, dense->section);
    int single = check->header->value_type == DCPN_FLOAT32;
    for (int64_t tile = first; tile < last; tile++) {
        int64_t entries = check->header->entries;
        int64_t begin = tile * TILE, end = begin + TILE < entries ? begin + TILE : entries;
        hash_blocks(check, dense->section, (uint64_t)begin * (single ? 4 : 8), (uint64_t)end * (single ? 4 : 8));
        dense->defects |= check_finite(values, single, begin, end);
    }
}

static dcpn_status check_dense(const struct check *check)
{
    int section = check->header->kind == DCPN_BINARY_DENSE_BY_ROWS ? ROW_VALUES : COLUMN_VALUES;
    struct dense_values dense = {.check = check, .section = section};
    dcpn_parallel_ranges(check->context, (check->header->entries + TILE - 1) / TILE, check_dense_tiles, &dense);
    return judge_entries(check, section, dense.defects);
}

static const char *label_defect(const struct binary_header *header, double label, int unlabelled)
{
    if (isnan(label)) return unlabelled ? NULL : "an unlabelled row";
    if (isinf(label)) return "an infinite label";
    if (header->label_count == 0) return NULL;
    return label >= 0.0 && label < (double)header->label_count && label == floor(label) ? NULL
                                                                                        : "a label without a name";
}

static dcpn_status check_labels(const struct check *check, int unlabelled)
{
    const double *labels = section_of(check, LABELS);
    hash_blocks(check, LABELS, 0, UINT64_MAX);
    DCPN_TRY(check_checksum(check, LABELS));
    for (int64_t i = 0; i < check->header->rows; i++) {
        const char *defect = label_defect(check->header, labels[i], unlabelled);
        if (defect)
            return dcpn_fail(check->context, DCPN_DATA, "%s: row %lld: found %s, expected a label; remove such rows",
                             check->name, (long long)i + 1, defect);
    }
    return DCPN_OK;
}

/* Texts that each end in a 0, as many as there are things to name; or none at all. */
static dcpn_status check_names(const struct check *check, int section, int64_t count)
{
    uint64_t size = check->header->sections[section].size;
    const char *names = section_of(check, section);
    int64_t ends = 0;
    hash_blocks(check, section, 0, UINT64_MAX);
    DCPN_TRY(check_checksum(check, section));
    for (uint64_t i = 0; i < size; i++) ends += names[i] == '\0';
    if (size == 0 && (section == FEATURE_NAMES || count == 0)) return DCPN_OK;
    if (size > 0 && ends == count && names[size - 1] == '\0') return DCPN_OK;
    return refuse(check, section, "another number of names", "one for each, ended by a zero byte");
}

/* Refuses gaps between sections that hold anything but zeros. */
static dcpn_status check_gaps(const struct check *check)
{
    uint64_t end = sizeof *check->header;
    for (int k = 0; k < BINARY_SECTIONS; k++) {
        for (; end < check->header->sections[k].offset; end++)
            if (check->bytes[end]) return refuse(check, k, "something before it", "zero bytes between the sections");
        end += check->header->sections[k].size;
    }
    return DCPN_OK;
}

static dcpn_status check_all(const struct check *check, int unlabelled)
{
    DCPN_TRY(check->header->kind == DCPN_BINARY_SPARSE ? check_sparse(check) : check_dense(check));
    DCPN_TRY(check_labels(check, unlabelled));
    DCPN_TRY(check_names(check, FEATURE_NAMES, check->header->columns));
    DCPN_TRY(check_names(check, LABEL_NAMES, check->header->label_count));
    return check_gaps(check);
}

dcpn_status dcpn_binary_check(dcpn_context *context, const char *name, const struct binary_header *header,
                              const char *bytes, int unlabelled)
{
    struct check check = {.context = context, .name = name, .header = header, .bytes = bytes};
    int64_t blocks = 0;
    for (int k = 0; k < BINARY_SECTIONS; k++) blocks += dcpn_binary_blocks(header->sections[k].size);
    uint64_t *hashes = dcpn_allocate(context, (size_t)blocks, sizeof *hashes), *next = hashes;
    if (!hashes) return DCPN_MEMORY;
    for (int k = 0; k < BINARY_SECTIONS; k++) {
        check.hashes[k] = next;
        next += dcpn_binary_blocks(header->sections[k].size);
    }
    dcpn_status status = check_all(&check, unlabelled);
    dcpn_free(context, hashes);
    return status;
}
