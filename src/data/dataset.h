/* SPDX-License-Identifier: BSD-3-Clause */
/* Data sets under construction, for the readers. */
#ifndef DCPN_SRC_DATASET_H
#define DCPN_SRC_DATASET_H

#include <math.h>

#include "data/content.h"
#include "dcpn/data.h"

/* A data set of that shape, still without a matrix and without labels; found: the features of the file itself. */
dcpn_status dcpn_dataset_new(dcpn_context *context, int64_t rows, int64_t found, int64_t features,
                             const dcpn_read_options *options, dcpn_dataset **dataset);
/* Passes the status on; if it is a failure the data set is freed, and *dataset NULL. */
dcpn_status dcpn_dataset_finish(dcpn_status status, dcpn_dataset **dataset);

/* The number of columns, where the file says it has `found`. More than options->features are refused, and fewer too if
 * the matrix is dense; columns that a sparse matrix lacks are empty. */
dcpn_status dcpn_settle_features(const struct content *content, const dcpn_read_options *options, int64_t found,
                                 int is_dense, int64_t *features);

/* The number of rows or columns that a file of so many bytes is believed to have where it need not have a byte for
 * each. */
int64_t dcpn_believed_size(const struct content *content);
/* A number of rows or columns that takes memory although no byte of the file need stand for it: believed up to some
 * 16 million, beyond that in proportion to the file. advice: what would have it believed. */
dcpn_status dcpn_believe_size(const struct content *content, int64_t size, const char *what, const char *advice);

/* A dense problem that is to be generated. */
struct generated_sizes {
    const char *what; /* begins a refusal */
    int64_t rows, test_rows, features;
    int has_test; /* there is a place for the test rows */
};
/* Refuses sizes that make no problem, or one that no memory could hold. */
dcpn_status dcpn_check_generated(dcpn_context *context, const struct generated_sizes *sizes);

/* Fails with DCPN_USAGE unless it is a type of values. */
dcpn_status dcpn_check_value_type(dcpn_context *context, dcpn_value_type type);

static inline size_t dcpn_value_size(dcpn_value_type type)
{
    return type == DCPN_FLOAT64 ? sizeof(double) : sizeof(float);
}

/* Fails with DCPN_USAGE unless the members of a data set, which a caller may have made, belong to one another. */
dcpn_status dcpn_dataset_check(const dcpn_dataset *dataset);

/* Stores a value. Returns 0 if it is not finite, or not as a float32. -0 is stored as 0, because 0 is added. */
static inline int dcpn_store_value(void *values, dcpn_value_type type, int64_t k, double value)
{
    if (type == DCPN_FLOAT64) {
        ((double *)values)[k] = value + 0.0;
        return isfinite(value);
    }
    ((float *)values)[k] = (float)value + 0.0f;
    return isfinite((float)value);
}

/* Refuses a value that dcpn_store_value could not store, with its row and column, which count from 0. */
dcpn_status dcpn_refuse_value(const struct content *content, int64_t row, int64_t column, double value);

#endif
