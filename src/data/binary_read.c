/* SPDX-License-Identifier: BSD-3-Clause */
/* The binary form, read: the file is mapped and checked, and the matrix borrows its arrays. Nothing of the size of the
 * data is allocated or rebuilt, so data larger than memory are fitted from the page cache. */
#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/threads.h"
#include "data/binary.h"
#include "data/format.h"
#include "matrix/dense.h"
#include "matrix/sparse.h"

enum { PARALLEL_FROM = 1 << 18 }; /* entries below which threads cost more than they bring */

struct binary_reader {
    dcpn_context *context;
    const char *name;
    const dcpn_read_options *options;
    const char *bytes;
    size_t size;
    const struct binary_header *header;
    int64_t columns; /* that the matrix shall have */
    dcpn_dataset *dataset;
};

/* ---- the header ---------------------------------------------------------------------------------------------------*/

static dcpn_status refuse(const struct binary_reader *reader, const char *found, const char *expected)
{
    return dcpn_fail(reader->context, DCPN_DATA, "%s: header: found %s, expected %s; the file is damaged: make it anew",
                     reader->name, found, expected);
}

static dcpn_status check_version(const struct binary_reader *reader)
{
    const struct binary_header *header = reader->header;
    if (memcmp(header->magic, DCPN_BINARY_MAGIC, sizeof header->magic) != 0)
        return refuse(reader, "other first bytes", "those of a binary file of dcpn");
    if (header->byte_order == __builtin_bswap32(DCPN_BINARY_BYTE_ORDER))
        return dcpn_fail(
            reader->context, DCPN_DATA,
            "%s: header: found another byte order, expected that of this machine; make the file here, from "
            "text",
            reader->name);
    if (header->version != DCPN_BINARY_VERSION)
        return dcpn_fail(reader->context, DCPN_DATA,
                         "%s: header: found version %lu, expected %d; make the file anew with this dcpn, or use the "
                         "one that wrote it",
                         reader->name, (unsigned long)header->version, DCPN_BINARY_VERSION);
    return DCPN_OK;
}

/* Checks the header: nothing in it is believed before it agrees with the number of bytes that are there. */
static dcpn_status check_header(struct binary_reader *reader)
{
    const struct binary_header *header = reader->header = (const void *)reader->bytes;
    char found[64];
    if (reader->size < sizeof *header) return refuse(reader, "the end of the file within it", "384 bytes");
    DCPN_TRY(check_version(reader));
    if (dcpn_checksum(header, offsetof(struct binary_header, checksum)) != header->checksum)
        return refuse(reader, "bytes that do not have its checksum", "unchanged bytes");
    if (header->file_size != reader->size) {
        snprintf(found, sizeof found, "a file of %zu bytes", reader->size);
        return dcpn_fail(reader->context, DCPN_DATA, "%s: found %s, expected %llu; the file is %s: make it anew",
                         reader->name, found, (unsigned long long)header->file_size,
                         reader->size < header->file_size ? "truncated" : "longer than it was written");
    }
    const char *defect = dcpn_binary_shape_defect(header, reader->size);
    if (defect) return refuse(reader, defect, "a matrix that fits the file");
    struct binary_header copy = *header;
    if (dcpn_binary_lay_out(&copy, 1) != reader->size)
        return refuse(reader, "sections elsewhere than its sizes say", "one behind the other up to the end");
    return DCPN_OK;
}

/* ---- what the options want ----------------------------------------------------------------------------------------*/

static dcpn_status settle_base(const struct binary_reader *reader)
{
    int stored = (int)reader->header->index_base, wanted = dcpn_index_base(reader->options);
    if (wanted < 0 || wanted == stored || reader->header->kind != DCPN_BINARY_SPARSE) return DCPN_OK;
    return dcpn_fail(reader->context, DCPN_DATA,
                     "%s: found features numbered from %d, expected from %d; make the file anew with --index-base %d",
                     reader->name, stored, wanted, wanted);
}

