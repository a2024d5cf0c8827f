/* SPDX-License-Identifier: BSD-3-Clause */
/* Values and row numbers are those of the given matrix; new are the column numbers of the rows, and where columns
 * begin. An empty column has no say in the loss, so its coefficient is 0, which bounds always allow. */
#include "problem/nonempty_columns.h"

#include "base/context.h"
#include "base/ranks.h"
#include "matrix/sparse.h"

static int64_t count_kept(int64_t columns, const char *is_kept)
{
    int64_t count = 0;
    for (int64_t j = 0; j < columns; j++) count += is_kept[j];
    return count;
}

/* ---- which columns are empty on all ranks ---- */

enum { RANK_BITS = 16, COLUMNS_OF_A_WORD = 64 / RANK_BITS, MOST_RANKS = (1 << RANK_BITS) - 1 };

/* Have all ranks a sparse matrix of as many columns, of which each might leave half out? One short message. */
static int may_leave_out(dcpn_context *context, const dcpn_matrix *A, int is_sparse, int64_t count)
{
    int64_t words[] = {A->columns, -A->columns, !is_sparse, count};
    if (!dcpn_has_ranks(context)) return is_sparse && 2 * count <= A->columns;
    dcpn_ranks_max(context, words, 4);
    int is_alike = words[0] == -words[1] && !words[2] && dcpn_context_ranks(context) <= MOST_RANKS;
    return is_alike && 2 * words[3] <= A->columns && !dcpn_ranks_has_failed(context);
}

/* Counts on how many ranks each column has entries. The count takes 16 bits, so that the message has two bytes a
 * column. */
static dcpn_status ask_others(dcpn_context *context, int64_t columns, char *is_kept)
{
    int64_t count = (columns + COLUMNS_OF_A_WORD - 1) / COLUMNS_OF_A_WORD;
    int64_t *words = dcpn_allocate(context, (size_t)count, sizeof *words);
    if (!words) return DCPN_MEMORY;
    for (int64_t k = 0; k < count; k++) words[k] = 0;
    for (int64_t j = 0; j < columns; j++)
        words[j / COLUMNS_OF_A_WORD] |= (int64_t)((uint64_t)is_kept[j] << (j % COLUMNS_OF_A_WORD * RANK_BITS));
    dcpn_ranks_sum(context, words, count);
    for (int64_t j = 0; j < columns; j++)
        is_kept[j] = ((uint64_t)words[j / COLUMNS_OF_A_WORD] >> (j % COLUMNS_OF_A_WORD * RANK_BITS) & MOST_RANKS) != 0;
    dcpn_free(context, words);
    return dcpn_ranks_status(context);
}

/* ---- the problem on the others ---- */

static double *gather_new(dcpn_context *context, const struct nonempty_columns *kept_columns, int64_t count,
                          const double *all, dcpn_status *status)
{
    if (!all) return NULL;
    double *kept = dcpn_allocate(context, (size_t)count, sizeof *kept);
    if (!kept) *status = DCPN_MEMORY;
    for (int64_t k = 0; kept && k < count; k++) kept[k] = all[kept_columns->column[k]];
    return kept;
}

/* Lists the columns that are kept and where each begins; number[j] becomes the place of column j among them. */
static void list_columns(const int64_t *pointers, const char *is_kept, struct nonempty_columns *kept_columns,
                         int64_t *kept_pointers, int32_t *number)
{
    int64_t count = 0;
    for (int64_t j = 0; j < kept_columns->features; j++) {
        if (!is_kept[j]) continue;
        number[j] = (int32_t)count;
        kept_pointers[count] = pointers[j];
        kept_columns->column[count++] = j;
    }
    kept_pointers[count] = pointers[kept_columns->features];
}

static int64_t index_at(const dcpn_compressed *arrays, int64_t k)
{
    return arrays->index_type == DCPN_INT32 ? ((const int32_t *)arrays->indices)[k]
                                            : ((const int64_t *)arrays->indices)[k];
}

static dcpn_status make_matrix(dcpn_context *context, const struct compressed_both *given, int64_t *kept_pointers,
                               int64_t count, struct nonempty_columns *kept_columns, const int32_t *number)
{
    struct compressed_both kept = *given;
    for (int64_t k = 0; k < kept_columns->problem.A->entries; k++)
        kept_columns->row_indices[k] = number[index_at(&given->by_row, k)];
    kept.by_row.columns = kept.by_column.columns = count;
    kept.by_row.indices = kept_columns->row_indices;
    kept.by_row.index_type = DCPN_INT32;
    kept.by_column.pointers = kept.owned_column_pointers = kept_pointers;
    return dcpn_matrix_from_both(context, &kept, &kept_columns->A);
}

