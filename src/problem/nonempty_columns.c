/* SPDX-License-Identifier: BSD-3-Clause */
/* Values and row numbers are those of the given matrix; new are the column numbers of the rows, and where columns begin.
 * An empty column has no say in the loss, so its coefficient is 0, which bounds always allow. */
#include "problem/nonempty_columns.h"

#include "base/context.h"
#include "matrix/sparse.h"

static int64_t count_kept(int64_t columns, const int64_t *pointers)
{
    int64_t count = 0;
    for (int64_t j = 0; j < columns; j++) count += pointers[j + 1] > pointers[j];
    return count;
}

static double *gather_new(dcpn_context *context, const struct nonempty_columns *kept_columns, int64_t count, const double *all,
                          dcpn_status *status)
{
    if (!all) return NULL;
    double *kept = dcpn_allocate(context, (size_t)count, sizeof *kept);
    if (!kept) *status = DCPN_MEMORY;
    for (int64_t k = 0; kept && k < count; k++) kept[k] = all[kept_columns->column[k]];
    return kept;
}

/* The columns kept, and where each begins; number[j] is the place of column j among them. */
static void list_columns(const int64_t *pointers, struct nonempty_columns *kept_columns, int64_t *kept_pointers, int32_t *number)
{
    int64_t count = 0;
    for (int64_t j = 0; j < kept_columns->features; j++) {
        if (pointers[j + 1] == pointers[j]) continue;
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

static dcpn_status fill(dcpn_context *context, const struct compressed_both *given, int64_t count,
                        struct nonempty_columns *kept_columns)
{
    int32_t *number = dcpn_allocate(context, (size_t)kept_columns->features, sizeof *number);
    int64_t *kept_pointers = dcpn_allocate(context, (size_t)count + 1, sizeof *kept_pointers);
    dcpn_status status = number && kept_pointers ? DCPN_OK : DCPN_MEMORY;
    if (status == DCPN_OK) {
        list_columns(given->by_column.pointers, kept_columns, kept_pointers, number);
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

/* The matrix is made and the columns are known: the rest of the problem. */
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

static dcpn_status make(dcpn_context *context, const struct compressed_both *given, int64_t count,
                        struct nonempty_columns *kept_columns)
{
    DCPN_TRY(make_lists(context, count, kept_columns));
    kept_columns->row_indices = dcpn_allocate(context, (size_t)kept_columns->problem.A->entries, sizeof *kept_columns->row_indices);
    if (!kept_columns->row_indices) return DCPN_MEMORY;
    DCPN_TRY(fill(context, given, count, kept_columns));
    return restrict_problem(context, count, kept_columns);
}

dcpn_status dcpn_nonempty_columns_keep(dcpn_context *context, const dcpn_problem *problem, struct nonempty_columns *kept_columns)
{
    struct compressed_both given;
    *kept_columns = (struct nonempty_columns){.problem = *problem};
    if (!problem->A || problem->h || !dcpn_sparse_both(problem->A, &given)) return DCPN_OK;
    int64_t count = count_kept(problem->A->columns, given.by_column.pointers);
    if (count == 0 || count > INT32_MAX || 2 * count > problem->A->columns) return DCPN_OK;
    kept_columns->features = problem->A->columns;
    return make(context, &given, count, kept_columns);
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
