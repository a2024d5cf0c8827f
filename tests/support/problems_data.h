/* SPDX-License-Identifier: BSD-3-Clause */
/* A problem of a test as plain arrays, its matrix in every storage the library has, and its solution by the library. */
#ifndef DCPN_TESTS_PROBLEMS_DATA_H
#define DCPN_TESTS_PROBLEMS_DATA_H

#include "dcpn/dcpn.h"

struct problems_data {
    int64_t rows, columns;
    double *A;                          /* row by row, without gaps */
    double *classes, *numbers, *positives; /* labels for classes, for numbers, for numbers above 0 */
    double *weights, *offset, *factors; /* always there; NULL in a problem that does not use them */
};

/* Values are standard normal, `density` of them not 0; labels follow a sparse linear model with noise, so that no two
 * classes are separable by accident. weights are 0.5 to 2, offsets small, factors 0, 0.5, 1 or 2. */
struct problems_data problems_data_new(int64_t rows, int64_t columns, double density, uint64_t seed);
/* The same arrays in memory of their own. */
struct problems_data problems_data_copy(const struct problems_data *data);
/* Frees and forgets weights, offset and factors. */
void problems_data_plain(struct problems_data *data);
void problems_data_free(struct problems_data *data);
const double *problems_labels(const struct problems_data *data, const char *loss);

enum problems_storage {
    PROBLEMS_COLUMN_MAJOR,
    PROBLEMS_ROW_MAJOR,
    PROBLEMS_ROW_MAJOR_FLOAT32,
    PROBLEMS_CSR,
    PROBLEMS_CSC,
    PROBLEMS_CSR_INT64,
    PROBLEMS_CSC_FLOAT32,
    PROBLEMS_STORAGE_COUNT
};
dcpn_matrix *problems_matrix(dcpn_context *context, const struct problems_data *data, enum problems_storage storage);

struct problems_fit {
    dcpn_status status;
    dcpn_result result;
    double *x; /* one per column; NULL if the status is not DCPN_OK */
    double intercept;
    int64_t columns;
};

/* start: one coefficient per column, or NULL for 0. */
struct problems_fit problems_solve(dcpn_context *context, const struct problems_data *data,
                                   enum problems_storage storage, const dcpn_settings *settings, const double *start);
void problems_fit_free(struct problems_fit *fit);

/* Default settings with the parts named; NULL leaves the default. */
dcpn_settings problems_settings(const char *loss, const char *penalty, const char *metric, const char *subsolver);

void *problems_memory(int64_t count, size_t size); /* cleared; never NULL */

#endif
