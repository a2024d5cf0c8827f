/* SPDX-License-Identifier: BSD-3-Clause */
/* Products with a matrix of which each rank has some rows. */
#include "matrix/summed.h"

#include <math.h>

#include "base/threads.h"
#include "base/vector.h"
#include "matrix/dense.h"

enum { PARALLEL_FROM = 1 << 18 };

static const struct summed *summed_of(const dcpn_matrix *matrix)
{
    return (const struct summed *)matrix;
}

static int64_t stored_columns(const struct summed *A)
{
    return A->inner->columns;
}

/* The columns of all scores but the constants. */
static int64_t columns_of_scores(const struct summed *A)
{
    return A->scores * stored_columns(A);
}

struct summed_place dcpn_summed_place(const struct summed *A, int64_t j)
{
    int64_t stored = stored_columns(A), constant = j - columns_of_scores(A);
    if (A->scores == 1) return (struct summed_place){j, 0};
    if (constant >= 0) return (struct summed_place){stored, constant * A->inner->rows};
    return (struct summed_place){j % stored, j / stored * A->inner->rows};
}

static int is_constant(const struct summed *A, int64_t j)
{
    return j >= columns_of_scores(A);
}

/* ---- sums on the grids of columns ---- */

static double largest_of_rows(const struct summed *A, const double *r)
{
    double largest = 0.0;
    for (int64_t i = 0; i < A->base.rows; i++)
        if (!(fabs(r[i]) <= largest)) largest = fabs(r[i]); /* NaN stays */
    return largest;
}

int dcpn_summed_bound(const struct summed *A, const double *r)
{
    return dcpn_exponent(dcpn_ranks_largest(A->base.context, largest_of_rows(A, r)));
}

/* The hint holds for one product. */
int dcpn_summed_take_hint(const struct summed *A)
{
    int *hint = (int *)(uintptr_t)&A->bound, bound = *hint;
    *hint = SUMMED_NO_HINT;
    return bound;
}

/* Does it hold for the rows of this rank? */
static int is_within(const struct summed *A, const double *r, int bound)
{
    return largest_of_rows(A, r) <= ldexp(1.0, bound);
}

static void set_hint(const int *hint, double bound)
{
    int exponent = dcpn_exponent(bound);
    int is_usual = exponent > SUMMED_LEAST_SCALED && exponent < -SUMMED_LEAST_SCALED;
    if (bound > 0.0 && is_usual) *(int *)(uintptr_t)hint = exponent;
}

void dcpn_matrix_bound_rows(const dcpn_matrix *matrix, double bound)
{
    const struct summed *A = dcpn_summed_of(dcpn_matrix_behind(matrix));
    if (A) set_hint(&A->bound, bound);
}

void dcpn_matrix_bound_weights(const dcpn_matrix *matrix, double bound)
{
    const struct summed *A = dcpn_summed_of(dcpn_matrix_behind(matrix));
    if (A) set_hint(&A->bound_of_weights, bound);
}

/* Each column in the list gets its grid, for terms a^power r with |r| < 2^of_rows. */
static void set_grids(const struct summed *A, const int64_t *columns, int64_t count, int power, int of_rows)
{
    for (int64_t k = 0; k < count; k++) {
        int64_t j = dcpn_summed_place(A, columns ? columns[k] : k).column;
        int of_block = A->is_sparse || j == stored_columns(A) ? 0 : SUMMED_EXPONENT_OF_A_BLOCK;
        A->grids[k] = dcpn_grid(power * A->exponents[j] + of_rows + of_block, A->counts[j]);
    }
}

struct on_groups {
    const struct on_columns *on;
    on_columns_function *add;
};

static void add_group(void *user, int64_t begin, int64_t end)
{
    const struct on_groups *groups = user;
    groups->add(groups->on, begin, end);
}

static void add_sparse(const struct summed *A, const struct on_columns *on, int64_t count, int power)
{
    const struct summed_kernels *kernels =
        dcpn_summed_kernels(A->arrays.by_column.value_type, A->arrays.by_column.index_type);
    struct on_groups groups = {on, power == 1 ? kernels->dots : kernels->squares};
    dcpn_parallel_ranges(A->base.entries > PARALLEL_FROM ? A->base.context : NULL, count, add_group, &groups);
}

/* Plain sums on each block, and their terms. */
static void add_dense(const struct summed *A, const struct on_columns *on, int64_t count, int power)
{
    double *out = A->numbers;
    memset(on->words, 0, (size_t)count * sizeof *on->words);
    for (int64_t b = 0; b < A->block_count; b++) {
        const dcpn_matrix *block = A->blocks[b];
        const double *r = on->r + b * DCPN_ROWS_OF_A_BLOCK;
        if (power == 2)
            for (int64_t k = 0; k < count; k++)
                out[k] = block->ops->column_curvature(block, on->columns ? on->columns[k] : k, r);
        else if (on->columns)
            dcpn_matrix_column_dots(block, on->columns, count, r, out);
        else
            block->ops->adjoint(block, r, out);
        for (int64_t k = 0; k < count; k++) on->words[k] = dcpn_add_on_grid(on->words[k], out[k], &on->grids[k]);
    }
}

