/* SPDX-License-Identifier: BSD-3-Clause */
/* Products with a matrix of which each rank has some rows. */
#include "matrix/summed.h"

#include <math.h>

#include "base/threads.h"
#include "base/vector.h"
#include "matrix/dense.h"

/* A plain sum over a block of 2^10 rows is below 2^11 times its largest term, rounding included. */
enum { EXPONENT_OF_A_BLOCK = 11, PARALLEL_FROM = 1 << 18, EXPONENT_OF_1 = 1, LEAST_SCALED = -1000 };

static const struct summed *summed_of(const dcpn_matrix *matrix)
{
    return (const struct summed *)matrix;
}

static int64_t stored_columns(const struct summed *A)
{
    return A->inner->columns;
}

static int is_constant(const struct summed *A, int64_t j)
{
    return j == stored_columns(A);
}

/* ---- sums on the grids of columns ---- */

static double largest_of_rows(const struct summed *A, const double *r)
{
    double largest = 0.0;
    for (int64_t i = 0; i < A->base.rows; i++)
        if (!(fabs(r[i]) <= largest)) largest = fabs(r[i]); /* NaN stays */
    return largest;
}

static int largest_exponent(const struct summed *A, const double *r)
{
    return dcpn_exponent(dcpn_ranks_largest(A->base.context, largest_of_rows(A, r)));
}

/* The hint holds for one product. */
static int take_hint(const struct summed *A)
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
    if (bound > 0.0 && exponent > LEAST_SCALED && exponent < -LEAST_SCALED) *(int *)(uintptr_t)hint = exponent;
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
        int64_t j = columns ? columns[k] : k;
        int of_block = A->is_sparse || is_constant(A, j) ? 0 : EXPONENT_OF_A_BLOCK;
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
    for (int64_t i = 0; i < A->base.rows; i++) *word = dcpn_add_on_grid(*word, r[i], grid);
}

/* words_k of the columns in the list, NULL: all; the constant may be anywhere in it. */
static void add_columns(const struct summed *A, const int64_t *columns, int64_t count, int power, const double *r,
                        int64_t *words)
{
    for (int64_t first = 0, next; first < count; first = next + 1) {
        for (next = first; next < count && !is_constant(A, columns ? columns[next] : next);) next++;
        struct on_columns on = {&A->arrays.by_column, columns ? columns + first : NULL, r, A->grids + first,
                                words + first};
        if (next > first) (A->is_sparse ? add_sparse : add_dense)(A, &on, next - first, power);
        if (next < count) add_rows(A, r, &A->grids[next], &words[next]);
    }
}

