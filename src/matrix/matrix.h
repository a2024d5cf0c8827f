/* SPDX-License-Identifier: BSD-3-Clause */
/* The matrix seam: A as the algorithms see it. Products give the same bits for any number of threads. */
#ifndef DCPN_SRC_MATRIX_H
#define DCPN_SRC_MATRIX_H

#include "base/context.h"
#include "dcpn/data.h"

/* Products return the number of entries of A they touched, which is what `passes` counts. */
struct matrix_ops {
    int64_t (*apply)(const dcpn_matrix *, const double *x, double *u);           /* u = A x */
    int64_t (*adjoint)(const dcpn_matrix *, const double *r, double *g);         /* g = A' r */
    double (*column_dot)(const dcpn_matrix *, int64_t j, const double *r);       /* a_j'r */
    double (*column_curvature)(const dcpn_matrix *, int64_t j, const double *w); /* sum_i w_i a_ij^2 */
    /* u += alpha w.a_j */
    void (*column_axpy)(const dcpn_matrix *, int64_t j, double alpha, const double *w, double *u);
    void (*column_add)(const dcpn_matrix *, int64_t j, double alpha, double *u); /* u += alpha a_j */
    int64_t (*column_entries)(const dcpn_matrix *, int64_t j);
    int64_t (*row)(const dcpn_matrix *, int64_t i, int64_t *columns, double *values); /* the non-zeros of row i */
    void (*free)(dcpn_matrix *);
};

struct dcpn_matrix {
    const struct matrix_ops *ops;
    dcpn_context *context;
    int64_t rows, columns;
    int64_t entries; /* stored */
};

/* [A 1]: an unpenalised constant as the last column. Borrows A; lives where the caller puts it. */
struct with_ones {
    dcpn_matrix base;
    const dcpn_matrix *inner;
};
void dcpn_matrix_with_ones(struct with_ones *view, const dcpn_matrix *inner);

/* The identity, for a smooth f that is not a loss of A x. */
void dcpn_matrix_identity(dcpn_matrix *identity, dcpn_context *context, int64_t size);

/* A_S: some columns of a matrix, in the order of `columns`, which may change between products. */
struct column_subset {
    dcpn_matrix base; /* its columns: how many there are */
    const dcpn_matrix *inner;
    const int64_t *columns;
};
void dcpn_matrix_subset(struct column_subset *view, const dcpn_matrix *inner, const int64_t *columns);

/* A matrix and the count of its entries touched by one solver. All products of a solver go through here. */
struct design {
    const dcpn_matrix *A;
    int64_t touched;
};

static inline void dcpn_design_apply(struct design *design, const double *x, double *u)
{
    design->touched += design->A->ops->apply(design->A, x, u);
}

static inline void dcpn_design_adjoint(struct design *design, const double *r, double *g)
{
    design->touched += design->A->ops->adjoint(design->A, r, g);
}

static inline double dcpn_design_column_dot(struct design *design, int64_t j, const double *r)
{
    design->touched += design->A->ops->column_entries(design->A, j);
    return design->A->ops->column_dot(design->A, j, r);
}

static inline double dcpn_design_column_curvature(struct design *design, int64_t j, const double *w)
{
    design->touched += design->A->ops->column_entries(design->A, j);
    return design->A->ops->column_curvature(design->A, j, w);
}

static inline void dcpn_design_column_axpy(struct design *design, int64_t j, double alpha, const double *w, double *u)
{
    design->touched += design->A->ops->column_entries(design->A, j);
    design->A->ops->column_axpy(design->A, j, alpha, w, u);
}

/* One pass = one A x and one A' r. */
static inline double dcpn_design_passes(const struct design *design)
{
    return design->A->entries ? (double)design->touched / (2.0 * (double)design->A->entries) : 0.0;
}

#endif
