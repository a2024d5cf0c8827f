/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries of a sparse matrix as (row, column, value), in any order, on their way to compressed rows. */
#ifndef DCPN_SRC_TRIPLETS_H
#define DCPN_SRC_TRIPLETS_H

#include "base/context.h"
#include "dcpn/data.h"

struct triplets {
    int32_t *rows, *columns; /* from 0; who fills them has checked them */
    void *values;
    dcpn_value_type value_type;
    int64_t count;
};

dcpn_status dcpn_triplets_allocate(dcpn_context *context, int64_t capacity, dcpn_value_type type,
                                   struct triplets *triplets);
void dcpn_triplets_free(dcpn_context *context, struct triplets *triplets);

/* Makes the matrix, without the zeros. If two triplets have the same place and `added` is given, they are added up and
 * it counts them; if it is not given, there is no matrix, the status is DCPN_OK and *duplicate the number of a second
 * one. */
dcpn_status dcpn_triplets_matrix(dcpn_context *context, const struct triplets *triplets, int64_t rows, int64_t columns,
                                 dcpn_storage storage, int64_t *added, int64_t *duplicate, dcpn_matrix **matrix);

#endif
