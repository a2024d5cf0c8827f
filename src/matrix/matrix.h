/* SPDX-License-Identifier: BSD-3-Clause */
/* The matrix seam: A as the algorithms see it. Products give the same bits for any number of threads. */
#ifndef DCPN_SRC_MATRIX_H
#define DCPN_SRC_MATRIX_H

#include "base/arena.h"
#include "dcpn/data.h"

/* What a Gram matrix of up to `most` columns needs while it is made. */
enum { DCPN_GRAM_TILE = 128, DCPN_GRAM_PANEL = 16 }; /* rows of a tile; columns of a panel of it */
struct gram_space {
    int64_t *number;         /* of a column in U, from 1; 0: not in U. All 0 between two uses */
    int64_t *place, *mapped; /* most */
    int64_t *distinct;       /* likewise: of a column that is there several times, its place among the distinct ones */
    double *tile;            /* 2 dcpn_gram_tile_numbers(most) */
    double *block;           /* of a matrix that is summed over ranks: most x most for some of its rows */
};

/* What is done with some rows between the two products of a sweep: r, on the rows begin .. end, from A x, which may be
 * changed there. The rows are done in any order, from several threads. */
struct row_work {
    void (*rows)(const void *user, int64_t begin, int64_t end, double *Ax, double *r);
    const void *user;
};

/* What is done with some columns while they are in a cache, once each, from several threads. */
struct column_work {
    void (*columns)(void *user, int64_t first, int64_t count);
    void *user;
};

/* A x, r from it, and g = A'r, with the same bits as by the two products, but A is read once. */
struct matrix_sweep {
    /* `numbers` is space for as many as `numbers` says. NULL: A is not kept in a way that allows it. */
    int64_t (*run)(const dcpn_matrix *, const double *x, const struct row_work *, double *Ax, double *r, double *g,
                   double *numbers);
    int (*pays)(const dcpn_matrix *, const double *x);
    int64_t (*numbers)(const dcpn_matrix *);
};

