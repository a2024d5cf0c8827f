/* SPDX-License-Identifier: BSD-3-Clause */
/* Gram matrices over the rows of all ranks. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "matrix/dense.h"
#include "matrix/summed.h"

static int is_constant(const struct summed *A, int64_t j)
{
    return j >= A->scores * A->inner->columns;
}

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
    return A->exponents[j] > SUMMED_LEAST_SCALED ? A->exponents[j] : SUMMED_LEAST_SCALED;
}

static void unscale(int64_t count, const double *scale, double scale_w, double *G)
{
    for (int64_t a = 0; a < count; a++)
        for (int64_t b = 0; b <= a; b++) G[a * count + b] = G[a * count + b] / scale[a] / scale[b] / scale_w;
}

/* The words of this rank, in G, become the products of all. */
static void take_sums(const struct summed *A, const struct grid *grid, int64_t count, const double *scale,
                      double scale_w, double *G)
{
    dcpn_ranks_sum(A->base.context, (int64_t *)(void *)G, count * (count + 1) / 2);
    take_triangle(count, grid, G);
    unscale(count, scale, scale_w, G);
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
    take_sums(A, &on.grid, count, scale, on.scale_w, G);
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
    return dcpn_grid(A->exponents[j] + A->exponents[k] + of_w + SUMMED_EXPONENT_OF_A_BLOCK, blocks);
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

/* ---- several scores a row ----
 *
 * w has s_ik = w_i p_ik, sum_k p_ik = 1, and the matrix is the sum over the rows of
 *     A_i'(diag(s_i) - s_i s_i' / w_i)A_i.
 * Entries of a row are there once for each score whose column is in U. The terms are at most 2 w_i, by scaled
 * columns. */
struct score_entries {
    int64_t count, *place, *score;
    double *v, *vs, *vp; /* the entry; times s_ik and times p_ik of its score, by scale */
};

static void take_entry(const struct summed *A, const struct gram_space *space, int64_t j, double value, double scale_w,
                       const double *w, int64_t i, double total, const double *scale, struct score_entries *e)
{
    int is_one = j == A->inner->columns;
    for (int64_t k = 0; k < A->scores; k++) {
        int64_t at = space->number[is_one ? A->scores * j + k : k * A->inner->columns + j] - 1;
        if (at < 0) continue;
        double s = w[k * A->inner->rows + i], v = value * scale[at];
        e->place[e->count] = at;
        e->score[e->count] = k;
        e->v[e->count] = v;
        e->vs[e->count] = v * (s * scale_w);
        e->vp[e->count++] = v * (s / total);
    }
}

static void add_pairs(const struct score_entries *e, const struct grid *grid, int64_t *words)
{
    for (int64_t a = 0; a < e->count; a++)
        for (int64_t b = 0; b <= a; b++) {
            int64_t high = e->place[a] > e->place[b] ? e->place[a] : e->place[b];
            int64_t low = e->place[a] + e->place[b] - high;
            int64_t *word = &words[high * (high + 1) / 2 + low];
            double across = e->vs[a] * e->vp[b], own = e->score[a] == e->score[b] ? e->vs[a] * e->v[b] : 0.0;
            *word = dcpn_add_on_grid(*word, own - across, grid);
        }
}

/* The stored entries of a row in columns that are in use; returns their number. */
static int64_t read_row(const struct summed *A, int64_t i, const int64_t *in_use, int64_t count, int64_t *columns,
                        double *values)
{
    struct dense_view view;
    if (A->is_sparse) return A->inner->ops->row(A->inner, i, columns, values);
    dcpn_dense_view(A->inner, &view);
    for (int64_t k = 0; k < count; k++) {
        columns[k] = in_use[k];
        values[k] = dcpn_dense_view_entry(&view, i, in_use[k]);
    }
    return count;
}

/* The stored columns that are in U for some score, each once: they are marked in A->words meanwhile. */
static int64_t list_in_use(const struct summed *A, const int64_t *U, int64_t count, int64_t *in_use)
{
    int64_t found = 0, stored = A->inner->columns;
    memset(A->words, 0, (size_t)stored * sizeof *A->words);
    for (int64_t k = 0; k < count; k++) {
        int64_t j = dcpn_summed_place(A, U[k]).column;
        if (j < stored) A->words[j] = 1;
    }
    for (int64_t j = 0; j < stored; j++)
        if (A->words[j]) in_use[found++] = j;
    return found;
}

static void gram_of_scores(const struct summed *A, const double *w, int of_w, const int64_t *U, int64_t count,
                           struct gram_space *space, double *G)
{
    int64_t *in_use = A->stored, *columns = A->words, rows = A->inner->rows, most = 1;
    double *scale = space->block, scale_w = ldexp(1.0, -of_w);
    struct score_entries e = {0, space->place, space->distinct, scale + count, scale + 2 * count, scale + 3 * count};
    for (int64_t k = 0; k < count; k++) {
        int64_t j = dcpn_summed_place(A, U[k]).column;
        scale[k] = ldexp(1.0, -scaled_exponent(A, j));
        most = A->counts[j] > most ? A->counts[j] : most;
        space->number[U[k]] = k + 1;
    }
    int64_t used = A->is_sparse ? 0 : list_in_use(A, U, count, in_use);
    const struct grid grid = dcpn_grid(1, A->is_sparse ? most : A->all_rows);
    memset(G, 0, (size_t)(count * (count + 1) / 2) * sizeof *G);
    for (int64_t i = 0; i < rows; i++) {
        double total = 0.0;
        for (int64_t k = 0; k < A->scores; k++) total += w[k * rows + i];
        if (!(total > 0.0)) continue;
        int64_t entries = read_row(A, i, in_use, used, columns, A->numbers);
        e.count = 0;
        for (int64_t n = 0; n < entries; n++)
            take_entry(A, space, columns[n], A->numbers[n], scale_w, w, i, total, scale, &e);
        if (A->has_ones) take_entry(A, space, A->inner->columns, 1.0, scale_w, w, i, total, scale, &e);
        add_pairs(&e, &grid, (int64_t *)(void *)G);
    }
    for (int64_t k = 0; k < count; k++) space->number[U[k]] = 0;
    take_sums(A, &grid, count, scale, scale_w, G);
}

int64_t dcpn_summed_gram(const dcpn_matrix *matrix, const double *w, const int64_t *U, int64_t count,
                         struct gram_space *space, double *G)
{
    const struct summed *A = (const struct summed *)matrix;
    int of_w = dcpn_summed_take_hint(A);
    if (of_w == SUMMED_NO_HINT) of_w = dcpn_summed_bound(A, w);
    if (count == 0) return 0;
    if (of_w == DCPN_NO_BOUND || of_w < SUMMED_LEAST_SCALED) { /* not finite; or nothing weighs anything */
        for (int64_t k = 0; k < count * count; k++) G[k] = of_w == DCPN_NO_BOUND ? (double)NAN : 0.0;
        return matrix->entries;
    }
    if (A->scores > 1)
        gram_of_scores(A, w, of_w, U, count, space, G);
    else
        (A->is_sparse ? gram_of_sparse : gram_of_dense)(A, w, of_w, U, count, space, G);
    dcpn_gram_mirror(count, G);
    return matrix->entries;
}

