/* SPDX-License-Identifier: BSD-3-Clause */
/* The other half of tests/formats/peers.py, which compares with what other software reads and writes. A line of
 * standard input is a job, its words separated by tabs; the answer is a line: "done", or a refusal.
 *
 *     FROM IN TO OUT [LABEL-COLUMN]      reads IN in the format FROM and writes OUT in the format TO
 *     FROM IN damage STEP                reads IN cut short, and with bytes changed, at every STEP-th byte: it may be
 *                                        read or refused, no more */
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
    const struct format *from = find(arguments[0]), *to = find(arguments[2]);
    if (!to) return dcpn_fail(context, DCPN_USAGE, "unknown format");
    DCPN_TRY(dcpn_content_open(context, arguments[1], &content));
    dcpn_status status = from->sniff(content.bytes, content.size) ? from->read(&content, options, &dataset)
                                                                  : dcpn_fail(context, DCPN_DATA, "not recognised");
    if (status == DCPN_OK) status = to->write(dataset, arguments[3]);
    dcpn_dataset_free(dataset);
    dcpn_content_close(&content);
    return status;
}

static void try_bytes(dcpn_context *context, const struct format *format, const char *bytes, size_t size)
{
    const struct content content = {.context = context, .name = "damaged", .bytes = bytes, .size = size};
    const dcpn_read_options options = {.unlabelled = 1};
    dcpn_dataset *dataset = NULL;
    (void)format->read(&content, &options, &dataset);
    dcpn_dataset_free(dataset);
}

static dcpn_status damage(dcpn_context *context, const struct format *format, const char *path, size_t step)
{
    static const char other[] = {'\0', '\xff', '\x01', '\x7f', '\x80', '9'};
    struct content content;
    DCPN_TRY(dcpn_content_open(context, path, &content));
    char *bytes = malloc(content.size);
    if (!bytes) return DCPN_MEMORY;
    memcpy(bytes, content.bytes, content.size);
    for (size_t k = 0; k < content.size; k += step) {
        try_bytes(context, format, bytes, k);
        for (size_t c = 0; c < sizeof other; c++) {
            bytes[k] = other[c];
            try_bytes(context, format, bytes, content.size);
        }
        bytes[k] = content.bytes[k];
    }
    free(bytes);
    dcpn_content_close(&content);
    return DCPN_OK;
}

/* One job: the words of a line, separated by tabs. */
static dcpn_status work(dcpn_context *context, char *line)
{
    enum { WORDS = 5 };
    char *words[WORDS + 1] = {NULL};
    int count = 0;
    for (char *word = strtok(line, "\t\n"); word && count < WORDS; word = strtok(NULL, "\t\n")) words[count++] = word;
    if (count < 4 || !find(words[0])) return dcpn_fail(context, DCPN_USAGE, "not a job");
    const dcpn_read_options options = {.unlabelled = 1, .table.label_column = words[4]};
    return strcmp(words[2], "damage") == 0 ? damage(context, find(words[0]), words[1], (size_t)atoi(words[3]))
                                           : convert(context, words, &options);
}

int main(void)
{
    char line[1024];
    dcpn_context *context = dcpn_context_new(NULL);
    while (fgets(line, sizeof line, stdin)) {
        puts(work(context, line) == DCPN_OK ? "done" : dcpn_last_error(context));
        fflush(stdout);
    }
    dcpn_context_free(context);
    return 0;
}