static dcpn_status fill(dcpn_context *context, const struct compressed_both *given, const char *is_kept, int64_t count,
                        struct nonempty_columns *kept_columns)
{
    int32_t *number = dcpn_allocate(context, (size_t)kept_columns->features, sizeof *number);
    int64_t *kept_pointers = dcpn_allocate(context, (size_t)count + 1, sizeof *kept_pointers);
    dcpn_status status = number && kept_pointers ? DCPN_OK : DCPN_MEMORY;
    if (status == DCPN_OK) {
        list_columns(given->by_column.pointers, is_kept, kept_columns, kept_pointers, number);
        status = make_matrix(context, given, kept_pointers, count, kept_columns, number);
        kept_pointers = NULL; /* the matrix has taken them over */
    }
    dcpn_free(context, number);
    dcpn_free(context, kept_pointers);
    return status;
}

static dcpn_status make_lists(dcpn_context *context, int64_t count, struct nonempty_columns *kept_columns)
{
    kept_columns->column = dcpn_allocate(context, (size_t)count, sizeof *kept_columns->column);
    return kept_columns->column ? DCPN_OK : DCPN_MEMORY;
}

/* Restricts the rest of the problem to the columns that are kept. The matrix is made already. */
static dcpn_status restrict_problem(dcpn_context *context, int64_t count, struct nonempty_columns *kept_columns)
{
    dcpn_problem *problem = &kept_columns->problem;
    dcpn_status status = DCPN_OK;
    problem->A = kept_columns->A;
    problem->factors = kept_columns->factors = gather_new(context, kept_columns, count, problem->factors, &status);
    problem->lower = kept_columns->lower = gather_new(context, kept_columns, count, problem->lower, &status);
    problem->upper = kept_columns->upper = gather_new(context, kept_columns, count, problem->upper, &status);
    return status;
}

static dcpn_status make(dcpn_context *context, const struct compressed_both *given, const char *is_kept, int64_t count,
                        struct nonempty_columns *kept_columns)
{
    DCPN_TRY(make_lists(context, count, kept_columns));
    kept_columns->row_indices =
        dcpn_allocate(context, (size_t)kept_columns->problem.A->entries, sizeof *kept_columns->row_indices);
    if (!kept_columns->row_indices) return DCPN_MEMORY;
    DCPN_TRY(fill(context, given, is_kept, count, kept_columns));
    return restrict_problem(context, count, kept_columns);
}

static int64_t mark_kept(const struct compressed_both *given, int64_t columns, char *is_kept)
{
    const int64_t *pointers = given->by_column.pointers;
    for (int64_t j = 0; j < columns; j++) is_kept[j] = pointers[j + 1] > pointers[j];
    return count_kept(columns, is_kept);
}

/* Keeps only the columns with entries, if they are no more than half of all. */
static dcpn_status keep(dcpn_context *context, const struct compressed_both *given, int is_sparse, char *is_kept,
                        struct nonempty_columns *kept_columns)
{
    const dcpn_matrix *A = kept_columns->problem.A;
    int64_t count = is_sparse ? mark_kept(given, A->columns, is_kept) : A->columns;
    if (!may_leave_out(context, A, is_sparse, count)) return DCPN_OK;
    if (dcpn_has_ranks(context)) {
        DCPN_TRY(ask_others(context, A->columns, is_kept));
        count = count_kept(A->columns, is_kept);
    }
    if (count == 0 || count > INT32_MAX || 2 * count > A->columns) return DCPN_OK;
    kept_columns->features = A->columns;
    return make(context, given, is_kept, count, kept_columns);
}

dcpn_status dcpn_nonempty_columns_keep(dcpn_context *context, const dcpn_problem *problem,
                                       struct nonempty_columns *kept_columns)
{
    struct compressed_both given;
    *kept_columns = (struct nonempty_columns){.problem = *problem};
    if (!problem->A || problem->h) return DCPN_OK;
    int is_sparse = dcpn_sparse_both(problem->A, &given);
    if (!is_sparse && !dcpn_has_ranks(context)) return DCPN_OK;
    char *is_kept = dcpn_allocate(context, (size_t)problem->A->columns, 1);
    if (!is_kept) return DCPN_MEMORY;
    dcpn_status status = keep(context, &given, is_sparse, is_kept, kept_columns);
    dcpn_free(context, is_kept);
    return status;
}

void dcpn_nonempty_columns_free(dcpn_context *context, struct nonempty_columns *kept_columns)
{
    dcpn_matrix_free(kept_columns->A);
    dcpn_free(context, kept_columns->column);
    dcpn_free(context, kept_columns->row_indices);
    dcpn_free(context, kept_columns->factors);
    dcpn_free(context, kept_columns->lower);
    dcpn_free(context, kept_columns->upper);
}
