/* SPDX-License-Identifier: BSD-3-Clause */
/* The structs behind the handles of data.h, which only the project itself sees: they may grow in any version. */
#ifndef DCPN_LAYOUT_DATA_H
#define DCPN_LAYOUT_DATA_H

#include "../data.h"

/* What a matrix borrows: NULL: nothing. */
struct dcpn_borrowed {
    void *memory;
    size_t mapped; /* it is a file's mapping of so many bytes; 0: it was allocated */
};

struct dcpn_dataset {
    dcpn_matrix *matrix;
    double *labels;
    int64_t rows, features;
    int index_base;       /* 0 or 1: the number the file gives to the first feature */
    char **feature_names; /* one text per feature; NULL: the file has none. One block of memory, texts included */
    char **label_names; /* text labels: the distinct ones in ascending order, but of two the one whose word says so
                         * last (case, yes, positive ...); labels[i] is then the number, from 0, of the row's; NULL:
                         * labels are numbers. One block of memory, texts included */
    int64_t label_count;    /* of label_names */
    int are_ordered;        /* the labels' order counts: label_names stand in it, as somebody has said */
    char *label_name;       /* of the labels' column; NULL: it has none */
    double *fill;           /* what a missing value of each feature counts as; NULL: missing values were refused */
    const char *format;     /* the name of the one that it was read from; NULL: none */
    int64_t features_found; /* in the file itself, fewer than features where the options asked for more; 0: not known */
    char **row_names; /* one text per row, of the column of --id, or of one without a name; NULL: rows have none */
    char *id_name;    /* of that column; NULL: it has none */
    /* of a table that has columns of them; NULL: none. One block of memory, texts included */
    dcpn_category *categories;
    int64_t category_count;
    int64_t *gaps;  /* how many values of each feature were missing; NULL: missing values were refused */
    struct dcpn_borrowed borrowed; /* by the matrix */
    dcpn_context *context;
};

#endif
