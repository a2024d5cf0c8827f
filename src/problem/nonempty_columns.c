/* SPDX-License-Identifier: BSD-3-Clause */
/* Values and row numbers are those of the given matrix; new are the column numbers of the rows, and where columns begin.
 * An empty column has no say in the loss, so its coefficient is 0, which bounds always allow. */
#include "problem/nonempty_columns.h"

#include "base/context.h"
#include "matrix/copy_rows.h"
#include "matrix/sparse.h"

static int64_t count_kept(int64_t columns, const int64_t *pointers)
{
    int64_t count = 0;
    for (int64_t j = 0; j < columns; j++) count += pointers[j + 1] > pointers[j];
    return count;
}

static double *gather_new(dcpn_context *context, const struct compact *compact, int64_t count, const double *all,
                          dcpn_status *status)
{
    if (!all) return NULL;
    double *kept = dcpn_allocate(context, (size_t)count, sizeof *kept);
    if (!kept) *status = DCPN_MEMORY;
    for (int64_t k = 0; kept && k < count; k++) kept[k] = all[compact->column[k]];
    return kept;
}

/* The columns kept, and where each begins; number[j] is the place of column j among them. */
static void list_columns(const int64_t *pointers, struct compact *compact, int64_t *kept_pointers, int32_t *number)
{
    int64_t count = 0;
    for (int64_t j = 0; j < compact->features; j++) {
        if (pointers[j + 1] == pointers[j]) continue;
        number[j] = (int32_t)count;
        kept_pointers[count] = pointers[j];
        compact->column[count++] = j;
    }
    kept_pointers[count] = pointers[compact->features];
}

static int64_t index_at(const dcpn_compressed *arrays, int64_t k)
{
    return arrays->index_type == DCPN_INT32 ? ((const int32_t *)arrays->indices)[k]
                                            : ((const int64_t *)arrays->indices)[k];
}

static dcpn_status make_matrix(dcpn_context *context, const struct compressed_both *given, int64_t *kept_pointers,
                               int64_t count, struct compact *compact, const int32_t *number)
{
    struct compressed_both kept = *given;
    for (int64_t k = 0; k < compact->problem.A->entries; k++)
        compact->row_indices[k] = number[index_at(&given->by_row, k)];
    kept.by_row.columns = kept.by_column.columns = count;
    kept.by_row.indices = compact->row_indices;
    kept.by_row.index_type = DCPN_INT32;
    kept.by_column.pointers = kept.owned_column_pointers = kept_pointers;
    return dcpn_matrix_from_both(context, &kept, &compact->A);
}

static dcpn_status fill(dcpn_context *context, const struct compressed_both *given, int64_t count,
                        struct compact *compact)
{
    int32_t *number = dcpn_allocate(context, (size_t)compact->features, sizeof *number);
    int64_t *kept_pointers = dcpn_allocate(context, (size_t)count + 1, sizeof *kept_pointers);
    dcpn_status status = number && kept_pointers ? DCPN_OK : DCPN_MEMORY;
    if (status == DCPN_OK) {
        list_columns(given->by_column.pointers, compact, kept_pointers, number);
        status = make_matrix(context, given, kept_pointers, count, compact, number);
        kept_pointers = NULL; /* the matrix has taken them over */
    }
    dcpn_free(context, number);
    dcpn_free(context, kept_pointers);
    return status;
}

static dcpn_status make_lists(dcpn_context *context, int64_t count, struct compact *compact)
{
    compact->column = dcpn_allocate(context, (size_t)count, sizeof *compact->column);
    compact->coefficients = dcpn_allocate(context, (size_t)compact->features, sizeof *compact->coefficients);
    if (!compact->column || !compact->coefficients) return DCPN_MEMORY;
    for (int64_t j = 0; j < compact->features; j++) compact->coefficients[j] = 0.0;
    return DCPN_OK;
}

/* The matrix is made and the columns are known: the rest of the problem. */
static dcpn_status restrict_problem(dcpn_context *context, int64_t count, struct compact *compact)
{
    dcpn_problem *problem = &compact->problem;
    dcpn_status status = DCPN_OK;
    problem->A = compact->A;
    problem->factors = compact->factors = gather_new(context, compact, count, problem->factors, &status);
    problem->lower = compact->lower = gather_new(context, compact, count, problem->lower, &status);
    problem->upper = compact->upper = gather_new(context, compact, count, problem->upper, &status);
    return status;
}

static dcpn_status make(dcpn_context *context, const struct compressed_both *given, int64_t count,
                        struct compact *compact)
{
    DCPN_TRY(make_lists(context, count, compact));
    compact->row_indices = dcpn_allocate(context, (size_t)compact->problem.A->entries, sizeof *compact->row_indices);
    if (!compact->row_indices) return DCPN_MEMORY;
    DCPN_TRY(fill(context, given, count, compact));
    return restrict_problem(context, count, compact);
}

dcpn_status dcpn_compact_columns(dcpn_context *context, const dcpn_problem *problem, const int64_t *columns,
                                 int64_t count, struct compact *compact)
{
    *compact = (struct compact){.problem = *problem, .features = problem->A->columns};
    DCPN_TRY(make_lists(context, count, compact));
    for (int64_t k = 0; k < count; k++) compact->column[k] = columns[k];
    DCPN_TRY(dcpn_matrix_copy_columns(context, problem->A, columns, count, &compact->A));
    return restrict_problem(context, count, compact);
}

dcpn_status dcpn_compact_problem(dcpn_context *context, const dcpn_problem *problem, struct compact *compact)
{
    struct compressed_both given;
    *compact = (struct compact){.problem = *problem};
    if (!problem->A || problem->h || !dcpn_sparse_both(problem->A, &given)) return DCPN_OK;
    int64_t count = count_kept(problem->A->columns, given.by_column.pointers);
    if (count == 0 || count > INT32_MAX || 2 * count > problem->A->columns) return DCPN_OK;
    compact->features = problem->A->columns;
    return make(context, &given, count, compact);
}

void dcpn_compact_free(dcpn_context *context, struct compact *compact)
{
    dcpn_matrix_free(compact->A);
    dcpn_free(context, compact->column);
    dcpn_free(context, compact->row_indices);
    dcpn_free(context, compact->factors);
    dcpn_free(context, compact->lower);
    dcpn_free(context, compact->upper);
    dcpn_free(context, compact->coefficients);
}

void dcpn_compact_gather(const struct compact *compact, const double *all, double *kept)
{
    for (int64_t k = 0; k < compact->A->columns; k++) kept[k] = all[compact->column[k]];
}

void dcpn_compact_scatter(const struct compact *compact, const double *kept)
{
    for (int64_t k = 0; k < compact->A->columns; k++) compact->coefficients[compact->column[k]] = kept[k];
}
