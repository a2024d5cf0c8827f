/* SPDX-License-Identifier: BSD-3-Clause */
/* A_S: some columns of a matrix, as a view. */
#include <stdatomic.h>
#include <string.h>

#include "base/threads.h"
#include "matrix/matrix.h"

enum {
    PARALLEL_FROM = 1 << 18, /* entries below which threads cost more than they bring */
    AT_A_TIME = 16,          /* columns */
};

static const struct column_subset *subset_of(const dcpn_matrix *matrix)
{
    return (const struct column_subset *)matrix;
}

static int64_t apply(const dcpn_matrix *matrix, const double *x, double *u)
{
    const struct column_subset *A = subset_of(matrix);
    int64_t touched = 0;
    memset(u, 0, (size_t)matrix->rows * sizeof *u);
    for (int64_t s = 0; s < matrix->columns; s++) {
        if (x[s] == 0.0) continue;
        A->inner->ops->column_add(A->inner, A->columns[s], x[s], u);
        touched += A->inner->ops->column_entries(A->inner, A->columns[s]);
    }
    return touched;
}

/* In the numbers of the matrix behind. */
static void column_dots(const dcpn_matrix *matrix, const int64_t *columns, int64_t count, const double *r, double *g)
{
    const struct column_subset *A = subset_of(matrix);
    int64_t behind[AT_A_TIME];
    for (int64_t first = 0; first < count; first += AT_A_TIME) {
        int64_t some = count - first < AT_A_TIME ? count - first : AT_A_TIME;
        for (int64_t s = 0; s < some; s++) behind[s] = A->columns[columns[first + s]];
        dcpn_matrix_column_dots(A->inner, behind, some, r, g + first);
    }
}

/* Some columns at a time; returns the entries that were touched. */
static int64_t adjoint_from(const struct column_subset *A, int64_t first, const double *r, double *g)
{
    int64_t touched = 0, left = A->base.columns - first, count = left < AT_A_TIME ? left : AT_A_TIME;
    dcpn_matrix_column_dots(A->inner, A->columns + first, count, r, g + first);
    for (int64_t s = first; s < first + count; s++) touched += A->inner->ops->column_entries(A->inner, A->columns[s]);
    return touched;
}

struct product {
    const struct column_subset *A;
    const double *r;
    double *g;
    _Atomic int64_t touched;
};

static void adjoint_groups(void *user, int64_t begin, int64_t end)
{
    struct product *p = user;
    int64_t touched = 0;
    for (int64_t k = begin; k < end; k++) touched += adjoint_from(p->A, k * AT_A_TIME, p->r, p->g);
    p->touched += touched;
}

static int64_t adjoint(const dcpn_matrix *matrix, const double *r, double *g)
{
    struct product product = {.A = subset_of(matrix), .r = r, .g = g};
    const dcpn_matrix *inner = product.A->inner;
    int64_t entries_about = inner->entries / inner->columns * matrix->columns;
    if (inner->ops->by_ranks) {
        dcpn_matrix_column_dots(inner, product.A->columns, matrix->columns, r, g);
        return entries_about;
    }
    dcpn_parallel_items(entries_about > PARALLEL_FROM ? matrix->context : NULL,
                        (matrix->columns + AT_A_TIME - 1) / AT_A_TIME, adjoint_groups, &product);
    return product.touched;
}

static double column_dot(const dcpn_matrix *matrix, int64_t s, const double *r)
{
    const struct column_subset *A = subset_of(matrix);
    return A->inner->ops->column_dot(A->inner, A->columns[s], r);
}

static void column_soon(const dcpn_matrix *matrix, int64_t s)
{
    const struct column_subset *A = subset_of(matrix);
    if (A->inner->ops->column_soon) A->inner->ops->column_soon(A->inner, A->columns[s]);
}

static double column_curvature(const dcpn_matrix *matrix, int64_t s, const double *w)
{
    const struct column_subset *A = subset_of(matrix);
    return A->inner->ops->column_curvature(A->inner, A->columns[s], w);
}

static void column_axpy(const dcpn_matrix *matrix, int64_t s, double alpha, const double *w, double *u)
{
    const struct column_subset *A = subset_of(matrix);
    A->inner->ops->column_axpy(A->inner, A->columns[s], alpha, w, u);
}

static void column_add(const dcpn_matrix *matrix, int64_t s, double alpha, double *u)
{
    const struct column_subset *A = subset_of(matrix);
    A->inner->ops->column_add(A->inner, A->columns[s], alpha, u);
}