static void add_rows(const struct summed *A, const double *r, const struct grid *grid, int64_t *word)
{
    *word = 0;
    for (int64_t i = 0; i < A->inner->rows; i++) *word = dcpn_add_on_grid(*word, r[i], grid);
}

/* Where the columns from `first` on end that belong to the same score, or to the constants. */
static int64_t end_of_score(const struct summed *A, const int64_t *columns, int64_t first, int64_t count)
{
    int64_t stored = stored_columns(A), score = (columns ? columns[first] : first) / stored, end = first + 1;
    if (!columns) return first + stored;
    while (end < count && columns[end] < columns_of_scores(A) && columns[end] / stored == score) end++;
    return end;
}

/* The columns first .. end of the list as columns of the stored matrix, NULL: all of them. */
static const int64_t *as_stored(const struct summed *A, const int64_t *columns, int64_t first, int64_t end)
{
    if (!columns || A->scores == 1) return columns ? columns + first : NULL;
    for (int64_t k = first; k < end; k++) A->stored[k - first] = columns[k] % stored_columns(A);
    return A->stored;
}

/* words_k of the columns in the list, NULL: all; constants may be anywhere in it. */
static void add_columns(const struct summed *A, const int64_t *columns, int64_t count, int power, const double *r,
                        int64_t *words)
{
    for (int64_t first = 0, end; first < count; first = end) {
        int64_t j = columns ? columns[first] : first, before = dcpn_summed_place(A, j).rows_before;
        if (is_constant(A, j)) {
            end = first + 1;
            add_rows(A, r + before, &A->grids[first], &words[first]);
            continue;
        }
        end = end_of_score(A, columns, first, count);
        struct on_columns on = {&A->arrays.by_column, as_stored(A, columns, first, end), r + before, A->grids + first,
                                words + first};
        (A->is_sparse ? add_sparse : add_dense)(A, &on, end - first, power);
    }
}

/* g_k = sum_i a_ij^power r_i for the columns j in the list. */
static void products(const struct summed *A, const int64_t *columns, int64_t count, int power, const double *r,
                     double *g)
{
    int bound = dcpn_summed_take_hint(A), is_hint = bound != SUMMED_NO_HINT;
    do {
        set_grids(A, columns, count, power, is_hint ? bound : dcpn_summed_bound(A, r));
        add_columns(A, columns, count, power, r, A->words);
        A->words[count] = is_hint && !is_within(A, r, bound); /* on how many ranks it fails */
        dcpn_ranks_sum(A->base.context, A->words, count + 1);
        is_hint = 0;
    } while (A->words[count] != 0);
    for (int64_t k = 0; k < count; k++) g[k] = dcpn_off_grid(&A->grids[k], A->words[k]);
}

static int64_t adjoint(const dcpn_matrix *matrix, const double *r, double *g)
{
    products(summed_of(matrix), NULL, matrix->columns, 1, r, g);
    return matrix->entries;
}

static void column_dots(const dcpn_matrix *matrix, const int64_t *columns, int64_t count, const double *r, double *g)
{
    products(summed_of(matrix), columns, count, 1, r, g);
}

static double column_dot(const dcpn_matrix *matrix, int64_t j, const double *r)
{
    double dot;
    products(summed_of(matrix), &j, 1, 1, r, &dot);
    return dot;
}

static double column_curvature(const dcpn_matrix *matrix, int64_t j, const double *w)
{
    double curvature;
    products(summed_of(matrix), &j, 1, 2, w, &curvature);
    return curvature;
}

static void column_curvatures(const dcpn_matrix *matrix, const int64_t *columns, int64_t count, const double *w,
                              double *out)
{
    products(summed_of(matrix), columns, count, 2, w, out);
}

static int64_t curvatures(const dcpn_matrix *matrix, const double *w, double *out)
{
    products(summed_of(matrix), NULL, matrix->columns, 2, w, out);
    return matrix->entries;
}

static int64_t adjoint_and_curvatures(const dcpn_matrix *matrix, const double *r, const double *w,
                                      const struct column_work *also, double *g, double *out)
{
    if (also) also->columns(also->user, 0, matrix->columns);
    int64_t touched = adjoint(matrix, r, g);
    int *bounds[] = {(int *)(uintptr_t)&summed_of(matrix)->bound,
                     (int *)(uintptr_t)&summed_of(matrix)->bound_of_weights};
    *bounds[0] = *bounds[1];
    *bounds[1] = SUMMED_NO_HINT;
    return touched + curvatures(matrix, w, out);
}

/* ---- what a rank does alone: u and vectors of columns ---- */