/* Products return the number of entries of A they touched, which is what `passes` counts. */
struct matrix_ops {
    int64_t (*apply)(const dcpn_matrix *, const double *x, double *u);   /* u = A x */
    int64_t (*adjoint)(const dcpn_matrix *, const double *r, double *g); /* g = A' r */
    struct matrix_sweep sweep;
    double (*column_dot)(const dcpn_matrix *, int64_t j, const double *r); /* a_j'r */
    /* The elements of A'r for some columns, with the same bits as `adjoint` has them. NULL: column_dot has these
     * bits. */
    void (*column_dots)(const dcpn_matrix *, const int64_t *columns, int64_t count, const double *r, double *g);
    void (*column_soon)(const dcpn_matrix *, int64_t j); /* a_j is about to be read: a hint; NULL: it would not help */
    double (*column_curvature)(const dcpn_matrix *, int64_t j, const double *w); /* sum_i w_i a_ij^2 */
    /* of some columns, and of all; NULL: one by one */
    void (*column_curvatures)(const dcpn_matrix *, const int64_t *columns, int64_t count, const double *w, double *out);
    int64_t (*curvatures)(const dcpn_matrix *, const double *w, double *out);
    /* Both A'r and those, from one reading of A, and what else is to be done with its columns, NULL: nothing. NULL: it
     * would be two readings. */
    int64_t (*adjoint_and_curvatures)(const dcpn_matrix *, const double *r, const double *w,
                                      const struct column_work *also, double *g, double *out);
    /* u += alpha w.a_j */
    void (*column_axpy)(const dcpn_matrix *, int64_t j, double alpha, const double *w, double *u);
    void (*column_add)(const dcpn_matrix *, int64_t j, double alpha, double *u); /* u += alpha a_j */
    int64_t (*column_entries)(const dcpn_matrix *, int64_t j);
    int64_t (*row)(const dcpn_matrix *, int64_t i, int64_t *columns, double *values); /* the non-zeros of row i */
    int64_t (*column)(const dcpn_matrix *, int64_t j, int64_t *rows, double *values); /* the entries of column j */
    /* G = A_U'diag(w)A_U, count x count, for the columns U, ascending. NULL: the metric hessian goes without. */
    int64_t (*gram)(const dcpn_matrix *, const double *w, const int64_t *U, int64_t count, struct gram_space *,
                    double *G);
    /* in entries touched, about, if U has in_use entries */
    double (*gram_work)(const dcpn_matrix *, double in_use, int64_t count);
    int64_t (*gram_numbers)(const dcpn_matrix *); /* how many columns gram_space has to number */
    int by_ranks; /* products that sum over rows are messages: columns are asked for together, on one thread */
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

/* A for `count` scores a row, and with has_ones a constant for each: entry k rows + i is score k of row i; coefficient
 * j of score k is k columns + j, and its constant count columns + k. Borrows A. */
struct replicated {
    dcpn_matrix base;
    const dcpn_matrix *inner;
    int64_t count;
    int has_ones;
    struct with_ones ones; /* one copy of it, with its constant */
};
void dcpn_matrix_replicate(struct replicated *view, const dcpn_matrix *inner, int64_t count, int has_ones);
/* What column j of such a matrix, or of some columns of one, is: a column of A (with the constant behind), on the rows
 * of a score. A is NULL if it is another kind of matrix. */
struct column_of_score {
    const dcpn_matrix *A;
    int64_t column, rows_before;
};
struct column_of_score dcpn_matrix_column_of_score(const dcpn_matrix *matrix, int64_t j);

/* A for two boundaries a row, 2 n in `at`, and for the gaps between `count` boundaries. Borrows A and `at`. */
struct with_boundaries {
    dcpn_matrix base;
    const dcpn_matrix *inner;
    const int64_t *at;
    int64_t count;
};
void dcpn_matrix_with_boundaries(struct with_boundaries *view, const dcpn_matrix *inner, const int64_t *at,
                                 int64_t count);

/* [A; b']: one more row. Borrows A and the row, which has an entry per column. */
struct with_row {
    dcpn_matrix base;
    const dcpn_matrix *inner;
    const double *row;
};
void dcpn_matrix_with_row(struct with_row *view, const dcpn_matrix *inner, const double *row);

/* The identity, for a smooth f that is not a loss of A x. */
void dcpn_matrix_identity(dcpn_matrix *identity, dcpn_context *context, int64_t size);

/* A_S: some columns of a matrix, in the order of `columns`, which may change between products. */
struct column_subset {
    dcpn_matrix base; /* its columns: how many there are */
    const dcpn_matrix *inner;
    const int64_t *columns;
};
void dcpn_matrix_subset(struct column_subset *view, const dcpn_matrix *inner, const int64_t *columns);
/* What a choice of columns is of; any other matrix itself. */
const dcpn_matrix *dcpn_matrix_behind(const dcpn_matrix *matrix);
/* All of these columns, ascending, some of them several times. */
void dcpn_matrix_repeat(struct column_subset *view, const dcpn_matrix *inner, const int64_t *columns, int64_t count);

/* column_dots, whether A has it or not. */
static inline void dcpn_matrix_column_dots(const dcpn_matrix *A, const int64_t *columns, int64_t count, const double *r,
                                           double *g)
{
    if (A->ops->column_dots)
        A->ops->column_dots(A, columns, count, r, g);
    else
        for (int64_t k = 0; k < count; k++) g[k] = A->ops->column_dot(A, columns[k], r);
}

/* The most columns for which a Gram matrix is made. Of more than there are rows it is singular: twice as many, and no
 * memory for more. */
static inline int64_t dcpn_gram_most(int64_t rows, int64_t columns)
{
    int64_t several = 2 * rows > 256 ? 2 * rows : 256, most = several < 2560 ? several : 2560;
    return columns < most ? columns : most;
}
/* A tile is kept in panels of columns, and a panel by rows: what is multiplied lies side by side. */
static inline int64_t dcpn_gram_tile_numbers(int64_t count)
{
    return (count + DCPN_GRAM_PANEL - 1) / DCPN_GRAM_PANEL * DCPN_GRAM_PANEL * DCPN_GRAM_TILE;
}
void dcpn_gram_layout(const dcpn_matrix *matrix, int64_t most, struct gram_space *space, struct arena *arena);
/* G += P'Q for tiles P and Q of up to DCPN_GRAM_TILE rows of `count` numbers, the lower triangle; and the upper from
 * it. */
void dcpn_gram_add_tile(dcpn_context *context, int64_t rows, int64_t count, const double *P, const double *Q,
                        double *G);
void dcpn_gram_mirror(int64_t count, double *G);

/* A matrix and the count of its entries touched by one solver. All products of a solver go through here. */
struct design {
    const dcpn_matrix *A;
    int64_t touched;
    int64_t beside;  /* touched + beside is the work: it does not depend on what earlier descents have left behind */
    double *numbers; /* for sweeps: dcpn_design_numbers of them */
};

static inline int64_t dcpn_design_numbers(const struct design *design)
{
    return design->A->ops->sweep.run ? design->A->ops->sweep.numbers(design->A) : 0;
}

static inline int dcpn_design_sweep_pays(const struct design *design, const double *x)
{
    return design->A->ops->sweep.run && design->A->ops->sweep.pays(design->A, x);
}

/* Touches every entry for both products, and reads it once. */
static inline void dcpn_design_sweep(struct design *design, const double *x, const struct row_work *work, double *Ax,
                                     double *r, double *g)
{
    design->touched += design->A->ops->sweep.run(design->A, x, work, Ax, r, g, design->numbers);
}

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

/* A hint: column j is about to be read. */
static inline void dcpn_design_column_soon(const struct design *design, int64_t j)
{
    if (design->A->ops->column_soon) design->A->ops->column_soon(design->A, j);
}

static inline double dcpn_design_column_curvature(struct design *design, int64_t j, const double *w)
{
    design->touched += design->A->ops->column_entries(design->A, j);
    return design->A->ops->column_curvature(design->A, j, w);
}

/* out_k = sum_i w_i a_ij^2 for the columns j in the list */
static inline void dcpn_design_column_curvatures(struct design *design, const int64_t *columns, int64_t count,
                                                 const double *w, double *out)
{
    const dcpn_matrix *A = design->A;
    if (A->ops->column_curvatures) A->ops->column_curvatures(A, columns, count, w, out);
    for (int64_t k = 0; k < count; k++) {
        design->touched += A->ops->column_entries(A, columns[k]);
        if (!A->ops->column_curvatures) out[k] = A->ops->column_curvature(A, columns[k], w);
    }
}

/* out_j = sum_i w_i a_ij^2 for all columns */
static inline void dcpn_design_curvatures(struct design *design, const double *w, double *out)
{
    const dcpn_matrix *A = design->A;
    if (A->ops->curvatures)
        design->touched += A->ops->curvatures(A, w, out);
    else
        for (int64_t j = 0; j < A->columns; j++) out[j] = dcpn_design_column_curvature(design, j, w);
}

static inline void dcpn_design_column_axpy(struct design *design, int64_t j, double alpha, const double *w, double *u)
{
    design->touched += design->A->ops->column_entries(design->A, j);
    design->A->ops->column_axpy(design->A, j, alpha, w, u);
}

static inline void dcpn_design_column_add(struct design *design, int64_t j, double alpha, double *u)
{
    design->touched += design->A->ops->column_entries(design->A, j);
    design->A->ops->column_add(design->A, j, alpha, u);
}

/* One pass = one A x and one A' r. */
static inline double dcpn_design_passes(const struct design *design)
{
    return design->A->entries ? (double)design->touched / (2.0 * (double)design->A->entries) : 0.0;
}

#endif
