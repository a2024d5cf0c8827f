/* SPDX-License-Identifier: BSD-3-Clause */
/* A data set as comma- or tab-separated values: a header, the features, and the label as the last column. Every number
 * reads back to the same double. */
#include <stdio.h>
#include <string.h>

#include "data/rows.h"
#include "data/writers.h"

struct writer {
    const dcpn_dataset *dataset;
    struct output_file file;
    char separator;
    struct row row;
    double *dense;
};

/* Quotes where the text would not read back without. */
static void write_text(struct writer *writer, const char *text)
{
    const char special[] = {writer->separator, '"', '\n', '\r', '\0'};
    size_t length = strlen(text);
    int plain =
        length > 0 && strcspn(text, special) == length && text[0] != ' ' && text[0] != '#' && text[length - 1] != ' ';
    if (!plain) dcpn_output_write(&writer->file, "\"", 1);
    for (const char *at = text; *at; at++) {
        if (*at == '"') dcpn_output_write(&writer->file, "\"", 1);
        dcpn_output_write(&writer->file, at, 1);
    }
    if (!plain) dcpn_output_write(&writer->file, "\"", 1);
}

static void write_header(struct writer *writer)
{
    const dcpn_dataset *dataset = writer->dataset;
    for (int64_t j = 0; j < dataset->features; j++) {
        char name[DCPN_NUMBER_LENGTH];
        snprintf(name, sizeof name, "x%lld", (long long)j + dataset->index_base);
        write_text(writer, dataset->feature_names ? dataset->feature_names[j] : name);
        dcpn_output_write(&writer->file, &writer->separator, 1);
    }
    dcpn_output_text(&writer->file, "label\n");
}

static void write_row(struct writer *writer, int64_t i)
{
    char number[DCPN_NUMBER_LENGTH + 1];
    dcpn_row_load(writer->dataset, i, &writer->row);
    dcpn_row_spread(&writer->row, writer->dataset->features, writer->dense);
    for (int64_t j = 0; j < writer->dataset->features; j++) {
        int length = dcpn_format_double(number, writer->dense[j]);
        number[length++] = writer->separator;
        dcpn_output_write(&writer->file, number, (size_t)length);
    }
    write_text(writer, dcpn_label_text(writer->dataset, i, number));
    dcpn_output_text(&writer->file, "\n");
}

static dcpn_status write_rows(struct writer *writer, const char *path)
{
    dcpn_context *context = writer->dataset->context;
    writer->dense = dcpn_allocate(context, (size_t)writer->dataset->features, sizeof *writer->dense);
    if (!writer->dense) return DCPN_MEMORY;
    dcpn_status status = dcpn_output_open(context, path, &writer->file);
    if (status == DCPN_OK) {
        write_header(writer);
        for (int64_t i = 0; i < writer->dataset->rows; i++) write_row(writer, i);
        status = dcpn_output_commit(&writer->file);
    }
    dcpn_free(context, writer->dense);
    return status;
}

static dcpn_status write_separated(const dcpn_dataset *dataset, const char *path, char separator)
{
    struct writer writer = {.dataset = dataset, .separator = separator};
    if (dataset->feature_names && !*dataset->feature_names[0])
        return dcpn_fail(dataset->context, DCPN_DATA,
                         "%s: found no name for the first feature, expected one: the column would read back as the "
                         "names of the rows; name it, or write npz or binary",
                         path);
    DCPN_TRY(dcpn_row_open(dataset, &writer.row));
    dcpn_status status = write_rows(&writer, path);
    dcpn_row_close(&writer.row);
    return status;
}

dcpn_status dcpn_write_csv(const dcpn_dataset *dataset, const char *path)
{
    return write_separated(dataset, path, ',');
}

dcpn_status dcpn_write_tsv(const dcpn_dataset *dataset, const char *path)
{
    return write_separated(dataset, path, '\t');
}
