/* SPDX-License-Identifier: BSD-3-Clause */
/* What is factored. If an entry of X is missing, those that are seen are sorted by rows and by columns, and a sparse
 * matrix of them stands for X where only products are wanted. */
#include "structured/factor_source.h"

#include <string.h>

#include "base/context.h"
#include "base/vector.h"

/* Row i of X, its zeros included. */
static void spread_row(const dcpn_matrix *X, int64_t i, int64_t *index, double *value, double *row)
{
    int64_t count = X->ops->row(X, i, index, value);
    dcpn_fill(X->columns, 0.0, row);
    for (int64_t k = 0; k < count; k++) row[index[k]] = value[k];
}

static int64_t count_gaps(const dcpn_matrix *X, int64_t *index, double *value)
{
    int64_t gaps = 0;
    for (int64_t i = 0; i < X->rows; i++) {
        int64_t count = X->ops->row(X, i, index, value);
        for (int64_t k = 0; k < count; k++) gaps += value[k] == DCPN_MISSING;
    }
    return gaps;
}

/* ---- what is seen ---- */

struct listed {
    int64_t *row, *column;
    double *value;
};

static void list_seen(const dcpn_matrix *X, int64_t *index, double *value, double *row, struct listed *to)
{
    int64_t e = 0;
    for (int64_t i = 0; i < X->rows; i++) {
        spread_row(X, i, index, value, row);
        for (int64_t j = 0; j < X->columns; j++) {
            if (row[j] == DCPN_MISSING) continue;
            to->row[e] = i, to->column[e] = j, to->value[e++] = row[j];
        }
    }
}

/* X of its seen entries alone, which it borrows. */
static dcpn_status stand_in(dcpn_context *context, struct factor_source *source)
{
    const struct seen *seen = &source->seen;
    const dcpn_compressed arrays = {.rows = seen->rows,
                                    .columns = seen->columns,
                                    .pointers = seen->row_start,
                                    .indices = seen->column_of,
                                    .index_type = DCPN_INT64,
                                    .values = seen->value,
                                    .value_type = DCPN_FLOAT64};
    DCPN_TRY(dcpn_matrix_csr(context, &arrays, DCPN_BORROW, &source->own));
    source->X = source->own;
    return DCPN_OK;
}

static dcpn_status sort(dcpn_context *context, const struct listed *listed, int of_columns,
                        struct factor_source *source)
{
    struct seen *seen = &source->seen;
    struct arena spare = {0};
    const dcpn_entries entries = {.rows = seen->rows,
                                  .columns = seen->columns,
                                  .count = seen->count,
                                  .row = of_columns ? listed->column : listed->row,
                                  .column = of_columns ? listed->row : listed->column,
                                  .value = listed->value};
    DCPN_TRY(dcpn_seen_check(context, &entries));
    dcpn_seen_layout(seen, &source->arena);
    DCPN_TRY(dcpn_arena_allocate(context, &source->arena, &spare));
    dcpn_seen_layout(seen, &source->arena);
    DCPN_TRY(dcpn_seen_sort(context, &entries, 0.0, seen));
    return stand_in(context, source);
}

static dcpn_status take_seen(dcpn_context *context, const dcpn_matrix *X, int of_columns, int64_t gaps, int64_t *index,
                             double *value, struct factor_source *source)
{
    int64_t count;
    if (__builtin_mul_overflow(X->rows, X->columns, &count) || count > INT64_MAX / 64)
        return dcpn_fail(context, DCPN_MEMORY, "%lld x %lld entries, some of them missing, are beyond all memory",
                         (long long)X->rows, (long long)X->columns);
    count -= gaps;
    source->has_gaps = 1;
    source->seen = (struct seen){
        .rows = of_columns ? X->columns : X->rows, .columns = of_columns ? X->rows : X->columns, .count = count};
    struct listed listed = {.row = dcpn_allocate(context, (size_t)count, sizeof *listed.row),
                            .column = dcpn_allocate(context, (size_t)count, sizeof *listed.column),
                            .value = dcpn_allocate(context, (size_t)count, sizeof *listed.value)};
    double *row = dcpn_allocate(context, (size_t)X->columns, sizeof *row);
    dcpn_status status = listed.row && listed.column && listed.value && row ? DCPN_OK : DCPN_MEMORY;
    if (status == DCPN_OK) list_seen(X, index, value, row, &listed);
    if (status == DCPN_OK) status = sort(context, &listed, of_columns, source);
    dcpn_free(context, listed.row);
    dcpn_free(context, listed.column);
    dcpn_free(context, listed.value);
    dcpn_free(context, row);
    return status;
}

/* ---- the whole ---- */

dcpn_status dcpn_factor_source_take(dcpn_context *context, const dcpn_matrix *X, int of_columns,
                                    struct factor_source *source)
{
    *source = (struct factor_source){.X = X};
    int64_t *index = dcpn_allocate(context, (size_t)X->columns, sizeof *index);
    double *value = dcpn_allocate(context, (size_t)X->columns, sizeof *value);
    dcpn_status status = index && value ? DCPN_OK : DCPN_MEMORY;
    int64_t gaps = status == DCPN_OK ? count_gaps(X, index, value) : 0;
    if (gaps > 0) status = take_seen(context, X, of_columns, gaps, index, value, source);
    if (gaps == 0 && of_columns) {
        dcpn_matrix_transposed(&source->view, X);
        source->X = &source->view.base;
    }
    dcpn_free(context, index);
    dcpn_free(context, value);
    return status;
}

void dcpn_factor_source_free(dcpn_context *context, struct factor_source *source)
{
    dcpn_matrix_free(source->own);
    dcpn_arena_free(context, &source->arena);
    *source = (struct factor_source){0};
}

dcpn_status dcpn_factor_source_measure(dcpn_context *context, const struct factor_source *source, double *norms2)
{
    int is_view = source->X == &source->view.base;
    const dcpn_matrix *X = is_view ? source->view.inner : source->X;
    int64_t other = is_view ? X->rows : X->columns;
    int64_t *index = dcpn_allocate(context, (size_t)other, sizeof *index);
    double *value = dcpn_allocate(context, (size_t)other, sizeof *value);
    dcpn_status status = index && value ? DCPN_OK : DCPN_MEMORY;
    if (status == DCPN_OK) dcpn_fill(other, 1.0, value);
    for (int64_t j = 0; status == DCPN_OK && is_view && j < X->columns; j++)
        norms2[j] = X->ops->column_curvature(X, j, value);
    for (int64_t i = 0; status == DCPN_OK && !is_view && i < X->rows; i++)
        norms2[i] = dcpn_dot(X->ops->row(X, i, index, value), value, value);
    dcpn_free(context, index);
    dcpn_free(context, value);
    return status;
}