static int64_t column_entries(const dcpn_matrix *matrix, int64_t s)
{
    const struct column_subset *A = subset_of(matrix);
    return A->inner->ops->column_entries(A->inner, A->columns[s]);
}

static int64_t column(const dcpn_matrix *matrix, int64_t s, int64_t *rows, double *values)
{
    const struct column_subset *A = subset_of(matrix);
    return A->inner->ops->column(A->inner, A->columns[s], rows, values);
}

/* U in the numbers of the matrix behind, which it borrows from the space. */
static int64_t gram(const dcpn_matrix *matrix, const double *w, const int64_t *U, int64_t count,
                    struct gram_space *space, double *G)
{
    const struct column_subset *A = subset_of(matrix);
    for (int64_t i = 0; i < count; i++) space->mapped[i] = A->columns[U[i]];
    return A->inner->ops->gram(A->inner, w, space->mapped, count, space, G);
}

static double gram_work(const dcpn_matrix *matrix, double in_use, int64_t count)
{
    return subset_of(matrix)->inner->ops->gram_work(subset_of(matrix)->inner, in_use, count);
}

static int64_t gram_numbers(const dcpn_matrix *matrix)
{
    return subset_of(matrix)->inner->ops->gram_numbers(subset_of(matrix)->inner);
}

#define WITHOUT_GRAM                                                                                                   \
    .apply = apply, .adjoint = adjoint, .column_dot = column_dot, .column_dots = column_dots,                          \
    .column_soon = column_soon, .column_curvature = column_curvature, .column_axpy = column_axpy,                      \
    .column_add = column_add, .column_entries = column_entries, .column = column

static const struct matrix_ops subset_without_gram = {WITHOUT_GRAM};

static const struct matrix_ops subset_ops = {
    WITHOUT_GRAM,
    .gram = gram,
    .gram_work = gram_work,
    .gram_numbers = gram_numbers,
};

static const struct matrix_ops subset_by_ranks = {
    WITHOUT_GRAM, .gram = gram, .gram_work = gram_work, .gram_numbers = gram_numbers, .by_ranks = 1,
};

/* ---- with columns that are there several times ---- */

/* From the products of the distinct columns, in place: none stands behind where it is wanted. */
static void repeat_products(const int64_t *distinct, int64_t count, double *G)
{
    int64_t width = count > 0 ? distinct[count - 1] + 1 : 0;
    for (int64_t a = count; a-- > 0;)
        for (int64_t b = count; b-- > 0;) G[a * count + b] = G[distinct[a] * width + distinct[b]];
}

/* U may be in space->mapped. */
static int64_t gram_of_repeated(const dcpn_matrix *matrix, const double *w, const int64_t *U, int64_t count,
                                struct gram_space *space, double *G)
{
    const struct column_subset *A = subset_of(matrix);
    int64_t different = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t behind = A->columns[U[i]];
        if (different == 0 || space->mapped[different - 1] != behind) space->mapped[different++] = behind;
        space->distinct[i] = different - 1;
    }
    int64_t touched = A->inner->ops->gram(A->inner, w, space->mapped, different, space, G);
    if (different < count) repeat_products(space->distinct, count, G);
    return touched;
}

static const struct matrix_ops repeated_ops = {
    WITHOUT_GRAM,
    .gram = gram_of_repeated,
    .gram_work = gram_work,
    .gram_numbers = gram_numbers,
};

void dcpn_matrix_repeat(struct column_subset *view, const dcpn_matrix *inner, const int64_t *columns, int64_t count)
{
    dcpn_matrix_subset(view, inner, columns);
    view->base.ops = &repeated_ops;
    view->base.columns = count;
    view->base.entries = 0;
    for (int64_t k = 0; k < count; k++) view->base.entries += inner->ops->column_entries(inner, columns[k]);
}

void dcpn_matrix_subset(struct column_subset *view, const dcpn_matrix *inner, const int64_t *columns)
{
    view->base = *inner;
    view->base.ops = inner->ops->by_ranks ? &subset_by_ranks : inner->ops->gram ? &subset_ops : &subset_without_gram;
    view->base.columns = 0;
    view->inner = inner;
    view->columns = columns;
}

const dcpn_matrix *dcpn_matrix_behind(const dcpn_matrix *matrix)
{
    int is_subset = matrix->ops == &subset_ops || matrix->ops == &subset_without_gram ||
                    matrix->ops == &subset_by_ranks || matrix->ops == &repeated_ops;
    return is_subset ? subset_of(matrix)->inner : matrix;
}
