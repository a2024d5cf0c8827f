/* SPDX-License-Identifier: BSD-3-Clause */
/* I_K (x) A, or [I_K (x) A, I_K (x) 1]: a matrix for K scores a row, as a view.
 *
 * Score k of row i is entry k n + i of u, coefficient j of class k is x[k d + j], and the constant of class k, if there
 * is one, x[K d + k]. So a product with the whole is K products with A, and a column of it is a column of A, on the
 * part of the rows that belongs to its class. */
#include "matrix/matrix.h"

static const struct replicated *replicated_of(const dcpn_matrix *matrix)
{
    return (const struct replicated *)matrix;
}

/* A column is one of A, or its constant, in the scores of a class. */
static inline struct column_of_score place_of(const dcpn_matrix *matrix, int64_t j)
{
    const struct replicated *view = replicated_of(matrix);
    int64_t d = view->inner->columns, n = view->inner->rows, constant = j - view->count * d;
    if (constant >= 0) return (struct column_of_score){&view->ones.base, d, constant * n};
    return (struct column_of_score){view->inner, j % d, j / d * n};
}

static int64_t apply(const dcpn_matrix *matrix, const double *x, double *u)
{
    const struct replicated *view = replicated_of(matrix);
    const dcpn_matrix *A = view->inner;
    int64_t touched = 0;
    for (int64_t k = 0; k < view->count; k++) {
        double *u_k = u + k * A->rows;
        touched += A->ops->apply(A, x + k * A->columns, u_k);
        if (!view->has_ones) continue;
        double constant = x[view->count * A->columns + k];
        for (int64_t i = 0; i < A->rows; i++) u_k[i] += constant;
    }
    return touched;
}

static int64_t adjoint(const dcpn_matrix *matrix, const double *r, double *g)
{
    const struct replicated *view = replicated_of(matrix);
    const dcpn_matrix *A = view->inner, *ones = &view->ones.base;
    int64_t touched = 0;
    for (int64_t k = 0; k < view->count; k++) {
        touched += A->ops->adjoint(A, r + k * A->rows, g + k * A->columns);
        if (view->has_ones) g[view->count * A->columns + k] = ones->ops->column_dot(ones, A->columns, r + k * A->rows);
    }
    return touched;
}

static int64_t curvatures(const dcpn_matrix *matrix, const double *w, double *out)
{
    const struct replicated *view = replicated_of(matrix);
    const dcpn_matrix *A = view->inner, *ones = &view->ones.base;
    struct design design = {.A = A};
    for (int64_t k = 0; k < view->count; k++) {
        const double *w_k = w + k * A->rows;
        dcpn_design_curvatures(&design, w_k, out + k * A->columns);
        if (view->has_ones) out[view->count * A->columns + k] = ones->ops->column_curvature(ones, A->columns, w_k);
    }
    return design.touched;
}

static double column_dot(const dcpn_matrix *matrix, int64_t j, const double *r)
{
    struct column_of_score at = place_of(matrix, j);
    return at.A->ops->column_dot(at.A, at.column, r + at.rows_before);
}

/* With the bits of `adjoint`, which A may have from several columns at a time alone. */
static void column_dots(const dcpn_matrix *matrix, const int64_t *columns, int64_t count, const double *r, double *g)
{
    enum { AT_A_TIME = 16 };
    int64_t some[AT_A_TIME];
    for (int64_t first = 0, next; first < count; first = next) {
        struct column_of_score at = place_of(matrix, columns[first]);
        for (next = first; next < count && next - first < AT_A_TIME; next++) {
            struct column_of_score other = place_of(matrix, columns[next]);
            if (other.rows_before != at.rows_before || other.A != at.A) break;
            some[next - first] = other.column;
        }
        dcpn_matrix_column_dots(at.A, some, next - first, r + at.rows_before, g + first);
    }
}

static void column_soon(const dcpn_matrix *matrix, int64_t j)
{
    struct column_of_score at = place_of(matrix, j);
    if (at.A->ops->column_soon) at.A->ops->column_soon(at.A, at.column);
}

static double column_curvature(const dcpn_matrix *matrix, int64_t j, const double *w)
{
    struct column_of_score at = place_of(matrix, j);
    return at.A->ops->column_curvature(at.A, at.column, w + at.rows_before);
}

static void column_axpy(const dcpn_matrix *matrix, int64_t j, double alpha, const double *w, double *u)
{
    struct column_of_score at = place_of(matrix, j);
    at.A->ops->column_axpy(at.A, at.column, alpha, w + at.rows_before, u + at.rows_before);
}

static void column_add(const dcpn_matrix *matrix, int64_t j, double alpha, double *u)
{
    struct column_of_score at = place_of(matrix, j);
    at.A->ops->column_add(at.A, at.column, alpha, u + at.rows_before);
}

static int64_t column_entries(const dcpn_matrix *matrix, int64_t j)
{
    struct column_of_score at = place_of(matrix, j);
    return at.A->ops->column_entries(at.A, at.column);
}

static int64_t column(const dcpn_matrix *matrix, int64_t j, int64_t *rows, double *values)
{
    struct column_of_score at = place_of(matrix, j);
    int64_t entries = at.A->ops->column(at.A, at.column, rows, values);
    for (int64_t e = 0; e < entries; e++) rows[e] += at.rows_before;
    return entries;
}

static const struct matrix_ops replicated_ops = {
    .apply = apply,
    .adjoint = adjoint,
    .column_dot = column_dot,
    .column_dots = column_dots,
    .column_soon = column_soon,
    .column_curvature = column_curvature,
    .curvatures = curvatures,
    .column_axpy = column_axpy,
    .column_add = column_add,
    .column_entries = column_entries,
    .column = column,
};

struct column_of_score dcpn_matrix_column_of_score(const dcpn_matrix *matrix, int64_t j)
{
    const dcpn_matrix *behind = dcpn_matrix_behind(matrix);
    if (behind->ops != &replicated_ops) return (struct column_of_score){NULL, j, 0};
    return place_of(behind, behind == matrix ? j : ((const struct column_subset *)matrix)->columns[j]);
}

void dcpn_matrix_replicate(struct replicated *view, const dcpn_matrix *inner, int64_t count, int has_ones)
{
    view->base = *inner;
    view->base.ops = &replicated_ops;
    view->base.rows = count * inner->rows;
    view->base.columns = count * (inner->columns + (has_ones ? 1 : 0));
    view->base.entries = count * inner->entries;
    view->inner = inner;
    view->count = count;
    view->has_ones = has_ones;
    dcpn_matrix_with_ones(&view->ones, inner);
}
