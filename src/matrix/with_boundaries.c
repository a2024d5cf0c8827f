/* SPDX-License-Identifier: BSD-3-Clause */
/* [A B; A C; 0 D]: A for two boundaries a row, with a column for each boundary, and for the gaps between them.
 *
 * Entry i of u is a_i'x + b_k, k = at[i], entry n + i the same with k = at[n + i], and entry 2 n + g is the gap
 * b_g - b_{g+1}. So a column of A is there twice; a product with A itself is made once where nothing depends on the
 * place. With one boundary its column is 1 in all rows. */
#include "base/vector.h"
#include "matrix/matrix.h"

enum { AT_A_TIME = 16 };

static const struct with_boundaries *view_of(const dcpn_matrix *matrix)
{
    return (const struct with_boundaries *)matrix;
}

static const dcpn_matrix *inner_of(const dcpn_matrix *matrix)
{
    return view_of(matrix)->inner;
}

/* The boundary of a column; below 0: it is one of A. */
static int64_t boundary_of(const dcpn_matrix *matrix, int64_t j)
{
    return j - inner_of(matrix)->columns;
}

static int64_t apply(const dcpn_matrix *matrix, const double *x, double *u)
{
    const struct with_boundaries *view = view_of(matrix);
    int64_t n = view->inner->rows;
    const double *b = x + view->inner->columns;
    int64_t touched = view->inner->ops->apply(view->inner, x, u);
    dcpn_copy(n, u, u + n);
    for (int64_t i = 0; i < 2 * n; i++) u[i] += b[view->at[i]];
    for (int64_t g = 0; g + 1 < view->count; g++) u[2 * n + g] = b[g] - b[g + 1];
    return touched;
}

/* The sum of r over the rows at a boundary and over the gaps beside it, that before it with a sign. */
static double sum_at(const struct with_boundaries *view, int64_t k, const double *r, double sign)
{
    int64_t n = view->inner->rows;
    double sum = 0.0;
    for (int64_t i = 0; i < 2 * n; i++) sum += view->at[i] == k ? r[i] : 0.0;
    if (k + 1 < view->count) sum += r[2 * n + k];
    if (k > 0) sum += sign * r[2 * n + k - 1];
    return sum;
}

static void column_dots(const dcpn_matrix *matrix, const int64_t *columns, int64_t count, const double *r, double *g)
{
    const dcpn_matrix *A = inner_of(matrix);
    double second[AT_A_TIME];
    for (int64_t first = 0, next; first < count; first = next) {
        int is_boundary = boundary_of(matrix, columns[first]) >= 0;
        for (next = first; next < count && next - first < AT_A_TIME; next++)
            if ((boundary_of(matrix, columns[next]) >= 0) != is_boundary) break;
        if (is_boundary) {
            next = first + 1;
            g[first] = sum_at(view_of(matrix), boundary_of(matrix, columns[first]), r, -1.0);
            continue;
        }
        dcpn_matrix_column_dots(A, columns + first, next - first, r, g + first);
        dcpn_matrix_column_dots(A, columns + first, next - first, r + A->rows, second);
        dcpn_axpy(next - first, 1.0, second, g + first);
    }
}

static int64_t adjoint(const dcpn_matrix *matrix, const double *r, double *g)
{
    int64_t some[AT_A_TIME];
    for (int64_t first = 0, count; first < matrix->columns; first += count) {
        for (count = 0; count < AT_A_TIME && first + count < matrix->columns; count++) some[count] = first + count;
        column_dots(matrix, some, count, r, g + first);
    }
    return matrix->entries;
}

static double column_dot(const dcpn_matrix *matrix, int64_t j, const double *r)
{
    double dot;
    column_dots(matrix, &j, 1, r, &dot);
    return dot;
}

