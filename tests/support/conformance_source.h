/* SPDX-License-Identifier: BSD-3-Clause */
/* The same numbers in every form that a matrix may be made from, for the tests of matrices. */
#ifndef DCPN_TESTS_CONFORMANCE_SOURCE_H
#define DCPN_TESTS_CONFORMANCE_SOURCE_H

#include "dcpn/dcpn.h"

enum { GAP = 3 };

/* The same numbers in every form that a matrix may be made from. */
struct source {
    int64_t rows, columns, entries;
    double *A;                  /* row by row */
    double *by_row, *by_column; /* dense, each vector followed by GAP numbers that are not finite */
    float *by_row32, *by_column32;
    int64_t *row_pointers, *column_pointers;
    int64_t *row_indices64, *column_indices64;
    int32_t *row_indices32, *column_indices32;
    double *row_values, *column_values;
    float *row_values32, *column_values32;
};

/* Values that a float holds exactly. One row and one column are empty, if there is room for that. */
void make_source(struct source *source, int64_t rows, int64_t columns, uint64_t seed);
/* Again, after A was changed. */
void fill_dense_forms(struct source *source);
void free_source(struct source *source);

/* A way to make a matrix: dense or sparse, by rows or by columns, types, borrowed or copied. */
struct form {
    int sparse, by_row, single, wide_index, borrow;
    char name[96];
};
enum { FORMS = 24 };

struct form form_at(int i);
dcpn_status make_matrix(dcpn_context *context, const struct source *source, const struct form *form,
                        dcpn_matrix **matrix);

void *space(int64_t count, size_t size); /* cleared; never NULL */

#endif
