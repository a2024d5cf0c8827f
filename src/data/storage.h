/* SPDX-License-Identifier: BSD-3-Clause */
/* How the matrix of a data set is kept: sparse, by rows and by columns, or dense, by columns. */
#ifndef DCPN_SRC_STORAGE_H
#define DCPN_SRC_STORAGE_H

#include "matrix/sparse.h"

/* Is a matrix with so many entries kept dense? It is if at least half of them are there: dense storage then takes two
 * thirds of the memory, and fits take as long. */
static inline int dcpn_is_dense(dcpn_storage storage, int64_t rows, int64_t columns, int64_t entries)
{
    if (storage != DCPN_STORAGE_AUTO) return storage == DCPN_STORAGE_DENSE;
    return (double)entries >= 0.5 * (double)rows * (double)columns;
}

/* A matrix of compressed rows whose entries are in range and distinct, stored as `storage` says. Takes the arrays over,
 * also when it fails. */
dcpn_status dcpn_store_rows(dcpn_context *context, struct compressed_owned *arrays, dcpn_storage storage,
                            dcpn_matrix **matrix);
/* Stores the entries of a matrix as `storage` says. *stored is a new matrix, or NULL if the given one is stored so
 * already. */
dcpn_status dcpn_store_otherwise(const dcpn_matrix *matrix, dcpn_value_type type, dcpn_storage storage,
                                 dcpn_matrix **stored);
/* Removes the entries that are 0, which arrays of a caller may have. *cleaned is a new matrix, or NULL if there are
 * none. */
dcpn_status dcpn_store_cleaned(const dcpn_matrix *matrix, dcpn_value_type type, dcpn_matrix **cleaned);

#endif
