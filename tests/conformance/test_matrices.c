/* SPDX-License-Identifier: BSD-3-Clause */
/* Every form of a matrix agrees with plain loops over the same numbers, counts what it touches, and gives the same bits
 * for any number of threads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "matrix/dense.h"
#include "matrix/sparse.h"
#include "support/conformance_assert.h"
#include "support/conformance_source.h"

static const double EPS = DBL_EPSILON;

/* ---- products ---- */

/* The plain array that a matrix stands for. */
struct naive {
    int64_t rows, columns;
    const double *A; /* row by row */
};

static void random_vector(int64_t n, struct rng *rng, double *a)
{
    for (int64_t i = 0; i < n; i++) a[i] = dcpn_rng_normal(rng);
}

/* Sums of n products, each rounded, added in any order. */
static void check_apply(const struct naive *naive, const dcpn_matrix *matrix, const double *x, const char *name)
{
    double *u = space(naive->rows, sizeof *u);
    dcpn_matrix_apply(matrix, x, u);
    for (int64_t i = 0; i < naive->rows; i++) {
        long double sum = 0.0L, size = 0.0L;
        for (int64_t j = 0; j < naive->columns; j++) {
            long double term = (long double)naive->A[i * naive->columns + j] * (long double)x[j];
            sum += term;
            size += fabsl(term);
        }
        assert_near(u[i], (double)sum, (double)(naive->columns + 1) * EPS * (double)size, "%s: (A x)_%d", name, (int)i);
    }
    free(u);
}

static void check_adjoint(const struct naive *naive, const dcpn_matrix *matrix, const double *r, const char *name)
{
    double *g = space(naive->columns, sizeof *g);
    dcpn_matrix_adjoint(matrix, r, g);
    for (int64_t j = 0; j < naive->columns; j++) {
        long double sum = 0.0L, size = 0.0L;
        for (int64_t i = 0; i < naive->rows; i++) {
            long double term = (long double)naive->A[i * naive->columns + j] * (long double)r[i];
            sum += term;
            size += fabsl(term);
        }
        double tolerance = (double)(naive->rows + 1) * EPS * (double)size;
        assert_near(g[j], (double)sum, tolerance, "%s: (A'r)_%d", name, (int)j);
        assert_near(matrix->ops->column_dot(matrix, j, r), (double)sum, tolerance, "%s: a_%d'r", name, (int)j);
    }
    free(g);
}

/* Some columns at once, in any order and more than once, have the bits that they have in A'r. */
static void check_some(const struct naive *naive, const dcpn_matrix *matrix, const double *r, const char *name)
{
    int64_t count = 3 * naive->columns + 2, *columns = space(count, sizeof *columns);
    double *g = space(count, sizeof *g), *all = space(naive->columns, sizeof *all);
    for (int64_t k = 0; k < count; k++) columns[k] = (7 * k + 3) % naive->columns;
    dcpn_matrix_column_dots(matrix, columns, count, r, g);
    dcpn_matrix_adjoint(matrix, r, all);
    for (int64_t k = 0; k < count; k++) assert_near(g[k], all[columns[k]], 0.0, "%s: a_%d'r", name, (int)columns[k]);
    free(columns);
    free(g);
    free(all);
}

static void check_columns(const struct naive *naive, const dcpn_matrix *matrix, const double *w, const char *name)
{
    double *u = space(naive->rows, sizeof *u);
    for (int64_t j = 0; j < naive->columns; j++) {
        long double sum = 0.0L;
        for (int64_t i = 0; i < naive->rows; i++) {
            double a = naive->A[i * naive->columns + j];
            sum += (long double)w[i] * (long double)a * (long double)a;
            u[i] = (double)i;
        }
        assert_near(matrix->ops->column_curvature(matrix, j, w), (double)sum,
                    (double)(naive->rows + 3) * EPS * (double)sum, "%s: curvature of column %d", name, (int)j);
        matrix->ops->column_axpy(matrix, j, -0.75, w, u);
        for (int64_t i = 0; i < naive->rows; i++) {
            double move = -0.75 * w[i] * naive->A[i * naive->columns + j];
            assert_near(u[i], (double)i + move, 4.0 * EPS * ((double)i + fabs(move)), "%s: u_%d + column %d", name,
                        (int)i, (int)j);
        }
    }
    free(u);
}