/* One score. */
static int64_t apply_stored(const struct summed *A, const double *x, double *u)
{
    int64_t touched = 0, stored = stored_columns(A);
    if (!A->is_sparse)
        for (int64_t b = 0; b < A->block_count; b++)
            A->blocks[b]->ops->apply(A->blocks[b], x, u + b * DCPN_ROWS_OF_A_BLOCK);
    else
        memset(u, 0, (size_t)A->inner->rows * sizeof *u);
    for (int64_t j = dcpn_next_nonzero(stored, x, 0); j < stored; j = dcpn_next_nonzero(stored, x, j + 1)) {
        if (A->is_sparse) A->inner->ops->column_add(A->inner, j, x[j], u);
        touched += A->is_sparse ? A->counts[j] : A->all_rows;
    }
    return touched;
}

static int64_t apply(const dcpn_matrix *matrix, const double *x, double *u)
{
    const struct summed *A = summed_of(matrix);
    int64_t touched = 0, rows = A->inner->rows;
    for (int64_t k = 0; k < A->scores; k++) {
        double *u_k = u + k * rows, constant = A->has_ones ? x[columns_of_scores(A) + k] : 0.0;
        touched += apply_stored(A, x + k * stored_columns(A), u_k);
        for (int64_t i = 0; i < rows && A->has_ones; i++) u_k[i] += constant;
    }
    return touched;
}

static void column_axpy(const dcpn_matrix *matrix, int64_t j, double alpha, const double *w, double *u)
{
    const struct summed *A = summed_of(matrix);
    struct summed_place at = dcpn_summed_place(A, j);
    w += at.rows_before;
    u += at.rows_before;
    if (!is_constant(A, j)) {
        A->inner->ops->column_axpy(A->inner, at.column, alpha, w, u);
        return;
    }
    for (int64_t i = 0; i < A->inner->rows; i++) u[i] += alpha * w[i];
}

static void column_add(const dcpn_matrix *matrix, int64_t j, double alpha, double *u)
{
    const struct summed *A = summed_of(matrix);
    struct summed_place at = dcpn_summed_place(A, j);
    u += at.rows_before;
    if (!is_constant(A, j)) {
        A->inner->ops->column_add(A->inner, at.column, alpha, u);
        return;
    }
    for (int64_t i = 0; i < A->inner->rows; i++) u[i] += alpha;
}

static int64_t column_entries(const dcpn_matrix *matrix, int64_t j)
{
    const struct summed *A = summed_of(matrix);
    if (is_constant(A, j)) return 0;
    return A->is_sparse ? A->counts[dcpn_summed_place(A, j).column] : A->all_rows;
}

int64_t dcpn_summed_columns_with_entries(const struct summed *A)
{
    int64_t count = 0;
    for (int64_t j = 0; j < stored_columns(A); j++) count += column_entries(&A->base, j) > 0;
    return count;
}

static int64_t column(const dcpn_matrix *matrix, int64_t j, int64_t *rows, double *values)
{
    const struct summed *A = summed_of(matrix);
    struct summed_place at = dcpn_summed_place(A, j);
    int64_t count = A->inner->rows;
    if (!is_constant(A, j)) count = A->inner->ops->column(A->inner, at.column, rows, values);
    for (int64_t i = 0; i < count && is_constant(A, j); i++) {
        rows[i] = i;
        values[i] = 1.0;
    }
    for (int64_t i = 0; i < count && at.rows_before > 0; i++) rows[i] += at.rows_before;
    return count;
}

/* ---- Gram matrices ---- */

static double gram_work(const dcpn_matrix *matrix, double in_use, int64_t count)
{
    (void)in_use;
    (void)count;
    return (double)matrix->entries;
}

static int64_t gram_numbers(const dcpn_matrix *matrix)
{
    return matrix->columns;
}

static const struct matrix_ops summed_ops = {
    .apply = apply,
    .adjoint = adjoint,
    .column_dot = column_dot,
    .column_dots = column_dots,
    .column_curvature = column_curvature,
    .column_curvatures = column_curvatures,
    .curvatures = curvatures,
    .adjoint_and_curvatures = adjoint_and_curvatures,
    .column_axpy = column_axpy,
    .column_add = column_add,
    .column_entries = column_entries,
    .column = column,
    .gram = dcpn_summed_gram,
    .gram_work = gram_work,
    .gram_numbers = gram_numbers,
    .by_ranks = 1,
};

const struct summed *dcpn_summed_of(const dcpn_matrix *matrix)
{
    return matrix->ops == &summed_ops ? summed_of(matrix) : NULL;
}

double dcpn_matrix_all_rows(const dcpn_matrix *matrix)
{
    return matrix->ops == &summed_ops ? (double)(summed_of(matrix)->scores * summed_of(matrix)->all_rows)
                                     : (double)matrix->rows;
}

void dcpn_summed_make_base(struct summed *A, dcpn_context *context)
{
    A->base = (dcpn_matrix){.ops = &summed_ops,
                            .context = context,
                            .rows = A->scores * A->inner->rows,
                            .columns = A->scores * (A->inner->columns + A->has_ones)};
}

int64_t dcpn_summed_most_in_use(const dcpn_matrix *matrix, int64_t columns)
{
    return dcpn_gram_most((int64_t)dcpn_matrix_all_rows(matrix), columns);
}