static dcpn_status settle_columns(struct binary_reader *reader)
{
    const struct binary_header *header = reader->header;
    int64_t wanted = reader->options->features, least = reader->options->at_least;
    reader->columns = header->columns;
    if (wanted == 0 && least > header->columns && header->kind == DCPN_BINARY_SPARSE) reader->columns = least;
    if (wanted == 0 || wanted == header->columns) return DCPN_OK;
    if (wanted < header->columns)
        return dcpn_fail(reader->context, DCPN_DATA,
                         "%s: found %lld features, expected %lld; --features %lld accepts it", reader->name,
                         (long long)header->columns, (long long)wanted, (long long)header->columns);
    if (header->kind != DCPN_BINARY_SPARSE || header->sections[FEATURE_NAMES].size > 0)
        return dcpn_fail(reader->context, DCPN_DATA,
                         "%s: found %lld features, expected %lld; only a sparse matrix without names can be widened: "
                         "leave --features out",
                         reader->name, (long long)header->columns, (long long)wanted);
    reader->columns = wanted;
    return DCPN_OK;
}

/* ---- the matrix ---------------------------------------------------------------------------------------------------*/

static const void *section_of(const struct binary_reader *reader, int section)
{
    return reader->bytes + reader->header->sections[section].offset;
}

static int wants_float32(const struct binary_reader *reader)
{
    return reader->options->value_type == DCPN_FLOAT32 && reader->header->value_type == DCPN_FLOAT64;
}

struct narrowing {
    const double *values;
    float *narrowed;
    atomic_int overflows;
};

static void narrow_some(void *user, int64_t begin, int64_t end)
{
    struct narrowing *n = user;
    int overflows = 0;
    for (int64_t i = begin; i < end; i++) {
        int is_too_large = fabs(n->values[i]) > (double)FLT_MAX;
        n->narrowed[i] = is_too_large ? 0.0f : (float)n->values[i];
        overflows |= is_too_large;
    }
    if (overflows) n->overflows = 1;
}

/* The values of a section in single precision; NULL, with *status set, if one is too large or memory is short. */
static float *narrow(const struct binary_reader *reader, int section, dcpn_status *status)
{
    int64_t entries = reader->header->entries;
    float *narrowed = dcpn_allocate(reader->context, (size_t)entries, sizeof *narrowed);
    struct narrowing narrowing = {.values = section_of(reader, section), .narrowed = narrowed};
    if (!narrowed) *status = DCPN_MEMORY;
    if (!narrowed) return NULL;
    dcpn_parallel_ranges(entries > PARALLEL_FROM ? reader->context : NULL, entries, narrow_some, &narrowing);
    if (!narrowing.overflows) return narrowed;
    dcpn_free(reader->context, narrowed);
    *status = dcpn_fail(reader->context, DCPN_DATA,
                        "%s: section %s: found a value above 3.4e38, the largest float32; store the values as float64",
                        reader->name, dcpn_binary_section_name(section));
    return NULL;
}

/* Makes column pointers for more columns than the file has, which are empty. */
static int64_t *widen(const struct binary_reader *reader, dcpn_status *status)
{
    int64_t stored = reader->header->columns;
    int64_t *pointers = dcpn_allocate(reader->context, (size_t)reader->columns + 1, sizeof *pointers);
    if (!pointers) {
        *status = DCPN_MEMORY;
        return NULL;
    }
    memcpy(pointers, section_of(reader, COLUMN_POINTERS), ((size_t)stored + 1) * sizeof *pointers);
    for (int64_t j = stored + 1; j <= reader->columns; j++) pointers[j] = reader->header->entries;
    return pointers;
}

