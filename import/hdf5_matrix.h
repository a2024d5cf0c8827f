/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices in HDF5 files: an array, or compressed rows or columns in three arrays. */
#ifndef DCPN_IMPORT_HDF5_MATRIX_H
#define DCPN_IMPORT_HDF5_MATRIX_H

#include "dcpn/data.h"
#include "hdf5_file.h"

/* Rows and columns that a matrix may have, and that the file is believed to have. */
dcpn_status hdf5_check_shape(const struct hdf5_file *file, const char *path, const int64_t shape[2]);

/* is_transposed: the array has a row for each column of the matrix, as MATLAB writes it. */
dcpn_status hdf5_dense_matrix(const struct hdf5_file *file, const char *path, int is_transposed, const int64_t shape[2],
                              dcpn_value_type type, dcpn_matrix **matrix);

/* The names of the arrays in the group; without one of entries and one of indices the matrix is 0. */
struct hdf5_sparse {
    const char *entries, *indices, *pointers;
    int by_columns;
};
dcpn_status hdf5_sparse_matrix(const struct hdf5_file *file, const char *group, const struct hdf5_sparse *names,
                               const int64_t shape[2], dcpn_value_type type, dcpn_matrix **matrix);

#endif