/* <A x, r> = <x, A'r> */
static void check_adjoint_identity(const struct naive *naive, const dcpn_matrix *matrix, const double *x,
                                   const double *r, const char *name)
{
    double *u = space(naive->rows, sizeof *u), *g = space(naive->columns, sizeof *g);
    long double left = 0.0L, right = 0.0L, size = 0.0L;
    dcpn_matrix_apply(matrix, x, u);
    dcpn_matrix_adjoint(matrix, r, g);
    for (int64_t i = 0; i < naive->rows; i++) left += (long double)u[i] * (long double)r[i];
    for (int64_t j = 0; j < naive->columns; j++) right += (long double)g[j] * (long double)x[j];
    for (int64_t i = 0; i < naive->rows; i++)
        for (int64_t j = 0; j < naive->columns; j++)
            size += fabsl((long double)naive->A[i * naive->columns + j] * (long double)x[j] * (long double)r[i]);
    assert_near((double)left, (double)right, (double)(naive->rows + naive->columns) * EPS * (double)size,
                "%s: <A x, r>", name);
    free(u);
    free(g);
}

/* x full, with one non-zero (the sparse product goes by columns), and 0. */
static void check_products(const struct naive *naive, const dcpn_matrix *matrix, const char *name)
{
    double *x = space(naive->columns, sizeof *x), *r = space(naive->rows, sizeof *r),
           *w = space(naive->rows, sizeof *w);
    struct rng rng;
    dcpn_rng_seed(&rng, 5);
    random_vector(naive->rows, &rng, r);
    for (int64_t i = 0; i < naive->rows; i++) w[i] = dcpn_rng_uniform(&rng);
    check_apply(naive, matrix, x, name);
    x[naive->columns / 2] = -2.5;
    check_apply(naive, matrix, x, name);
    random_vector(naive->columns, &rng, x);
    check_apply(naive, matrix, x, name);
    check_adjoint(naive, matrix, r, name);
    check_columns(naive, matrix, w, name);
    check_adjoint_identity(naive, matrix, x, r, name);
    check_some(naive, matrix, r, name);
    free(x);
    free(r);
    free(w);
}

static void check_rows(const struct naive *naive, const dcpn_matrix *matrix, const char *name)
{
    int64_t *columns = space(naive->columns, sizeof *columns);
    double *values = space(naive->columns, sizeof *values), *row = space(naive->columns, sizeof *row);
    for (int64_t i = 0; i < naive->rows; i++) {
        int64_t count = dcpn_matrix_row(matrix, i, columns, values);
        memset(row, 0, (size_t)naive->columns * sizeof *row);
        for (int64_t k = 0; k < count; k++) {
            assert_true(values[k] != 0.0 && row[columns[k]] == 0.0);
            row[columns[k]] = values[k];
        }
        if (memcmp(row, naive->A + i * naive->columns, (size_t)naive->columns * sizeof *row) != 0)
            fail_msg("%s: row %d", name, (int)i);
    }
    free(columns);
    free(values);
    free(row);
}

static void count_columns(void *user, int64_t first, int64_t count)
{
    int *counts = user;
    for (int64_t j = first; j < first + count; j++) counts[j]++;
}

/* What is done with columns as they go by is done with each column of A once. */
static void check_column_work(const dcpn_matrix *view, int64_t columns)
{
    int *counts = space(columns + 1, sizeof *counts);
    double *g = space(2 * (columns + 1), sizeof *g), *r = space(view->rows, sizeof *r);
    struct column_work work = {count_columns, counts};
    view->ops->adjoint_and_curvatures(view, r, r, &work, g, g + columns + 1);
    for (int64_t j = 0; j < columns; j++) assert_int_equal(counts[j], 1);
    assert_int_equal(counts[columns], 0);
    free(counts);
    free(g);
    free(r);
}

/* [A 1] and its plain array. */
static void check_with_ones(const struct source *source, const dcpn_matrix *matrix, const char *name)
{
    struct with_ones view;
    char view_name[128];
    double *A = space(source->rows * (source->columns + 1), sizeof *A);
    for (int64_t i = 0; i < source->rows; i++) {
        memcpy(A + i * (source->columns + 1), source->A + i * source->columns, (size_t)source->columns * sizeof *A);
        A[i * (source->columns + 1) + source->columns] = 1.0;
    }
    struct naive naive = {source->rows, source->columns + 1, A};
    dcpn_matrix_with_ones(&view, matrix);
    snprintf(view_name, sizeof view_name, "[A 1], A %s", name);
    check_products(&naive, &view.base, view_name);
    check_column_work(&view.base, source->columns);
    assert_int_equal(view.base.entries, matrix->entries); /* the constant is not stored */
    assert_int_equal(view.base.ops->column_entries(&view.base, source->columns), 0);
    free(A);
}