/* g_k = sum_i a_ij^power r_i for the columns j in the list. */
static void products(const struct summed *A, const int64_t *columns, int64_t count, int power, const double *r,
                     double *g)
{
    int bound = take_hint(A), is_hint = bound != SUMMED_NO_HINT;
    do {
        set_grids(A, columns, count, power, is_hint ? bound : largest_exponent(A, r));
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

static int64_t apply(const dcpn_matrix *matrix, const double *x, double *u)
{
    const struct summed *A = summed_of(matrix);
    int64_t touched = 0, stored = stored_columns(A);
    if (!A->is_sparse)
        for (int64_t b = 0; b < A->block_count; b++)
            A->blocks[b]->ops->apply(A->blocks[b], x, u + b * DCPN_ROWS_OF_A_BLOCK);
    else
        memset(u, 0, (size_t)matrix->rows * sizeof *u);
    for (int64_t j = dcpn_next_nonzero(stored, x, 0); j < stored; j = dcpn_next_nonzero(stored, x, j + 1)) {
        if (A->is_sparse) A->inner->ops->column_add(A->inner, j, x[j], u);
        touched += A->is_sparse ? A->counts[j] : A->all_rows;
    }
    for (int64_t i = 0; i < matrix->rows && A->has_ones; i++) u[i] += x[stored];
    return touched;
}

static void column_axpy(const dcpn_matrix *matrix, int64_t j, double alpha, const double *w, double *u)
{
    const struct summed *A = summed_of(matrix);
    if (!is_constant(A, j)) {
        A->inner->ops->column_axpy(A->inner, j, alpha, w, u);
        return;
    }
    for (int64_t i = 0; i < matrix->rows; i++) u[i] += alpha * w[i];
}

static void column_add(const dcpn_matrix *matrix, int64_t j, double alpha, double *u)
{
    const struct summed *A = summed_of(matrix);
    if (!is_constant(A, j)) {
        A->inner->ops->column_add(A->inner, j, alpha, u);
        return;
    }
    for (int64_t i = 0; i < matrix->rows; i++) u[i] += alpha;
}

static int64_t column_entries(const dcpn_matrix *matrix, int64_t j)
{
    const struct summed *A = summed_of(matrix);
    if (is_constant(A, j)) return 0;
    return A->is_sparse ? A->counts[j] : A->all_rows;
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
    if (!is_constant(A, j)) return A->inner->ops->column(A->inner, j, rows, values);
    for (int64_t i = 0; i < matrix->rows; i++) {
        rows[i] = i;
        values[i] = 1.0;
    }
    return matrix->rows;
}

/* ---- Gram matrices ---- */

/* The words become doubles in place: a word stands before or at the place of its number. */
static void take_triangle(int64_t count, const struct grid *grid, double *G)
{
    for (int64_t a = count; a-- > 0;)
        for (int64_t b = a + 1; b-- > 0;) {
            int64_t word;
            memcpy(&word, G + a * (a + 1) / 2 + b, sizeof word);
            G[a * count + b] = dcpn_off_grid(grid, word);
        }
}

/* Columns are scaled to at most 1, so that one grid serves all pairs: s_j = 2^-exponent, of tiny ones 2^1000. */
static int scaled_exponent(const struct summed *A, int64_t j)
{
    return A->exponents[j] > LEAST_SCALED ? A->exponents[j] : LEAST_SCALED;
}

static void unscale(int64_t count, const double *scale, double scale_w, double *G)
{
    for (int64_t a = 0; a < count; a++)
        for (int64_t b = 0; b <= a; b++) G[a * count + b] = G[a * count + b] / scale[a] / scale[b] / scale_w;
}

static void gram_of_sparse(const struct summed *A, const double *w, int of_w, const int64_t *U, int64_t count,
                           struct gram_space *space, double *G)
{
    int has_ones = count > 0 && is_constant(A, U[count - 1]);
    int64_t most = 1;
    double *scale = space->block; /* of each column; then v and wv of a row */
    for (int64_t k = 0; k < count; k++) {
        scale[k] = ldexp(1.0, -scaled_exponent(A, U[k]));
        most = A->counts[U[k]] > most ? A->counts[U[k]] : most;
        if (!is_constant(A, U[k])) space->number[U[k]] = k + 1;
    }
    struct on_rows on = {.A = &A->arrays.by_row,
                         .number = space->number,
                         .count = count - has_ones,
                         .has_ones = has_ones,
                         .w = w,
                         .scale = scale,
                         .scale_w = ldexp(1.0, -of_w),
                         .grid = dcpn_grid(0, most),
                         .place = space->place,
                         .v = scale + count,
                         .wv = scale + 2 * count,
                         .words = (int64_t *)(void *)G};
    memset(G, 0, (size_t)(count * (count + 1) / 2) * sizeof *G);
    dcpn_summed_kernels(on.A->value_type, on.A->index_type)->gram(&on);
    for (int64_t k = 0; k < count; k++)
        if (!is_constant(A, U[k])) space->number[U[k]] = 0;
    dcpn_ranks_sum(A->base.context, on.words, count * (count + 1) / 2);
    take_triangle(count, &on.grid, G);
    unscale(count, scale, on.scale_w, G);
}

/* The triangle of a block, plain, with the constant behind. */
static void gram_of_block(const struct summed *A, int64_t b, const double *w, const int64_t *U, int64_t count,
                          struct gram_space *space, double *G)
{
    const dcpn_matrix *block = A->blocks[b];
    int has_ones = is_constant(A, U[count - 1]);
    int64_t others = count - has_ones;
    block->ops->gram(block, w, U, others, space, G);
    if (!has_ones) return;
    for (int64_t a = others - 1; a > 0; a--) memmove(G + a * count, G + a * others, (size_t)others * sizeof *G);
    dcpn_matrix_column_dots(block, U, others, w, G + others * count);
    G[others * count + others] = 0.0;
    for (int64_t i = 0; i < block->rows; i++) G[others * count + others] += w[i];
}

/* The grids of pairs follow from those of their columns. */
static struct grid grid_of_pair(const struct summed *A, int64_t j, int64_t k, int of_w)
{
    int64_t blocks = (A->all_rows + DCPN_ROWS_OF_A_BLOCK - 1) / DCPN_ROWS_OF_A_BLOCK;
    return dcpn_grid(A->exponents[j] + A->exponents[k] + of_w + EXPONENT_OF_A_BLOCK, blocks);
}

static void gram_of_dense(const struct summed *A, const double *w, int of_w, const int64_t *U, int64_t count,
                          struct gram_space *space, double *G)
{
    int64_t *words = (int64_t *)(void *)G, pairs = count * (count + 1) / 2;
    memset(G, 0, (size_t)pairs * sizeof *G);
    for (int64_t n = 0; n < A->block_count; n++) {
        gram_of_block(A, n, w + n * DCPN_ROWS_OF_A_BLOCK, U, count, space, space->block);
        for (int64_t a = 0, at = 0; a < count; a++)
            for (int64_t b = 0; b <= a; b++, at++) {
                struct grid grid = grid_of_pair(A, U[a], U[b], of_w);
                words[at] = dcpn_add_on_grid(words[at], space->block[a * count + b], &grid);
            }
    }
    dcpn_ranks_sum(A->base.context, words, pairs);
    for (int64_t a = count; a-- > 0;)
        for (int64_t b = a + 1; b-- > 0;) {
            struct grid grid = grid_of_pair(A, U[a], U[b], of_w);
            int64_t word;
            memcpy(&word, G + a * (a + 1) / 2 + b, sizeof word);
            G[a * count + b] = dcpn_off_grid(&grid, word);
        }
}

static int64_t gram(const dcpn_matrix *matrix, const double *w, const int64_t *U, int64_t count,
                    struct gram_space *space, double *G)
{
    const struct summed *A = summed_of(matrix);
    int of_w = take_hint(A);
    if (of_w == SUMMED_NO_HINT) of_w = largest_exponent(A, w);
    if (count == 0) return 0;
    if (of_w == DCPN_NO_BOUND || of_w < LEAST_SCALED) { /* not finite; or nothing weighs anything */
        for (int64_t k = 0; k < count * count; k++) G[k] = of_w == DCPN_NO_BOUND ? (double)NAN : 0.0;
        return matrix->entries;
    }
    (A->is_sparse ? gram_of_sparse : gram_of_dense)(A, w, of_w, U, count, space, G);
    dcpn_gram_mirror(count, G);
    return matrix->entries;
}

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
    .gram = gram,
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
    return matrix->ops == &summed_ops ? (double)summed_of(matrix)->all_rows : (double)matrix->rows;
}

void dcpn_summed_make_base(struct summed *A, dcpn_context *context)
{
    A->base = (dcpn_matrix){&summed_ops, context, A->inner->rows, A->inner->columns + A->has_ones, 0};
}

int64_t dcpn_summed_most_in_use(const dcpn_matrix *matrix, int64_t columns)
{
    return dcpn_gram_most((int64_t)dcpn_matrix_all_rows(matrix), columns);
}
