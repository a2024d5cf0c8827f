/* SPDX-License-Identifier: BSD-3-Clause */
/* usage: convert FROM IN TO OUT [LABEL-COLUMN]
 *        convert FROM IN damage STEP
 * Reads IN in the format FROM and writes OUT in the format TO; for tests/formats/peers.py, which compares with what other
 * software reads and writes. Or reads IN cut short, and with bytes changed, at every STEP-th byte: it may be read or
 * refused, no more. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/format.h"

static const struct format *const formats[] = {
    &dcpn_format_matrix_market, &dcpn_format_csv, &dcpn_format_tsv,  &dcpn_format_npy,
    &dcpn_format_npz,           &dcpn_format_mat, &dcpn_format_h5ad,
};

static const struct format *find(const char *name)
{
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
        if (strcmp(formats[k]->name, name) == 0) return formats[k];
    return NULL;
}

static dcpn_status convert(dcpn_context *context, char **arguments, const dcpn_read_options *options)
{
    struct content content;
    dcpn_dataset *dataset = NULL;
    DCPN_TRY(dcpn_content_open(context, arguments[1], &content));
    if (find(arguments[0])->sniff(content.bytes, content.size) == 0) fprintf(stderr, "%s: not sniffed\n", arguments[1]);
    dcpn_status status = find(arguments[0])->read(&content, options, &dataset);
    if (status == DCPN_OK) status = find(arguments[2])->write(dataset, arguments[3]);
    dcpn_dataset_free(dataset);
    dcpn_content_close(&content);
    return status;
}

static int try_bytes(dcpn_context *context, const struct format *format, const char *bytes, size_t size)
{
    const struct content content = {.context = context, .name = "damaged", .bytes = bytes, .size = size};
    const dcpn_read_options options = {.index_base = -1, .unlabelled = 1};
    dcpn_dataset *dataset = NULL;
    dcpn_status status = format->read(&content, &options, &dataset);
    dcpn_dataset_free(dataset);
    return status == DCPN_OK;
}

static dcpn_status damage(dcpn_context *context, const struct format *format, const char *path, size_t step)
{
    static const char other[] = {'\0', '\xff', '\x01', '\x7f', '\x80', '9'};
    struct content content;
    size_t read = 0;
    DCPN_TRY(dcpn_content_open(context, path, &content));
    char *bytes = malloc(content.size);
    if (!bytes) return DCPN_MEMORY;
    memcpy(bytes, content.bytes, content.size);
    for (size_t k = 0; k < content.size; k += step) {
        read += (size_t)try_bytes(context, format, bytes, k);
        for (size_t c = 0; c < sizeof other; c++) {
            bytes[k] = other[c];
            read += (size_t)try_bytes(context, format, bytes, content.size);
        }
        bytes[k] = content.bytes[k];
    }
    printf("%zu damaged files were read\n", read);
    free(bytes);
    dcpn_content_close(&content);
    return DCPN_OK;
}

int main(int argc, char **argv)
{
    if (argc < 5 || !find(argv[1])) return 2;
    dcpn_context *context = dcpn_context_new(NULL);
    const dcpn_read_options options = {.index_base = -1, .unlabelled = 1, .label_column = argc > 5 ? argv[5] : NULL};
    dcpn_status status = strcmp(argv[3], "damage") == 0 ? damage(context, find(argv[1]), argv[2], (size_t)atoi(argv[4]))
                                                        : convert(context, argv + 1, &options);
    if (status != DCPN_OK) printf("%s\n", dcpn_last_error(context));
    dcpn_context_free(context);
    return status == DCPN_OK ? 0 : 1;
}