static dcpn_compressed compressed_in(const struct binary_reader *reader, int first, uint32_t index_type)
{
    return (dcpn_compressed){
        .rows = reader->header->rows,
        .columns = reader->columns,
        .pointers = section_of(reader, first),
        .indices = section_of(reader, first + 1),
        .index_type = (dcpn_index_type)index_type,
        .values = section_of(reader, first + 2),
        .value_type = (dcpn_value_type)reader->header->value_type,
    };
}

static dcpn_status convert_sparse(const struct binary_reader *reader, struct compressed_both *arrays)
{
    dcpn_status status = DCPN_OK;
    if (reader->columns > reader->header->columns)
        arrays->by_column.pointers = arrays->owned_column_pointers = widen(reader, &status);
    if (status != DCPN_OK || !wants_float32(reader)) return status;
    arrays->by_row.values = arrays->owned_row_values = narrow(reader, ROW_VALUES, &status);
    if (status == DCPN_OK)
        arrays->by_column.values = arrays->owned_column_values = narrow(reader, COLUMN_VALUES, &status);
    arrays->by_row.value_type = arrays->by_column.value_type = DCPN_FLOAT32;
    return status;
}

static dcpn_status make_sparse(const struct binary_reader *reader)
{
    struct compressed_both arrays = {
        .by_row = compressed_in(reader, ROW_POINTERS, reader->header->row_index_type),
        .by_column = compressed_in(reader, COLUMN_POINTERS, reader->header->column_index_type),
    };
    dcpn_status status = convert_sparse(reader, &arrays);
    if (status == DCPN_OK) return dcpn_matrix_from_both(reader->context, &arrays, &reader->dataset->matrix);
    dcpn_free(reader->context, arrays.owned_column_pointers);
    dcpn_free(reader->context, arrays.owned_row_values);
    dcpn_free(reader->context, arrays.owned_column_values);
    return status;
}

/* Are the data to be read from the disk again for every product? */
static int is_far(const struct binary_reader *reader)
{
    size_t limit = dcpn_context_memory_limit(reader->context);
    if (!limit) limit = dcpn_machine_memory();
    return limit > 0 && reader->dataset->borrowed.mapped > limit;
}

static dcpn_status make_dense(const struct binary_reader *reader)
{
    const struct binary_header *header = reader->header;
    int by_rows = header->kind == DCPN_BINARY_DENSE_BY_ROWS, section = by_rows ? ROW_VALUES : COLUMN_VALUES;
    dcpn_layout layout = by_rows ? DCPN_ROW_MAJOR : DCPN_COLUMN_MAJOR;
    dcpn_status status = DCPN_OK;
    if (!wants_float32(reader)) {
        DCPN_TRY(dcpn_matrix_borrow_dense(reader->context, header->rows, header->columns, section_of(reader, section),
                                          (dcpn_value_type)header->value_type, layout, &reader->dataset->matrix));
        if (!is_far(reader)) return DCPN_OK;
        return dcpn_dense_set_far(reader->dataset->matrix, reader->dataset->borrowed.memory, reader->size);
    }
    float *values = narrow(reader, section, &status);
    if (!values) return status;
    return dcpn_matrix_take_dense(reader->context, header->rows, header->columns, values, DCPN_FLOAT32, layout,
                                  &reader->dataset->matrix);
}

/* ---- the data set -------------------------------------------------------------------------------------------------*/

/* The texts of a section and the pointers to them, in one block. */
static dcpn_status copy_names(const struct binary_reader *reader, int section, int64_t count, char ***names)
{
    size_t size = (size_t)reader->header->sections[section].size, table = (size_t)count * sizeof(char *);
    if (size == 0) return DCPN_OK;
    char **made = dcpn_allocate(reader->context, table + size, 1);
    if (!made) return DCPN_MEMORY;
    char *text = memcpy((char *)made + table, section_of(reader, section), size);
    for (int64_t k = 0; k < count; k++) {
        made[k] = text;
        text += strlen(text) + 1;
    }
    *names = made;
    return DCPN_OK;
}

