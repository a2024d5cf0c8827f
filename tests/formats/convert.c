/* SPDX-License-Identifier: BSD-3-Clause */
/* usage: convert FROM IN TO OUT [LABELS]
 * Reads IN in the format FROM, with the labels of the file LABELS or none, and writes OUT in the format TO; for
 * tests/formats/peers.py, which compares with what other software reads and writes. */
#include <stdio.h>
#include <string.h>

#include "data/format.h"

static const struct format *const formats[] = {
    &dcpn_format_matrix_market, &dcpn_format_csv, &dcpn_format_tsv, &dcpn_format_npy, &dcpn_format_npz,
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

int main(int argc, char **argv)
{
    if (argc < 5 || !find(argv[1]) || !find(argv[3])) return 2;
    dcpn_context *context = dcpn_context_new(NULL);
    const dcpn_read_options options = {.index_base = -1, .unlabelled = 1, .labels_path = argc > 5 ? argv[5] : NULL};
    dcpn_status status = convert(context, argv + 1, &options);
    if (status != DCPN_OK) printf("%s\n", dcpn_last_error(context));
    dcpn_context_free(context);
    return status == DCPN_OK ? 0 : 1;
}
