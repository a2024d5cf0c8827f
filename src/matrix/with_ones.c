/* SPDX-License-Identifier: BSD-3-Clause */
/* [A 1]: A with a constant last column, which is never stored and not counted among the entries. */
#include "matrix/matrix.h"

#include <string.h>

#include "base/blocks.h"

static const dcpn_matrix *inner_of(const dcpn_matrix *matrix)
{
    return ((const struct with_ones *)matrix)->inner;
}

static int is_constant(const dcpn_matrix *matrix, int64_t j)
{
    return j == matrix->columns - 1;
}

static double sum_range(const double *r, int64_t begin, int64_t end)
{
    if (end - begin <= DCPN_BLOCK) {
        double sum = 0.0;
        for (int64_t i = begin; i < end; i++) sum += r[i];
        return sum;
    }
    int64_t middle = begin + (dcpn_block_count(end - begin) + 1) / 2 * DCPN_BLOCK;
    return sum_range(r, begin, middle) + sum_range(r, middle, end);
}

static int64_t apply(const dcpn_matrix *matrix, const double *x, double *u)
{
    const dcpn_matrix *inner = inner_of(matrix);
    int64_t touched = inner->ops->apply(inner, x, u);
    for (int64_t i = 0; i < matrix->rows; i++) u[i] += x[matrix->columns - 1];
    return touched;
}

static int64_t adjoint(const dcpn_matrix *matrix, const double *r, double *g)
{
    const dcpn_matrix *inner = inner_of(matrix);
    g[matrix->columns - 1] = sum_range(r, 0, matrix->rows);
    return inner->ops->adjoint(inner, r, g);
}

/* The work on some rows of A x + constant. */
struct shifted {
    const struct row_work *work;
    double constant;
};

static void shift_rows(const void *user, int64_t begin, int64_t end, double *Ax, double *r)
{
    const struct shifted *shifted = user;
    for (int64_t i = begin; i < end; i++) Ax[i] += shifted->constant;
    shifted->work->rows(shifted->work->user, begin, end, Ax, r);
}

static int64_t sweep(const dcpn_matrix *matrix, const double *x, const struct row_work *work, double *Ax, double *r,
                     double *g, double *numbers)
{
    const dcpn_matrix *inner = inner_of(matrix);
    struct shifted shifted = {work, x[matrix->columns - 1]};
    struct row_work shifted_work = {shift_rows, &shifted};
    int64_t touched = inner->ops->sweep.run(inner, x, &shifted_work, Ax, r, g, numbers);
    g[matrix->columns - 1] = sum_range(r, 0, matrix->rows);
    return touched;
}

static int sweep_pays(const dcpn_matrix *matrix, const double *x)
{
    const dcpn_matrix *inner = inner_of(matrix);
    return inner->ops->sweep.run && inner->ops->sweep.pays(inner, x);
}

static int64_t sweep_numbers(const dcpn_matrix *matrix)
{
    const dcpn_matrix *inner = inner_of(matrix);
    return inner->ops->sweep.run ? inner->ops->sweep.numbers(inner) : 0;
}

static double column_dot(const dcpn_matrix *matrix, int64_t j, const double *r)
{
    const dcpn_matrix *inner = inner_of(matrix);
    return is_constant(matrix, j) ? sum_range(r, 0, matrix->rows) : inner->ops->column_dot(inner, j, r);
}

/* The constant, which may be anywhere in the list, parts it into pieces. */
static void column_dots(const dcpn_matrix *matrix, const int64_t *columns, int64_t count, const double *r, double *g)
{
    for (int64_t first = 0, next; first < count; first = next + 1) {
        for (next = first; next < count && !is_constant(matrix, columns[next]);) next++;
        dcpn_matrix_column_dots(inner_of(matrix), columns + first, next - first, r, g + first);
        if (next < count) g[next] = sum_range(r, 0, matrix->rows);
    }
}

static void column_soon(const dcpn_matrix *matrix, int64_t j)
{
    const dcpn_matrix *inner = inner_of(matrix);
    if (!is_constant(matrix, j) && inner->ops->column_soon) inner->ops->column_soon(inner, j);
}

static double column_curvature(const dcpn_matrix *matrix, int64_t j, const double *w)
{
    const dcpn_matrix *inner = inner_of(matrix);
    return is_constant(matrix, j) ? sum_range(w, 0, matrix->rows) : inner->ops->column_curvature(inner, j, w);
}