/* [A; b'] and its plain array. */
static void check_with_row(const struct source *source, const dcpn_matrix *matrix, const char *name)
{
    struct with_row view;
    char view_name[128];
    double *A = space((source->rows + 1) * source->columns, sizeof *A), *row = A + source->rows * source->columns;
    memcpy(A, source->A, (size_t)(source->rows * source->columns) * sizeof *A);
    for (int64_t j = 0; j < source->columns; j++) row[j] = 0.5 + 0.25 * (double)(j % 5);
    struct naive naive = {source->rows + 1, source->columns, A};
    dcpn_matrix_with_row(&view, matrix, row);
    snprintf(view_name, sizeof view_name, "[A; b'], A %s", name);
    check_products(&naive, &view.base, view_name);
    free(A);
}

static const int64_t SHAPES[][2] = {{9, 7}, {1, 1}, {1, 12}, {13, 1}, {33, 18}, {5, 40}, {700, 5}};

static void every_form_agrees_with_plain_loops(void **state)
{
    (void)state;
    dcpn_context *context = dcpn_context_new(NULL);
    for (size_t s = 0; s < COUNT_OF(SHAPES); s++) {
        struct source source;
        make_source(&source, SHAPES[s][0], SHAPES[s][1], s + 1);
        struct naive naive = {source.rows, source.columns, source.A};
        for (int i = 0; i < FORMS; i++) {
            struct form form = form_at(i);
            dcpn_matrix *matrix;
            assert_int_equal(make_matrix(context, &source, &form, &matrix), DCPN_OK);
            assert_int_equal(dcpn_matrix_rows(matrix), source.rows);
            assert_int_equal(dcpn_matrix_columns(matrix), source.columns);
            assert_int_equal(dcpn_matrix_entries(matrix), form.sparse ? source.entries : source.rows * source.columns);
            check_products(&naive, matrix, form.name);
            check_rows(&naive, matrix, form.name);
            check_with_ones(&source, matrix, form.name);
            check_with_row(&source, matrix, form.name);
            dcpn_matrix_free(matrix);
        }
        free_source(&source);
    }
    dcpn_context_free(context);
}

static void identity_agrees_with_plain_loops(void **state)
{
    (void)state;
    enum { SIZE = 9 };
    double A[SIZE * SIZE] = {0.0};
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_matrix identity;
    for (int j = 0; j < SIZE; j++) A[j * SIZE + j] = 1.0;
    struct naive naive = {SIZE, SIZE, A};
    dcpn_matrix_identity(&identity, context, SIZE);
    check_products(&naive, &identity, "identity");
    assert_int_equal(identity.entries, SIZE);
    dcpn_context_free(context);
}

/* A copy does not see what happens to the arrays afterwards; a borrowed matrix reads them. */
static void copies_are_copies(void **state)
{
    (void)state;
    dcpn_context *context = dcpn_context_new(NULL);
    for (int i = 0; i < FORMS; i++) {
        struct form form = form_at(i);
        struct source source;
        dcpn_matrix *matrix;
        double x = 1.0, before[8], after[8];
        make_source(&source, 8, 1, 3);
        assert_int_equal(make_matrix(context, &source, &form, &matrix), DCPN_OK);
        dcpn_matrix_adjoint(matrix, (double[8]){1, 1, 1, 1, 1, 1, 1, 1}, before);
        for (int64_t k = 0; k < source.entries; k++) {
            source.row_values[k] *= 2.0;
            source.column_values[k] *= 2.0;
            source.row_values32[k] *= 2.0f;
            source.column_values32[k] *= 2.0f;
        }
        for (int k = 0; k < 8; k++) source.A[k] *= 2.0;
        fill_dense_forms(&source);
        /* CSR keeps its own transpose; look at the orientation that was given */
        if (form.sparse && form.by_row) {
            dcpn_matrix_apply(matrix, &x, after);
            assert_true(after[0] == source.A[0] * (form.borrow ? 1.0 : 0.5));
        } else {
            dcpn_matrix_adjoint(matrix, (double[8]){1, 1, 1, 1, 1, 1, 1, 1}, after);
            assert_true(after[0] == before[0] * (form.borrow ? 2.0 : 1.0));
        }
        dcpn_matrix_free(matrix);
        free_source(&source);
    }
    dcpn_context_free(context);
}