static double column_curvature(const dcpn_matrix *matrix, int64_t j, const double *w)
{
    const dcpn_matrix *A = inner_of(matrix);
    int64_t k = boundary_of(matrix, j);
    if (k >= 0) return sum_at(view_of(matrix), k, w, 1.0);
    return A->ops->column_curvature(A, j, w) + A->ops->column_curvature(A, j, w + A->rows);
}

/* u_i += alpha w_i of the rows at a boundary; w NULL: 1. */
static void add_boundary(const struct with_boundaries *view, int64_t k, double alpha, const double *w, double *u)
{
    int64_t n = view->inner->rows, after = 2 * n + k, before = after - 1;
    for (int64_t i = 0; i < 2 * n; i++)
        if (view->at[i] == k) u[i] += alpha * (w ? w[i] : 1.0);
    if (k + 1 < view->count) u[after] += alpha * (w ? w[after] : 1.0);
    if (k > 0) u[before] -= alpha * (w ? w[before] : 1.0);
}

static void column_axpy(const dcpn_matrix *matrix, int64_t j, double alpha, const double *w, double *u)
{
    const dcpn_matrix *A = inner_of(matrix);
    int64_t k = boundary_of(matrix, j);
    if (k >= 0) {
        add_boundary(view_of(matrix), k, alpha, w, u);
        return;
    }
    A->ops->column_axpy(A, j, alpha, w, u);
    A->ops->column_axpy(A, j, alpha, w + A->rows, u + A->rows);
}

static void column_add(const dcpn_matrix *matrix, int64_t j, double alpha, double *u)
{
    const dcpn_matrix *A = inner_of(matrix);
    int64_t k = boundary_of(matrix, j);
    if (k >= 0) {
        add_boundary(view_of(matrix), k, alpha, NULL, u);
        return;
    }
    A->ops->column_add(A, j, alpha, u);
    A->ops->column_add(A, j, alpha, u + A->rows);
}

static int64_t column_entries(const dcpn_matrix *matrix, int64_t j)
{
    return boundary_of(matrix, j) >= 0 ? 0 : 2 * inner_of(matrix)->ops->column_entries(inner_of(matrix), j);
}

static int64_t column_of_boundary(const struct with_boundaries *view, int64_t k, int64_t *rows, double *values)
{
    int64_t n = view->inner->rows, count = 0;
    for (int64_t i = 0; i < 2 * n + view->count - 1; i++) {
        double value = i < 2 * n ? view->at[i] == k : (double)(i == 2 * n + k) - (double)(i == 2 * n + k - 1);
        if (value == 0.0) continue;
        rows[count] = i;
        values[count++] = value;
    }
    return count;
}

static int64_t column(const dcpn_matrix *matrix, int64_t j, int64_t *rows, double *values)
{
    const dcpn_matrix *A = inner_of(matrix);
    int64_t k = boundary_of(matrix, j);
    if (k >= 0) return column_of_boundary(view_of(matrix), k, rows, values);
    int64_t entries = A->ops->column(A, j, rows, values);
    for (int64_t e = 0; e < entries; e++) {
        rows[entries + e] = rows[e] + A->rows;
        values[entries + e] = values[e];
    }
    return 2 * entries;
}

static const struct matrix_ops with_boundaries_ops = {
    .apply = apply,
    .adjoint = adjoint,
    .column_dot = column_dot,
    .column_dots = column_dots,
    .column_curvature = column_curvature,
    .column_axpy = column_axpy,
    .column_add = column_add,
    .column_entries = column_entries,
    .column = column,
};

void dcpn_matrix_with_boundaries(struct with_boundaries *view, const dcpn_matrix *inner, const int64_t *at,
                                 int64_t count)
{
    view->base = *inner;
    view->base.ops = &with_boundaries_ops;
    view->base.rows = 2 * inner->rows + count - 1;
    view->base.columns = inner->columns + count;
    view->base.entries = 2 * inner->entries;
    view->inner = inner;
    view->at = at;
    view->count = count;
}