static int64_t curvatures(const dcpn_matrix *matrix, const double *w, double *out)
{
    struct design inner = {.A = inner_of(matrix)};
    dcpn_design_curvatures(&inner, w, out);
    out[matrix->columns - 1] = sum_range(w, 0, matrix->rows);
    return inner.touched;
}

static int64_t adjoint_and_curvatures(const dcpn_matrix *matrix, const double *r, const double *w,
                                      const struct column_work *also, double *g, double *out)
{
    const dcpn_matrix *inner = inner_of(matrix);
    if (!inner->ops->adjoint_and_curvatures) {
        if (also) also->columns(also->user, 0, inner->columns);
        return adjoint(matrix, r, g) + curvatures(matrix, w, out);
    }
    g[matrix->columns - 1] = sum_range(r, 0, matrix->rows);
    out[matrix->columns - 1] = sum_range(w, 0, matrix->rows);
    return inner->ops->adjoint_and_curvatures(inner, r, w, also, g, out);
}

static void column_axpy(const dcpn_matrix *matrix, int64_t j, double alpha, const double *w, double *u)
{
    const dcpn_matrix *inner = inner_of(matrix);
    if (!is_constant(matrix, j)) {
        inner->ops->column_axpy(inner, j, alpha, w, u);
        return;
    }
    for (int64_t i = 0; i < matrix->rows; i++) u[i] += alpha * w[i];
}

static void column_add(const dcpn_matrix *matrix, int64_t j, double alpha, double *u)
{
    const dcpn_matrix *inner = inner_of(matrix);
    if (!is_constant(matrix, j)) {
        inner->ops->column_add(inner, j, alpha, u);
        return;
    }
    for (int64_t i = 0; i < matrix->rows; i++) u[i] += alpha;
}

static int64_t column_entries(const dcpn_matrix *matrix, int64_t j)
{
    const dcpn_matrix *inner = inner_of(matrix);
    return is_constant(matrix, j) ? 0 : inner->ops->column_entries(inner, j);
}

static int64_t column(const dcpn_matrix *matrix, int64_t j, int64_t *rows, double *values)
{
    const dcpn_matrix *inner = inner_of(matrix);
    if (!is_constant(matrix, j)) return inner->ops->column(inner, j, rows, values);
    for (int64_t i = 0; i < matrix->rows; i++) {
        rows[i] = i;
        values[i] = 1.0;
    }
    return matrix->rows;
}

/* The row and column of the constant, if it is in U, hold A'w and the sum of w. */
static int64_t gram(const dcpn_matrix *matrix, const double *w, const int64_t *U, int64_t count,
                    struct gram_space *space, double *G)
{
    const dcpn_matrix *inner = inner_of(matrix);
    int constant = count > 0 && is_constant(matrix, U[count - 1]);
    int64_t others = count - constant, touched = inner->ops->gram(inner, w, U, others, space, G);
    if (!constant) return touched;
    for (int64_t a = others - 1; a >= 0; a--) memmove(G + a * count, G + a * others, (size_t)others * sizeof *G);
    for (int64_t b = 0; b < others; b++)
        G[others * count + b] = G[b * count + others] = inner->ops->column_dot(inner, U[b], w);
    G[others * count + others] = sum_range(w, 0, matrix->rows);
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

static const struct matrix_ops with_ones_ops = {
    .apply = apply,
    .adjoint = adjoint,
    .sweep.run = sweep,
    .sweep.pays = sweep_pays,
    .sweep.numbers = sweep_numbers,
    .column_dot = column_dot,
    .column_dots = column_dots,
    .column_soon = column_soon,
    .column_curvature = column_curvature,
    .curvatures = curvatures,
    .adjoint_and_curvatures = adjoint_and_curvatures,
    .column_axpy = column_axpy,
    .column_add = column_add,
    .column_entries = column_entries,
    .column = column,
    .gram = gram,
    .gram_work = gram_work,
    .gram_numbers = gram_numbers,
};

void dcpn_matrix_with_ones(struct with_ones *view, const dcpn_matrix *inner)
{
    view->base = *inner;
    view->base.ops = &with_ones_ops;
    view->base.columns = inner->columns + 1;
    view->inner = inner;
}
