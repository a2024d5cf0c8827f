/* SPDX-License-Identifier: BSD-3-Clause */
/* The binary form, written: checksums first, since they stand in the header, then the arrays as they are. */
#include <string.h>

#include "base/checksum.h"
#include "base/file.h"
#include "data/binary.h"
#include "data/storage.h"
#include "matrix/dense.h"
#include "matrix/sparse.h"

struct binary_writer {
    const dcpn_dataset *dataset;
    dcpn_context *context;
    struct binary_header header;
    const void *sections[BINARY_SECTIONS];
    char *names[BINARY_SECTIONS]; /* made for the occasion */
    dcpn_matrix *cleaned;         /* without entries that are 0; NULL: the matrix is so itself */
    dcpn_matrix *rearranged;      /* in ascending order or without gaps; NULL: likewise */
};

static dcpn_status gather_sparse(struct binary_writer *writer, struct compressed_both *arrays)
{
    struct binary_header *header = &writer->header;
    const dcpn_matrix *matrix = writer->dataset->matrix;
    DCPN_TRY(dcpn_store_cleaned(matrix, arrays->by_row.value_type, &writer->cleaned));
    if (writer->cleaned) matrix = writer->cleaned;
    DCPN_TRY(dcpn_sparse_ascending(matrix, &writer->rearranged));
    if (writer->rearranged) matrix = writer->rearranged;
    dcpn_sparse_both(matrix, arrays);
    header->entries = matrix->entries;
    header->kind = DCPN_BINARY_SPARSE;
    header->value_type = arrays->by_row.value_type;
    header->row_index_type = arrays->by_row.index_type;
    header->column_index_type = arrays->by_column.index_type;
    writer->sections[ROW_POINTERS] = arrays->by_row.pointers;
    writer->sections[ROW_INDICES] = arrays->by_row.indices;
    writer->sections[ROW_VALUES] = arrays->by_row.values;
    writer->sections[COLUMN_POINTERS] = arrays->by_column.pointers;
    writer->sections[COLUMN_INDICES] = arrays->by_column.indices;
    writer->sections[COLUMN_VALUES] = arrays->by_column.values;
    return DCPN_OK;
}

static dcpn_status gather_dense(struct binary_writer *writer, struct dense_view *view)
{
    const dcpn_dataset *dataset = writer->dataset;
    int by_rows = view->layout == DCPN_ROW_MAJOR;
    if (view->stride != view->length) {
        DCPN_TRY(dcpn_matrix_dense(writer->context, dataset->matrix->rows, dataset->matrix->columns, view->values,
                                   view->type, view->layout, view->stride, DCPN_COPY, &writer->rearranged));
        dcpn_dense_view(writer->rearranged, view);
    }
    writer->header.kind = by_rows ? DCPN_BINARY_DENSE_BY_ROWS : DCPN_BINARY_DENSE_BY_COLUMNS;
    writer->header.value_type = view->type;
    writer->sections[by_rows ? ROW_VALUES : COLUMN_VALUES] = view->values;
    return DCPN_OK;
}

static dcpn_status gather_matrix(struct binary_writer *writer)
{
    struct compressed_both arrays;
    struct dense_view view;
    if (dcpn_sparse_both(writer->dataset->matrix, &arrays)) return gather_sparse(writer, &arrays);
    if (dcpn_dense_view(writer->dataset->matrix, &view)) return gather_dense(writer, &view);
    return dcpn_fail(writer->context, DCPN_USAGE, "binary file: found a matrix that is neither sparse nor dense");
}

/* All texts one behind the other, each with the 0 that ends it. */
static dcpn_status gather_names(struct binary_writer *writer, int section, char **names, int64_t count)
{
    size_t size = 0;
    if (!names) return DCPN_OK;
    for (int64_t k = 0; k < count; k++) size += strlen(names[k]) + 1;
    char *next = writer->names[section] = dcpn_allocate(writer->context, size, 1);
    if (!next) return DCPN_MEMORY;
    for (int64_t k = 0; k < count; k++) next = stpcpy(next, names[k]) + 1;
    writer->sections[section] = writer->names[section];
    writer->header.sections[section].size = size;
    return DCPN_OK;
}

static dcpn_status gather(struct binary_writer *writer)
{
    const dcpn_dataset *dataset = writer->dataset;
    writer->header = (struct binary_header){
        .version = DCPN_BINARY_VERSION,
        .byte_order = DCPN_BINARY_BYTE_ORDER,
        .rows = dataset->rows,
        .columns = dataset->features,
        .entries = dataset->matrix->entries,
        .index_base = (uint32_t)dataset->index_base,
        .label_count = dataset->label_names ? dataset->label_count : 0,
    };
    memcpy(writer->header.magic, DCPN_BINARY_MAGIC, sizeof writer->header.magic);
    DCPN_TRY(gather_matrix(writer));
    writer->sections[LABELS] = dataset->labels;
    DCPN_TRY(gather_names(writer, FEATURE_NAMES, dataset->feature_names, dataset->features));
    return gather_names(writer, LABEL_NAMES, dataset->label_names, dataset->label_count);
}

static dcpn_status seal(struct binary_writer *writer)
{
    struct binary_header *header = &writer->header;
    int64_t most = 0;
    header->file_size = dcpn_binary_lay_out(header, 0);
    for (int k = 0; k < BINARY_SECTIONS; k++)
        if (dcpn_binary_blocks(header->sections[k].size) > most) most = dcpn_binary_blocks(header->sections[k].size);
    uint64_t *hashes = dcpn_allocate(writer->context, (size_t)most, sizeof *hashes);
    if (!hashes) return DCPN_MEMORY;
    for (int k = 0; k < BINARY_SECTIONS; k++)
        header->sections[k].checksum =
            dcpn_binary_checksum(writer->context, writer->sections[k], header->sections[k].size, hashes);
    header->checksum = dcpn_checksum(header, offsetof(struct binary_header, checksum));
    dcpn_free(writer->context, hashes);
    return DCPN_OK;
}

static dcpn_status write_file(const struct binary_writer *writer, const char *path)
{
    static const char zeros[DCPN_BINARY_ALIGNMENT] = {0};
    const struct binary_header *header = &writer->header;
    uint64_t end = sizeof *header;
    struct output_file file;
    DCPN_TRY(dcpn_output_open(writer->context, path, &file));
    dcpn_output_write(&file, (const char *)header, sizeof *header);
    for (int k = 0; k < BINARY_SECTIONS; k++) {
        dcpn_output_write(&file, zeros, (size_t)(header->sections[k].offset - end));
        dcpn_output_write(&file, writer->sections[k], (size_t)header->sections[k].size);
        end = header->sections[k].offset + header->sections[k].size;
    }
    return dcpn_output_commit(&file);
}

dcpn_status dcpn_binary_write(const dcpn_dataset *dataset, const char *path)
{
    struct binary_writer writer = {.dataset = dataset, .context = dataset->context};
    dcpn_status status = gather(&writer);
    if (status == DCPN_OK) status = seal(&writer);
    if (status == DCPN_OK) status = write_file(&writer, path);
    for (int k = 0; k < BINARY_SECTIONS; k++) dcpn_free(writer.context, writer.names[k]);
    dcpn_matrix_free(writer.rearranged);
    dcpn_matrix_free(writer.cleaned);
    return status;
}
