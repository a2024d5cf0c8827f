/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ranks tell one another of their rows before they begin, and statistics of columns. */
#include <math.h>

#include "base/context.h"
#include "matrix/dense.h"
#include "matrix/summed.h"

enum { KINDS = 8 };

/* ---- what all ranks have to have alike ---- */

/* The largest and the least of each number, of all ranks. */
static dcpn_status compare(const struct summed *A, const int64_t *both)
{
    dcpn_context *context = A->base.context;
    if (both[0] != -both[1])
        return dcpn_fail(context, DCPN_DATA,
                         "ranks: found parts of the data with %lld to %lld features, expected the same number in each; "
                         "--features %lld sets it",
                         (long long)-both[1], (long long)both[0], (long long)both[0]);
    if (both[2] != -both[3])
        return dcpn_fail(
            context, DCPN_DATA,
            "ranks: found parts of the data that are dense and others that are sparse; --storage sparse or dense makes "
            "them alike");
    if (both[4] != -both[5] || both[6] != -both[7])
        return dcpn_fail(context, DCPN_USAGE, "ranks: found different settings, expected the same on all of them");
    return DCPN_OK;
}

static dcpn_status place_rows(struct summed *A, const int64_t *rows)
{
    dcpn_context *context = A->base.context;
    int32_t last = dcpn_context_ranks(context), me = dcpn_context_rank(context);
    while (last > 0 && rows[last - 1] == 0) last--;
    for (int32_t k = 0; k < last; k++) {
        if (k < me) A->first_row += rows[k];
        A->all_rows += rows[k];
        if (!A->is_sparse && k + 1 < last && rows[k] % DCPN_ROWS_OF_A_BLOCK != 0)
            return dcpn_fail(
                context, DCPN_DATA,
                "ranks: found %lld rows on rank %d, expected a multiple of %d of dense data on all ranks but the last; "
                "--storage sparse takes any",
                (long long)rows[k], (int)k, (int)DCPN_ROWS_OF_A_BLOCK);
    }
    if (A->all_rows > 0) return DCPN_OK;
    return dcpn_fail(context, DCPN_DATA, "ranks: found no rows on any of them, expected at least one");
}

/* One message: what has to be alike, and the rows of each rank in a slot of its own. */
static dcpn_status introduce(struct summed *A)
{
    dcpn_context *context = A->base.context;
    int32_t ranks = dcpn_context_ranks(context), me = dcpn_context_rank(context);
    const int64_t mine[KINDS / 2] = {A->inner->columns, A->is_sparse, A->has_ones, A->scores};
    int64_t *words = dcpn_allocate(context, (size_t)(KINDS + ranks), sizeof *words), *rows = words + KINDS;
    if (!words) return DCPN_MEMORY;
    for (int k = 0; k < KINDS / 2; k++) {
        words[2 * k] = mine[k];
        words[2 * k + 1] = -mine[k];
    }
    for (int32_t k = 0; k < ranks; k++) rows[k] = k == me ? A->inner->rows : 0;
    dcpn_ranks_max(context, words, KINDS + ranks);
    dcpn_status status = dcpn_ranks_status(context);
    if (status == DCPN_OK) status = compare(A, words);
    if (status == DCPN_OK) status = place_rows(A, rows);
    dcpn_free(context, words);
    return status;
}

/* ---- the terms of each column: how many there are, and how large ---- */

static double largest_of_dense(const struct summed *A, int64_t j)
{
    struct dense_view view;
    double largest = 0.0;
    dcpn_dense_view(A->inner, &view);
    for (int64_t i = 0; i < A->inner->rows; i++) largest = fmax(largest, fabs(dcpn_dense_view_entry(&view, i, j)));
    return largest;
}