/* ---- entries touched ---- */

static void products_count_the_entries_they_touch(void **state)
{
    (void)state;
    dcpn_context *context = dcpn_context_new(NULL);
    struct source source;
    make_source(&source, 40, 12, 9);
    double x[12] = {0.0}, u[40], r[40] = {1.0}, g[12], w[40] = {0.5};
    for (int i = 0; i < FORMS; i++) {
        struct form form = form_at(i);
        dcpn_matrix *matrix;
        assert_int_equal(make_matrix(context, &source, &form, &matrix), DCPN_OK);
        struct design design = {.A = matrix};
        int64_t all = dcpn_matrix_entries(matrix), in_column = matrix->ops->column_entries(matrix, 5), counted = 0;
        for (int k = 0; k < 40; k++) counted += source.A[k * 12 + 5] != 0.0;
        assert_int_equal(in_column, form.sparse ? counted : 40);

        memset(x, 0, sizeof x);
        x[5] = 1.0; /* one column in use: that column, or all where rows are read */
        dcpn_design_apply(&design, x, u);
        assert_int_equal(design.touched, form.sparse || !form.by_row ? in_column : all);
        for (int j = 0; j < 12; j++) x[j] = 1.0;
        design.touched = 0;
        dcpn_design_apply(&design, x, u);
        assert_int_equal(design.touched, all);
        dcpn_design_adjoint(&design, r, g);
        assert_int_equal(design.touched, 2 * all);
        assert_true(dcpn_design_passes(&design) == 1.0);
        design.touched = 0;
        dcpn_design_column_dot(&design, 5, r);
        dcpn_design_column_curvature(&design, 5, w);
        dcpn_design_column_axpy(&design, 5, 1.0, w, u);
        assert_int_equal(design.touched, 3 * in_column);
        dcpn_matrix_free(matrix);
    }
    free_source(&source);
    dcpn_context_free(context);
}

/* ---- threads ---- */

/* Large enough for threads: more than 2^16 dense and 2^15 sparse entries. */
static void the_bits_do_not_depend_on_the_threads(void **state)
{
    (void)state;
    enum { ROWS = 1300, COLUMNS = 130 };
    static const int threads[] = {1, 2, 3, 5};
    dcpn_context *context = dcpn_context_new(NULL);
    struct source source;
    struct rng rng;
    double *x = space(COLUMNS + 1, sizeof *x), *r = space(ROWS, sizeof *r);
    double *u = space(ROWS, sizeof *u), *first_u = space(ROWS, sizeof *u), *g = space(COLUMNS + 1, sizeof *g),
           *first_g = space(COLUMNS + 1, sizeof *g);
    make_source(&source, ROWS, COLUMNS, 10);
    assert_true(source.entries > 1 << 15 && ROWS * COLUMNS > 1 << 16);
    dcpn_rng_seed(&rng, 2);
    random_vector(COLUMNS + 1, &rng, x);
    random_vector(ROWS, &rng, r);
    for (int i = 0; i < FORMS; i++) {
        struct form form = form_at(i);
        dcpn_matrix *matrix;
        struct with_ones view;
        assert_int_equal(make_matrix(context, &source, &form, &matrix), DCPN_OK);
        dcpn_matrix_with_ones(&view, matrix);
        for (size_t t = 0; t < COUNT_OF(threads); t++) {
            dcpn_context_set_threads(context, threads[t]);
            dcpn_matrix_apply(&view.base, x, t ? u : first_u);
            dcpn_matrix_adjoint(&view.base, r, t ? g : first_g);
            if (t && memcmp(u, first_u, ROWS * sizeof *u) != 0)
                fail_msg("%s: A x with %d threads", form.name, threads[t]);
            if (t && memcmp(g, first_g, (COLUMNS + 1) * sizeof *g) != 0)
                fail_msg("%s: A'r with %d threads", form.name, threads[t]);
        }
        dcpn_matrix_free(matrix);
    }
    free_source(&source);
    free(x);
    free(r);
    free(u);
    free(first_u);
    free(g);
    free(first_g);
    dcpn_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_agrees_with_plain_loops),
        cmocka_unit_test(identity_agrees_with_plain_loops),
        cmocka_unit_test(copies_are_copies),
        cmocka_unit_test(products_count_the_entries_they_touch),
        cmocka_unit_test(the_bits_do_not_depend_on_the_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
