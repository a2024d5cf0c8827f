/* SPDX-License-Identifier: BSD-3-Clause */
/* NumPy's array files (.npy, versions 1 to 3) as arrays of numbers or texts. Objects are never unpickled. */
#ifndef DCPN_SRC_NPY_ARRAY_H
#define DCPN_SRC_NPY_ARRAY_H

#include "data/content.h"
#include "data/names.h"
#include "dcpn/data.h"

enum { NPY_MOST_DIMENSIONS = 32 };

struct npy_array {
    char kind;       /* 'f' 'i' 'u' 'b': numbers; 'S' 'U': texts */
    int64_t size;    /* bytes of an element */
    int is_reversed; /* the other byte order */
    int is_fortran;  /* the first index runs fastest */
    int dimensions;
    int64_t shape[NPY_MOST_DIMENSIONS];
    int64_t count;
    const char *data; /* not aligned; count * size bytes, which are all there */
};

/* Do these bytes begin such a file? */
int dcpn_npy_begins(const char *bytes, size_t size);
/* The array of a whole file; its data stay in the content. Bytes behind them are refused. */
dcpn_status dcpn_npy_open(const struct content *content, struct npy_array *array);
int dcpn_npy_is_numeric(const struct npy_array *array);
int dcpn_npy_is_integer(const struct npy_array *array);
/* An element of a numeric array. */
double dcpn_npy_number(const struct npy_array *array, int64_t k);
/* An element of an array of integers; those beyond int64_t are INT64_MAX. */
int64_t dcpn_npy_integer(const struct npy_array *array, int64_t k);

/* Has the array one dimension, or two of which one is 1? */
int dcpn_npy_is_vector(const struct npy_array *array);
/* Refuses what is not a numeric array of two dimensions, neither of them 0. */
dcpn_status dcpn_npy_check_matrix(const struct content *content, const struct npy_array *array);
/* Copies an array that dcpn_npy_check_matrix accepts to a dense matrix, stored by columns. */
dcpn_status dcpn_npy_matrix(const struct content *content, const struct npy_array *array,
                            const dcpn_read_options *options, dcpn_matrix **matrix);
/* An array of one dimension, or of one column, as the labels of the data set. */
dcpn_status dcpn_npy_labels(const struct content *content, const struct npy_array *array,
                            const dcpn_read_options *options, dcpn_dataset *dataset);
/* The texts of an array in UTF-8: list->words lie in *bytes. Both are to be freed. */
dcpn_status dcpn_npy_texts(const struct content *content, const struct npy_array *array, struct word_list *list,
                           char **bytes);

/* The place that writers put bytes into. */
struct sink {
    void (*put)(void *to, const char *bytes, size_t length);
    void *to;
};

/* The header of an array; columns -1: it has one dimension; rows -1: none. */
void dcpn_npy_put_header(const struct sink *sink, const char *type, int64_t rows, int64_t columns);
void dcpn_npy_put_integer(const struct sink *sink, int64_t value, int bytes);
void dcpn_npy_put_double(const struct sink *sink, double value);
/* The parts of a data set, each as a whole array. */
dcpn_status dcpn_npy_put_matrix(const struct sink *sink, const dcpn_dataset *dataset);
void dcpn_npy_put_texts(const struct sink *sink, char *const *texts, int64_t count);

#endif
