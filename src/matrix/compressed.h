/* SPDX-License-Identifier: BSD-3-Clause */
/* One orientation of a sparse matrix, rows or columns, and its transpose. */
#ifndef DCPN_SRC_COMPRESSED_H
#define DCPN_SRC_COMPRESSED_H

#include "base/threads.h"
#include "matrix/matrix.h"

enum {
    DCPN_SPARSE_PARALLEL_FROM = 1 << 18, /* entries below which threads cost more than they bring */
    DCPN_SPARSE_GROUP = 512, /* vectors that a thread takes at a time: some groups are a lot longer than others */
};

struct sparse_kernels;

/* One orientation. `vectors` are rows of a CSR array, columns of a CSC one; `length` is the other dimension. */
struct compressed {
    int64_t vectors, length;
    const int64_t *pointers;
    const void *indices, *values;
    dcpn_index_type index_type;
    dcpn_value_type value_type;
    const struct sparse_kernels *kernels;
    void *owned_pointers, *owned_indices, *owned_values; /* NULL: borrowed */
};

static inline size_t dcpn_compressed_index_size(const struct compressed *C)
{
    return C->index_type == DCPN_INT32 ? sizeof(int32_t) : sizeof(int64_t);
}

static inline size_t dcpn_compressed_value_size(const struct compressed *C)
{
    return C->value_type == DCPN_FLOAT64 ? sizeof(double) : sizeof(float);
}

static inline void dcpn_compressed_free(dcpn_context *context, struct compressed *C)
{
    dcpn_free(context, C->owned_pointers);
    dcpn_free(context, C->owned_indices);
    dcpn_free(context, C->owned_values);
}

/* out_k = V_k'c */
struct projection {
    const struct compressed *C;
    const double *c;
    double *out;
};

/* What depends on the types of values and indices. */
struct sparse_kernels {
    double (*dot)(const struct compressed *, int64_t k, const double *c);
    double (*curvature)(const struct compressed *, int64_t k, const double *w);
    void (*axpy)(const struct compressed *, int64_t k, double alpha, const double *w, double *u);
    void (*scatter)(const struct compressed *, int64_t k, double alpha, double *out);
    void (*gram)(const struct compressed *, const double *w, int64_t count, struct gram_space *, double *G);
    range_function *project_groups; /* user: a struct projection */
    int64_t (*vector)(const struct compressed *, int64_t k, int64_t *indices, double *values);
    const char *(*vector_defect)(const struct compressed *, int64_t k, int *ordered);
    int (*has_twins)(const struct compressed *, int64_t *last);
    int (*ascends)(const struct compressed *);
};

const struct sparse_kernels *dcpn_sparse_kernels(dcpn_value_type value_type, dcpn_index_type index_type);

/* The other orientation, with ascending indices, in memory of its own. T is to be freed also when it fails, and is all
 * 0 before. */
dcpn_status dcpn_transpose(dcpn_context *context, const struct compressed *C, struct compressed *T);
#endif
