/* SPDX-License-Identifier: BSD-3-Clause */
/* [A; b']: A with one more row, which is kept apart and not counted among the entries. */
#include "base/vector.h"
#include "matrix/matrix.h"

static const struct with_row *view_of(const dcpn_matrix *matrix)
{
    return (const struct with_row *)matrix;
}

static const dcpn_matrix *inner_of(const dcpn_matrix *matrix)
{
    return view_of(matrix)->inner;
}

static int64_t apply(const dcpn_matrix *matrix, const double *x, double *u)
{
    const dcpn_matrix *inner = inner_of(matrix);
    u[inner->rows] = dcpn_dot(matrix->columns, view_of(matrix)->row, x);
    return inner->ops->apply(inner, x, u);
}

static int64_t adjoint(const dcpn_matrix *matrix, const double *r, double *g)
{
    const dcpn_matrix *inner = inner_of(matrix);
    int64_t touched = inner->ops->adjoint(inner, r, g);
    dcpn_axpy(matrix->columns, r[inner->rows], view_of(matrix)->row, g);
    return touched;
}

static double column_dot(const dcpn_matrix *matrix, int64_t j, const double *r)
{
    const dcpn_matrix *inner = inner_of(matrix);
    return inner->ops->column_dot(inner, j, r) + view_of(matrix)->row[j] * r[inner->rows];
}

static void column_dots(const dcpn_matrix *matrix, const int64_t *columns, int64_t count, const double *r, double *g)
{
    const dcpn_matrix *inner = inner_of(matrix);
    dcpn_matrix_column_dots(inner, columns, count, r, g);
    for (int64_t k = 0; k < count; k++) g[k] += r[inner->rows] * view_of(matrix)->row[columns[k]];
}

static double column_curvature(const dcpn_matrix *matrix, int64_t j, const double *w)
{
    const dcpn_matrix *inner = inner_of(matrix);
    double last = view_of(matrix)->row[j];
    return inner->ops->column_curvature(inner, j, w) + w[inner->rows] * last * last;
}

static void column_axpy(const dcpn_matrix *matrix, int64_t j, double alpha, const double *w, double *u)
{
    const dcpn_matrix *inner = inner_of(matrix);
    inner->ops->column_axpy(inner, j, alpha, w, u);
    u[inner->rows] += alpha * w[inner->rows] * view_of(matrix)->row[j];
}

static void column_add(const dcpn_matrix *matrix, int64_t j, double alpha, double *u)
{
    const dcpn_matrix *inner = inner_of(matrix);
    inner->ops->column_add(inner, j, alpha, u);
    u[inner->rows] += alpha * view_of(matrix)->row[j];
}

static int64_t column_entries(const dcpn_matrix *matrix, int64_t j)
{
    return inner_of(matrix)->ops->column_entries(inner_of(matrix), j);
}

static int64_t column(const dcpn_matrix *matrix, int64_t j, int64_t *rows, double *values)
{
    const dcpn_matrix *inner = inner_of(matrix);
    int64_t count = inner->ops->column(inner, j, rows, values);
    rows[count] = inner->rows;
    values[count] = view_of(matrix)->row[j];
    return count + 1;
}

static int64_t gram(const dcpn_matrix *matrix, const double *w, const int64_t *U, int64_t count,
                    struct gram_space *space, double *G)
{
    const dcpn_matrix *inner = inner_of(matrix);
    const double *row = view_of(matrix)->row;
    int64_t touched = inner->ops->gram(inner, w, U, count, space, G);
    for (int64_t a = 0; a < count; a++)
        for (int64_t b = 0; b < count; b++) G[a * count + b] += w[inner->rows] * row[U[a]] * row[U[b]];
    return touched;
}

static double gram_work(const dcpn_matrix *matrix, double in_use, int64_t count)
{
    return inner_of(matrix)->ops->gram_work(inner_of(matrix), in_use, count);
}

static int64_t gram_numbers(const dcpn_matrix *matrix)
{
    return inner_of(matrix)->ops->gram_numbers(inner_of(matrix));
}

static const struct matrix_ops with_row_ops = {
    .apply = apply,
    .adjoint = adjoint,
    .column_dot = column_dot,
    .column_dots = column_dots,
    .column_curvature = column_curvature,
    .column_axpy = column_axpy,
    .column_add = column_add,
    .column_entries = column_entries,
    .column = column,
    .gram = gram,
    .gram_work = gram_work,
    .gram_numbers = gram_numbers,
};

void dcpn_matrix_with_row(struct with_row *view, const dcpn_matrix *inner, const double *row)
{
    view->base = *inner;
    view->base.ops = &with_row_ops;
    view->base.rows = inner->rows + 1;
    view->inner = inner;
    view->row = row;
}
