/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns that vary, dense, with mean 0 and mean square 1. */
#ifndef DCPN_SRC_INFERENCE_COLUMNS_H
#define DCPN_SRC_INFERENCE_COLUMNS_H

#include "matrix/matrix.h"

struct standard_columns {
    dcpn_context *context;
    int64_t rows, given;      /* those beyond the given ones are 0 */
    int64_t count, *feature;  /* those that vary, and which features they are, ascending */
    double *values;           /* column by column */
    double *mean, *deviation; /* of the features, as they were */
};

/* Takes the columns of X, with `extra` rows of zeros below. */
dcpn_status dcpn_standard_columns_new(dcpn_context *context, const dcpn_matrix *X, int64_t extra,
                                      struct standard_columns *columns);
void dcpn_standard_columns_free(struct standard_columns *columns);

static inline double *dcpn_standard_column(const struct standard_columns *columns, int64_t j)
{
    return columns->values + j * columns->rows;
}

#endif
