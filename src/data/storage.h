/* SPDX-License-Identifier: BSD-3-Clause */
/* How the matrix of a data set is kept: sparse, by rows and by columns, or dense, by columns. */
#ifndef DCPN_SRC_STORAGE_H
#define DCPN_SRC_STORAGE_H

#include "matrix/sparse.h"

/* From half of the entries on, dense: it takes two thirds of the memory then, and fits take as long. */
static inline int dcpn_is_dense(dcpn_storage storage, int64_t rows, int64_t columns, int64_t entries)
{
    if (storage != DCPN_STORAGE_AUTO) return storage == DCPN_STORAGE_DENSE;
    return (double)entries >= 0.5 * (double)rows * (double)columns;
}

/* A matrix of compressed rows whose entries are in range and distinct, stored as `storage` says. Takes the arrays over,
 * also when it fails. */
dcpn_status dcpn_store_rows(dcpn_context *context, struct compressed_owned *arrays, dcpn_storage storage,
                            dcpn_matrix **matrix);
/* The same entries stored as `storage` says, for a matrix that is not: *stored is then a new one. NULL: it is so. */
dcpn_status dcpn_store_otherwise(const dcpn_matrix *matrix, dcpn_value_type type, dcpn_storage storage,
                                 dcpn_matrix **stored);
/* The same without the entries that are 0, if the arrays that a caller gave have some: *cleaned is then a new matrix.
 * NULL: there are none. */
dcpn_status dcpn_store_cleaned(const dcpn_matrix *matrix, dcpn_value_type type, dcpn_matrix **cleaned);

#endif
