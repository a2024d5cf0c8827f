/* SPDX-License-Identifier: BSD-3-Clause */
/* HDF5 files as arrays of numbers and texts by their paths. The library keeps quiet, and what a file announces is only
 * believed if it has the bytes, at the best ratio of deflate. HDF5 lets data lie in other files, by external links,
 * external storage and virtual datasets: dcpn opens no other file than the one that is named, and refuses them. */
#ifndef DCPN_IMPORT_HDF5_FILE_H
#define DCPN_IMPORT_HDF5_FILE_H

#include <hdf5.h>

#include "data/content.h"
#include "data/names.h"

struct hdf5_file {
    const struct content *content;
    hid_t file;
    hid_t access;    /* how links are followed and data sets opened: within the file */
    char *elsewhere; /* the file that an external link leads to, quoted, if one was met; empty: none was */
};

/* Texts of a data set; the words lie in memory of HDF5's own. */
struct hdf5_texts {
    struct word *words;
    int64_t count;
    char **strings;
    hid_t type, space;
};

dcpn_status hdf5_open(const struct content *content, struct hdf5_file *file);
void hdf5_close(struct hdf5_file *file);
/* The status of reading the file: a refusal also where reading could do without what lies elsewhere. */
dcpn_status hdf5_verdict(const struct hdf5_file *file, dcpn_status status);

int hdf5_has(const struct hdf5_file *file, const char *path);
int hdf5_is_group(const struct hdf5_file *file, const char *path);
int hdf5_is_text(const struct hdf5_file *file, const char *path);

/* The numbers of a data set of one dimension, or of two of which one is 1, as HDF5 converts them; *values is to be
 * freed. */
dcpn_status hdf5_doubles(const struct hdf5_file *file, const char *path, double **values, int64_t *count);
dcpn_status hdf5_integers(const struct hdf5_file *file, const char *path, int64_t **values, int64_t *count);
dcpn_status hdf5_texts(const struct hdf5_file *file, const char *path, struct hdf5_texts *texts);
void hdf5_texts_free(const struct hdf5_file *file, struct hdf5_texts *texts);

/* A data set of references to others, which is how MATLAB stores cells. */
struct hdf5_cells {
    const char *path;
    hobj_ref_t *references; /* to be freed */
    int64_t count;
};
int hdf5_is_cells(const struct hdf5_file *file, const char *path);
dcpn_status hdf5_cells(const struct hdf5_file *file, const char *path, struct hdf5_cells *cells);
/* The characters of the k-th, to be freed. */
dcpn_status hdf5_cell_units(const struct hdf5_file *file, const struct hdf5_cells *cells, int64_t k, uint16_t **units,
                            int64_t *count);

/* The lengths of the two dimensions of a data set of numbers. */
dcpn_status hdf5_shape(const struct hdf5_file *file, const char *path, int64_t shape[2]);
/* Some of its rows, one after the other. */
dcpn_status hdf5_rows(const struct hdf5_file *file, const char *path, int64_t first, int64_t count, int64_t columns,
                      double *values);

/* An attribute; 0: there is none like that. */
int hdf5_text_attribute(const struct hdf5_file *file, const char *path, const char *name, char *text, size_t size);
int hdf5_integer_attribute(const struct hdf5_file *file, const char *path, const char *name, int count,
                           int64_t *values);

#endif
