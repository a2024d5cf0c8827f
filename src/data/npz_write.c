/* SPDX-License-Identifier: BSD-3-Clause */
/* A data set as a NumPy archive: a sparse matrix by rows as scipy.sparse.save_npz writes it, a full one as an array X;
 * the labels as y, texts if they are classes, and the names as feature_names, all of which SciPy overlooks. */
#include <math.h>
#include <string.h>

#include "data/npy_array.h"
#include "data/rows.h"
#include "data/writers.h"
#include "data/zip.h"

enum { LEVEL = 1 }; /* the higher ones are far slower, and little smaller */

struct writer {
    const dcpn_dataset *dataset;
    struct zip_writer zip;
    struct sink sink;
    struct row row;
};

/* ---- The arrays of a sparse matrix --------------------------------------------------------------------------------*/

static int64_t count_entries(struct writer *writer)
{
    int64_t entries = 0;
    for (int64_t i = 0; i < writer->dataset->rows; i++) {
        dcpn_row_load(writer->dataset, i, &writer->row);
        entries += writer->row.count;
    }
    return entries;
}

static void put_indices(struct writer *writer, int64_t entries)
{
    dcpn_npy_put_header(&writer->sink, "<i8", entries, -1);
    for (int64_t i = 0; i < writer->dataset->rows; i++) {
        dcpn_row_load(writer->dataset, i, &writer->row);
        for (int64_t k = 0; k < writer->row.count; k++) dcpn_npy_put_integer(&writer->sink, writer->row.columns[k], 8);
    }
}

static void put_pointers(struct writer *writer, int64_t entries)
{
    int64_t start = 0;
    (void)entries;
    dcpn_npy_put_header(&writer->sink, "<i8", writer->dataset->rows + 1, -1);
    dcpn_npy_put_integer(&writer->sink, 0, 8);
    for (int64_t i = 0; i < writer->dataset->rows; i++) {
        dcpn_row_load(writer->dataset, i, &writer->row);
        start += writer->row.count;
        dcpn_npy_put_integer(&writer->sink, start, 8);
    }
}

static void put_values(struct writer *writer, int64_t entries)
{
    dcpn_npy_put_header(&writer->sink, "<f8", entries, -1);
    for (int64_t i = 0; i < writer->dataset->rows; i++) {
        dcpn_row_load(writer->dataset, i, &writer->row);
        for (int64_t k = 0; k < writer->row.count; k++) dcpn_npy_put_double(&writer->sink, writer->row.values[k]);
    }
}

static void put_format(struct writer *writer, int64_t entries)
{
    (void)entries;
    dcpn_npy_put_header(&writer->sink, "|S3", -1, -1);
    writer->sink.put(writer->sink.to, "csr", 3);
}

static void put_shape(struct writer *writer, int64_t entries)
{
    (void)entries;
    dcpn_npy_put_header(&writer->sink, "<i8", 2, -1);
    dcpn_npy_put_integer(&writer->sink, writer->dataset->rows, 8);
    dcpn_npy_put_integer(&writer->sink, writer->dataset->features, 8);
}

static dcpn_status write_sparse(struct writer *writer)
{
    static const struct {
        const char *name;
        void (*put)(struct writer *, int64_t entries);
    } arrays[] = {{"indices.npy", put_indices},
                  {"indptr.npy", put_pointers},
                  {"format.npy", put_format},
                  {"shape.npy", put_shape},
                  {"data.npy", put_values}};
    int64_t entries = count_entries(writer);
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        DCPN_TRY(dcpn_zip_begin(&writer->zip, arrays[k].name));
        arrays[k].put(writer, entries);
        dcpn_zip_end(&writer->zip);
    }
    return DCPN_OK;
}

static dcpn_status write_dense(struct writer *writer)
{
    DCPN_TRY(dcpn_zip_begin(&writer->zip, "X.npy"));
    DCPN_TRY(dcpn_npy_put_matrix(&writer->sink, writer->dataset));
    dcpn_zip_end(&writer->zip);
    return DCPN_OK;
}

/* ---- Labels and names ---------------------------------------------------------------------------------------------*/

static dcpn_status put_classes(struct writer *writer)
{
    const dcpn_dataset *dataset = writer->dataset;
    char **texts = dcpn_allocate(dataset->context, (size_t)dataset->rows, sizeof *texts);
    static char unlabelled[] = "?";
    if (!texts) return DCPN_MEMORY;
    for (int64_t i = 0; i < dataset->rows; i++)
        texts[i] = isnan(dataset->labels[i]) ? unlabelled : dataset->label_names[(int64_t)dataset->labels[i]];
    dcpn_npy_put_texts(&writer->sink, texts, dataset->rows);
    dcpn_free(dataset->context, texts);
    return DCPN_OK;
}

static dcpn_status write_labels(struct writer *writer)
{
    const dcpn_dataset *dataset = writer->dataset;
    DCPN_TRY(dcpn_zip_begin(&writer->zip, "y.npy"));
    if (dataset->label_names) {
        DCPN_TRY(put_classes(writer));
    } else {
        dcpn_npy_put_header(&writer->sink, "<f8", dataset->rows, -1);
        for (int64_t i = 0; i < dataset->rows; i++) dcpn_npy_put_double(&writer->sink, dataset->labels[i]);
    }
    dcpn_zip_end(&writer->zip);
    return DCPN_OK;
}

static dcpn_status write_names(struct writer *writer)
{
    if (!writer->dataset->feature_names) return DCPN_OK;
    DCPN_TRY(dcpn_zip_begin(&writer->zip, "feature_names.npy"));
    dcpn_npy_put_texts(&writer->sink, writer->dataset->feature_names, writer->dataset->features);
    dcpn_zip_end(&writer->zip);
    return DCPN_OK;
}

/* ---- The archive --------------------------------------------------------------------------------------------------*/

static dcpn_status write_archive(struct writer *writer)
{
    DCPN_TRY(dcpn_dataset_is_full(writer->dataset) ? write_dense(writer) : write_sparse(writer));
    DCPN_TRY(write_labels(writer));
    DCPN_TRY(write_names(writer));
    dcpn_zip_finish(&writer->zip);
    return DCPN_OK;
}

dcpn_status dcpn_npz_put(struct output_file *file, int level, const dcpn_dataset *dataset)
{
    struct writer writer = {.dataset = dataset};
    DCPN_TRY(dcpn_zip_create(file, level, &writer.zip));
    writer.sink = (struct sink){dcpn_zip_put, &writer.zip};
    dcpn_status status = dcpn_row_open(dataset, &writer.row);
    if (status == DCPN_OK) {
        status = write_archive(&writer);
        dcpn_row_close(&writer.row);
    }
    dcpn_zip_release(&writer.zip);
    return status;
}

dcpn_status dcpn_write_npz(const dcpn_dataset *dataset, const char *path)
{
    struct output_file file;
    DCPN_TRY(dcpn_output_open(dataset->context, path, &file));
    dcpn_status status = dcpn_npz_put(&file, LEVEL, dataset);
    if (status == DCPN_OK) return dcpn_output_commit(&file);
    dcpn_output_abandon(&file);
    return status;
}