static dcpn_status fill_dataset(const struct binary_reader *reader)
{
    const struct binary_header *header = reader->header;
    dcpn_dataset *dataset = reader->dataset;
    int wanted = dcpn_index_base(reader->options);
    dataset->rows = header->rows;
    dataset->features = reader->columns;
    dataset->index_base = wanted >= 0 ? wanted : (int)header->index_base;
    dataset->label_count = header->label_count;
    dataset->labels = dcpn_allocate(reader->context, (size_t)header->rows, sizeof *dataset->labels);
    if (!dataset->labels) return DCPN_MEMORY;
    memcpy(dataset->labels, section_of(reader, LABELS), (size_t)header->rows * sizeof *dataset->labels);
    if (reader->columns == header->columns)
        DCPN_TRY(copy_names(reader, FEATURE_NAMES, header->columns, &dataset->feature_names));
    DCPN_TRY(copy_names(reader, LABEL_NAMES, header->label_count, &dataset->label_names));
    return header->kind == DCPN_BINARY_SPARSE ? make_sparse(reader) : make_dense(reader);
}

static dcpn_status check_and_fill(struct binary_reader *reader)
{
    DCPN_TRY(check_header(reader));
    DCPN_TRY(settle_base(reader));
    DCPN_TRY(settle_columns(reader));
    DCPN_TRY(
        dcpn_binary_check(reader->context, reader->name, reader->header, reader->bytes, reader->options->unlabelled));
    return fill_dataset(reader);
}

/* The data set's own mapping of the file: the content is closed when its reader returns. */
static dcpn_status map_file(struct binary_reader *reader, const char *path)
{
    struct stat about;
    void *mapping = MAP_FAILED;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0 && fstat(descriptor, &about) == 0 && about.st_size > 0)
        mapping = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    int error = errno;
    if (descriptor >= 0) close(descriptor);
    if (mapping == MAP_FAILED)
        return dcpn_fail(reader->context, DCPN_IO, "%s: cannot be read: %s", reader->name, strerror(error));
    reader->bytes = reader->dataset->borrowed.memory = mapping;
    reader->size = reader->dataset->borrowed.mapped = (size_t)about.st_size;
    return DCPN_OK;
}

static dcpn_status copy_content(struct binary_reader *reader, const struct content *content)
{
    reader->dataset->borrowed.memory = dcpn_allocate(reader->context, content->size, 1);
    if (!reader->dataset->borrowed.memory) return DCPN_MEMORY;
    reader->bytes = memcpy(reader->dataset->borrowed.memory, content->bytes, content->size);
    reader->size = content->size;
    return DCPN_OK;
}

static dcpn_status read_binary(const struct content *content, const dcpn_read_options *options, dcpn_dataset **dataset)
{
    struct binary_reader reader = {.context = content->context, .name = content->name, .options = options};
    *dataset = NULL;
    reader.dataset = dcpn_allocate(content->context, 1, sizeof *reader.dataset);
    if (!reader.dataset) return DCPN_MEMORY;
    *reader.dataset = (dcpn_dataset){.context = content->context};
    dcpn_status status = content->plain_path ? map_file(&reader, content->plain_path) : copy_content(&reader, content);
    if (status == DCPN_OK) status = check_and_fill(&reader);
    if (status == DCPN_OK)
        *dataset = reader.dataset;
    else
        dcpn_dataset_free(reader.dataset);
    return status;
}

static int sniff(const char *bytes, size_t size)
{
    size_t magic = sizeof DCPN_BINARY_MAGIC - 1;
    return size >= magic && memcmp(bytes, DCPN_BINARY_MAGIC, magic) == 0 ? 100 : 0;
}

const struct format dcpn_format_binary = {
    .name = "binary",
    .extensions = ".dcpn",
    .summary = "our own: checked, mapped, both orientations; a second run starts at once",
    .sniff = sniff,
    .read = read_binary,
    .write = dcpn_binary_write,
};
