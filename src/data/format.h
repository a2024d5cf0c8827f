/* SPDX-License-Identifier: BSD-3-Clause */
/* The format seam: a way to write a data set as bytes. The registry is in data/format.c. */
#ifndef DCPN_SRC_FORMAT_H
#define DCPN_SRC_FORMAT_H

#include "data/content.h"
#include "dcpn/data.h"

/* The faults of a file. */
struct findings {
    int64_t count, limit; /* the first `limit` are reported, all are counted */
    dcpn_finding_function *report;
    void *user;
};

static inline void dcpn_findings_add(struct findings *findings, const char *sentence)
{
    if (findings->count++ < findings->limit && findings->report) findings->report(findings->user, sentence);
}

/* The number of the first feature that the options name; -1: none. */
static inline int dcpn_index_base(const dcpn_read_options *options)
{
    return (int)options->indexing - (int)DCPN_INDEX_FROM_0;
}

struct format {
    const char *name;       /* "libsvm" */
    const char *extensions; /* ".svm .libsvm .txt": what `convert` takes from the name of its output */
    const char *summary;    /* one line, for `dcpn list` */
    /* 0: certainly not; 100: certainly (a magic number); texts that only look like it are in between. */
    int (*sniff)(const char *bytes, size_t size);
    dcpn_status (*read)(const struct content *, const dcpn_read_options *, dcpn_dataset **);
    dcpn_status (*write)(const dcpn_dataset *, const char *path); /* NULL: read only */
    int names_labels; /* the labels are one of several columns or arrays, which can be chosen */
    int has_columns;  /* of a table, which can be left out */
    /* Reports all that is wrong with a file, while reading stops at the first fault; NULL: only the fault at which
     * reading stops is reported. */
    dcpn_status (*check)(const struct content *, const dcpn_read_options *, struct findings *);
};

extern const struct format dcpn_format_libsvm, dcpn_format_matrix_market, dcpn_format_csv, dcpn_format_tsv,
    dcpn_format_npy, dcpn_format_npz, dcpn_format_mat, dcpn_format_h5ad, dcpn_format_binary;

#endif