static void measure_entries(struct summed *A)
{
    int64_t columns = A->inner->columns, blocks = (A->all_rows + DCPN_ROWS_OF_A_BLOCK - 1) / DCPN_ROWS_OF_A_BLOCK;
    if (A->is_sparse)
        dcpn_summed_kernels(A->arrays.by_column.value_type, A->arrays.by_column.index_type)
            ->largest(&A->arrays.by_column, A->numbers);
    for (int64_t j = 0; j < columns; j++) {
        double largest = A->is_sparse ? A->numbers[j] : largest_of_dense(A, j);
        A->words[j] = dcpn_exponent(largest);
        A->counts[j] = A->is_sparse ? A->inner->ops->column_entries(A->inner, j) : blocks;
    }
    dcpn_ranks_max(A->base.context, A->words, columns);
    if (A->is_sparse) dcpn_ranks_sum(A->base.context, A->counts, columns);
    A->base.entries = 0;
    for (int64_t j = 0; j < columns; j++) {
        A->exponents[j] = (int)A->words[j];
        A->base.entries += A->scores * (A->is_sparse ? A->counts[j] : A->all_rows);
    }
    if (!A->has_ones) return;
    A->exponents[columns] = 1; /* 1 < 2^1 */
    A->counts[columns] = A->all_rows;
}

static dcpn_status make_blocks(struct summed *A)
{
    dcpn_context *context = A->base.context;
    int64_t rows = A->inner->rows, count = (rows + DCPN_ROWS_OF_A_BLOCK - 1) / DCPN_ROWS_OF_A_BLOCK;
    if (A->is_sparse) return DCPN_OK;
    A->blocks = dcpn_allocate(context, (size_t)count, sizeof *A->blocks);
    if (!A->blocks) return DCPN_MEMORY;
    for (; A->block_count < count; A->block_count++) {
        int64_t first = A->block_count * DCPN_ROWS_OF_A_BLOCK, left = rows - first;
        DCPN_TRY(dcpn_dense_some_rows(A->inner, first, left < DCPN_ROWS_OF_A_BLOCK ? left : DCPN_ROWS_OF_A_BLOCK,
                                      &A->blocks[A->block_count]));
    }
    return DCPN_OK;
}

static dcpn_status allocate(struct summed *A)
{
    dcpn_context *context = A->base.context;
    size_t columns = (size_t)A->base.columns;
    A->counts = dcpn_allocate(context, columns, sizeof *A->counts);
    A->exponents = dcpn_allocate(context, columns, sizeof *A->exponents);
    A->grids = dcpn_allocate(context, columns, sizeof *A->grids);
    A->words = dcpn_allocate(context, 2 * columns + 1, sizeof *A->words);
    A->numbers = dcpn_allocate(context, 2 * columns, sizeof *A->numbers);
    A->stored = dcpn_allocate(context, columns, sizeof *A->stored);
    int has_all = A->stored && A->counts && A->exponents && A->grids && A->words && A->numbers;
    return has_all ? make_blocks(A) : DCPN_MEMORY;
}

dcpn_status dcpn_summed_new(dcpn_context *context, const dcpn_matrix *inner, int64_t scores, int has_ones,
                            struct summed **summed)
{
    struct dense_view view;
    struct summed *A = *summed = dcpn_allocate(context, 1, sizeof *A);
    if (!A) return DCPN_MEMORY;
    *A = (struct summed){.inner = inner,
                         .scores = scores,
                         .has_ones = has_ones,
                         .bound = SUMMED_NO_HINT,
                         .bound_of_weights = SUMMED_NO_HINT};
    dcpn_summed_make_base(A, context);
    A->is_sparse = dcpn_sparse_both(inner, &A->arrays);
    dcpn_status status = DCPN_OK;
    if (!A->is_sparse && !dcpn_dense_view(inner, &view))
        status = dcpn_fail(context, DCPN_USAGE, "--sums exact: it needs a dense or a sparse matrix");
    if (status == DCPN_OK) status = introduce(A);
    if (status == DCPN_OK) status = allocate(A);
    if (status == DCPN_OK) measure_entries(A);
    if (status == DCPN_OK) status = dcpn_ranks_status(context);
    if (status == DCPN_OK) return DCPN_OK;
    dcpn_summed_free(A);
    *summed = NULL;
    return status;
}

void dcpn_summed_free(struct summed *A)
{
    if (!A) return;
    dcpn_context *context = A->base.context;
    for (int64_t b = 0; b < A->block_count; b++) dcpn_matrix_free(A->blocks[b]);
    dcpn_free(context, A->blocks);
    dcpn_free(context, A->counts);
    dcpn_free(context, A->exponents);
    dcpn_free(context, A->grids);
    dcpn_free(context, A->words);
    dcpn_free(context, A->numbers);
    dcpn_free(context, A->stored);
    dcpn_free(context, A);
}
