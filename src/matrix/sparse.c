/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse matrices, held both by rows and by columns, so that A x and A'r are both gathers: one result, one thread. */
#include "matrix/sparse.h"

#include <stdatomic.h>
#include <string.h>

#include "base/ranks.h"
#include "matrix/compressed.h"

enum { SCATTER_BELOW = 4 }; /* A x by columns if they hold less than 1/4 of the entries */

struct sparse {
    dcpn_matrix base;
    struct compressed by_row, by_column;
};

static const struct sparse *sparse_of(const dcpn_matrix *matrix)
{
    return (const struct sparse *)matrix;
}

static int64_t entries_of(const struct compressed *C, int64_t k)
{
    return C->pointers[k + 1] - C->pointers[k];
}

/* NULL, the calling thread alone, where that is faster. */
static dcpn_context *threads_for(dcpn_context *context, const struct compressed *C)
{
    return C->pointers[C->vectors] > DCPN_SPARSE_PARALLEL_FROM ? context : NULL;
}

static void project(dcpn_context *context, const struct compressed *C, const double *c, double *out)
{
    int64_t groups = (C->vectors + DCPN_SPARSE_GROUP - 1) / DCPN_SPARSE_GROUP;
    dcpn_parallel_items(threads_for(context, C), groups, C->kernels->project_groups, &(struct projection){C, c, out});
}

/* Few columns in use: add them one by one. The choice looks at x alone, so it is the same for any thread count. */
static int64_t apply(const dcpn_matrix *matrix, const double *x, double *u)
{
    const struct compressed *rows = &sparse_of(matrix)->by_row, *columns = &sparse_of(matrix)->by_column;
    int64_t in_use = 0;
    for (int64_t j = 0; j < matrix->columns; j++)
        if (x[j] != 0.0) in_use += entries_of(columns, j);
    if (in_use >= matrix->entries / SCATTER_BELOW) {
        project(matrix->context, rows, x, u);
        return matrix->entries;
    }
    memset(u, 0, (size_t)matrix->rows * sizeof *u);
    for (int64_t j = 0; j < matrix->columns; j++)
        if (x[j] != 0.0) columns->kernels->scatter(columns, j, x[j], u);
    return in_use;
}

static int64_t adjoint(const dcpn_matrix *matrix, const double *r, double *g)
{
    const struct compressed *columns = &sparse_of(matrix)->by_column;
    project(matrix->context, columns, r, g);
    return matrix->entries;
}

static double column_dot(const dcpn_matrix *matrix, int64_t j, const double *r)
{
    const struct compressed *columns = &sparse_of(matrix)->by_column;
    return columns->kernels->dot(columns, j, r);
}

/* Where each array begins to be read: the rest of a long column is asked for while it is. */
static void column_soon(const dcpn_matrix *matrix, int64_t j)
{
    const struct compressed *columns = &sparse_of(matrix)->by_column;
    size_t first = (size_t)columns->pointers[j];
    const char *values = (const char *)columns->values + first * dcpn_compressed_value_size(columns);
    const char *indices = (const char *)columns->indices + first * dcpn_compressed_index_size(columns);
    __builtin_prefetch(values);
    __builtin_prefetch(values + 64);
    __builtin_prefetch(indices);
    __builtin_prefetch(indices + 64);
}

static double column_curvature(const dcpn_matrix *matrix, int64_t j, const double *w)
{
    const struct compressed *columns = &sparse_of(matrix)->by_column;
    return columns->kernels->curvature(columns, j, w);
}

static void column_axpy(const dcpn_matrix *matrix, int64_t j, double alpha, const double *w, double *u)
{
    const struct compressed *columns = &sparse_of(matrix)->by_column;
    columns->kernels->axpy(columns, j, alpha, w, u);
}

static void column_add(const dcpn_matrix *matrix, int64_t j, double alpha, double *u)
{
    const struct compressed *columns = &sparse_of(matrix)->by_column;
    columns->kernels->scatter(columns, j, alpha, u);
}

static int64_t column_entries(const dcpn_matrix *matrix, int64_t j)
{
    return entries_of(&sparse_of(matrix)->by_column, j);
}

static int64_t column(const dcpn_matrix *matrix, int64_t j, int64_t *rows, double *values)
{
    const struct compressed *columns = &sparse_of(matrix)->by_column;
    return columns->kernels->vector(columns, j, rows, values);
}

static int64_t row(const dcpn_matrix *matrix, int64_t i, int64_t *columns, double *values)
{
    const struct compressed *rows = &sparse_of(matrix)->by_row;
    return rows->kernels->vector(rows, i, columns, values);
}

/* Both triangles become their sum. */
static void fold(int64_t count, double *G)
{
    for (int64_t a = 0; a < count; a++)
        for (int64_t b = 0; b < a; b++) G[b * count + a] = G[a * count + b] += G[b * count + a];
}

static int64_t gram(const dcpn_matrix *matrix, const double *w, const int64_t *U, int64_t count,
                    struct gram_space *space, double *G)
{
    const struct compressed *rows = &sparse_of(matrix)->by_row;
    for (int64_t i = 0; i < count; i++) space->number[U[i]] = i + 1;
    memset(G, 0, (size_t)(count * count) * sizeof *G);
    rows->kernels->gram(rows, w, count, space, G);
    for (int64_t i = 0; i < count; i++) space->number[U[i]] = 0;
    fold(count, G);
    return matrix->entries;
}

/* All entries are looked at, and a row with k of them in U adds k^2 / 2 products. Rows are of unequal length, which
 * makes that 0.6 to 1 of (in_use / rows)^2 a row on text; and the larger G, the more of it is outside of the cache. Per
 * entry and product it took 0.7 ns for 240 columns, 1.5 for 1000 and 2.4 for 1860, an entry of a sweep about 1 ns. What
 * G is made for, sweeps in it and a factorisation, costs about as much as that. */
static double gram_work(const dcpn_matrix *matrix, double in_use, int64_t count)
{
    double n = (double)count;
    return (double)matrix->entries + (0.5 + 1e-3 * n) * in_use * in_use / (double)matrix->rows + n * n * n / 12.0;
}

static int64_t gram_numbers(const dcpn_matrix *matrix)
{
    return matrix->columns;
}

static void free_sparse(dcpn_matrix *matrix)
{
    struct sparse *A = (struct sparse *)matrix;
    dcpn_compressed_free(matrix->context, &A->by_row);
    dcpn_compressed_free(matrix->context, &A->by_column);
    dcpn_free(matrix->context, A);
}

static const struct matrix_ops sparse_ops = {
    .apply = apply,
    .adjoint = adjoint,
    .column_dot = column_dot,
    .column_soon = column_soon,
    .column_curvature = column_curvature,
    .column_axpy = column_axpy,
    .column_add = column_add,
    .column_entries = column_entries,
    .row = row,
    .column = column,
    .gram = gram,
    .gram_work = gram_work,
    .gram_numbers = gram_numbers,
    .free = free_sparse,
};

static const char *pointers_defect(const struct compressed *C)
{
    if (C->pointers[0] != 0) return "a first pointer that is not 0";
    for (int64_t k = 0; k < C->vectors; k++)
        if (C->pointers[k + 1] < C->pointers[k]) return "pointers that decrease";
    return NULL;
}

struct findings {
    const struct compressed *C;
    _Atomic int64_t first_wrong; /* vector; all of them: none */
    atomic_int ordered;
};

static void lower(_Atomic int64_t *least, int64_t k)
{
    int64_t now = atomic_load(least);
    while (k < now && !atomic_compare_exchange_weak(least, &now, k)) continue;
}

static void look_for_defects(void *user, int64_t begin, int64_t end)
{
    struct findings *findings = user;
    const struct compressed *C = findings->C;
    int ordered = 1;
    for (int64_t k = begin; k < end; k++)
        if (C->kernels->vector_defect(C, k, &ordered)) lower(&findings->first_wrong, k);
    if (!ordered) atomic_store(&findings->ordered, 0);
}

/* The defect of the first vector that has one, whatever the threads. */
static const char *entries_defect(dcpn_context *context, const struct compressed *C, int *ordered)
{
    struct findings findings = {.C = C, .first_wrong = C->vectors, .ordered = 1};
    dcpn_parallel_ranges(threads_for(context, C), C->vectors, look_for_defects, &findings);
    *ordered = findings.ordered;
    return findings.first_wrong < C->vectors ? C->kernels->vector_defect(C, findings.first_wrong, ordered) : NULL;
}

static dcpn_status find_twins(dcpn_context *context, const struct compressed *C, const char **defect)
{
    int64_t *last = dcpn_allocate(context, (size_t)C->length, sizeof *last);
    if (!last) return DCPN_MEMORY;
    memset(last, -1, (size_t)C->length * sizeof *last);
    if (C->kernels->has_twins(C, last)) *defect = "the same index twice in a row or column";
    dcpn_free(context, last);
    return DCPN_OK;
}

static dcpn_status check_arrays(dcpn_context *context, const struct compressed *C)
{
    int ordered;
    int may_be_empty = dcpn_has_ranks(context); /* of rows */
    if (C->vectors < !may_be_empty || C->length < !may_be_empty || (C->vectors < 1 && C->length < 1))
        return dcpn_fail(context, DCPN_DATA, "sparse matrix: found no rows or no columns, expected at least 1 of each");
    if (!C->pointers) return dcpn_fail(context, DCPN_USAGE, "sparse matrix: found no pointers (NULL)");
    const char *defect = pointers_defect(C);
    if (!defect && C->pointers[C->vectors] > 0 && !(C->indices && C->values)) defect = "no indices or no values (NULL)";
    if (!defect) defect = entries_defect(context, C, &ordered);
    if (!defect && !ordered) DCPN_TRY(find_twins(context, C, &defect));
    return defect ? dcpn_fail(context, DCPN_DATA, "sparse matrix: found %s", defect) : DCPN_OK;
}

/* Takes over what the orientations own. */
static dcpn_status pair_up(dcpn_context *context, struct compressed *by_row, struct compressed *by_column,
                           dcpn_matrix **matrix)
{
    struct sparse *A = dcpn_allocate(context, 1, sizeof *A);
    if (!A) {
        dcpn_compressed_free(context, by_row);
        dcpn_compressed_free(context, by_column);
        return DCPN_MEMORY;
    }
    A->base =
        (dcpn_matrix){&sparse_ops, context, by_row->vectors, by_column->vectors, by_row->pointers[by_row->vectors]};
    A->by_row = *by_row;
    A->by_column = *by_column;
    *matrix = &A->base;
    return DCPN_OK;
}

/* `given` is one orientation, checked, and is taken over; by_row says which. */
static dcpn_status new_sparse(dcpn_context *context, struct compressed *given, int by_row, dcpn_matrix **matrix)
{
    struct compressed other = {0};
    dcpn_status status = dcpn_transpose(context, given, &other);
    if (status == DCPN_OK) return pair_up(context, by_row ? given : &other, by_row ? &other : given, matrix);
    dcpn_compressed_free(context, given);
    dcpn_compressed_free(context, &other);
    return status;
}

static dcpn_status copy_array(dcpn_context *context, const void *from, size_t count, size_t size, void **copy)
{
    *copy = dcpn_allocate(context, count, size);
    if (!*copy) return DCPN_MEMORY;
    if (count > 0) memcpy(*copy, from, count * size); /* from may be NULL then */
    return DCPN_OK;
}

static dcpn_status copy_arrays(dcpn_context *context, struct compressed *C)
{
    size_t entries = (size_t)C->pointers[C->vectors];
    dcpn_status status = DCPN_OK;
    if (!C->owned_pointers)
        status = copy_array(context, C->pointers, (size_t)C->vectors + 1, sizeof(int64_t), &C->owned_pointers);
    if (status == DCPN_OK)
        status = copy_array(context, C->indices, entries, dcpn_compressed_index_size(C), &C->owned_indices);
    if (status == DCPN_OK)
        status = copy_array(context, C->values, entries, dcpn_compressed_value_size(C), &C->owned_values);
    if (status != DCPN_OK) {
        dcpn_compressed_free(context, C);
        return status;
    }
    C->pointers = C->owned_pointers;
    C->indices = C->owned_indices;
    C->values = C->owned_values;
    return DCPN_OK;
}

static dcpn_status check_types(dcpn_context *context, const dcpn_compressed *arrays)
{
    if ((unsigned)arrays->value_type > DCPN_FLOAT32 || (unsigned)arrays->index_type > DCPN_INT64)
        return dcpn_fail(context, DCPN_USAGE, "sparse matrix: found a type of values or indices that does not exist");
    return DCPN_OK;
}

static struct compressed view_of(const dcpn_compressed *arrays, int by_row)
{
    return (struct compressed){
        .vectors = by_row ? arrays->rows : arrays->columns,
        .length = by_row ? arrays->columns : arrays->rows,
        .pointers = arrays->pointers,
        .indices = arrays->indices,
        .values = arrays->values,
        .index_type = arrays->index_type,
        .value_type = arrays->value_type,
        .kernels = dcpn_sparse_kernels(arrays->value_type, arrays->index_type),
    };
}

static dcpn_status widen_pointers(dcpn_context *context, const int32_t *narrow, struct compressed *C)
{
    if (C->vectors < 0) return DCPN_OK; /* it is refused for that */
    int64_t *wide = dcpn_allocate(context, (size_t)C->vectors + 1, sizeof *wide);
    if (!wide) return DCPN_MEMORY;
    for (int64_t k = 0; k <= C->vectors; k++) wide[k] = narrow[k];
    C->pointers = C->owned_pointers = wide;
    return DCPN_OK;
}

static dcpn_status from_arrays(dcpn_context *context, const dcpn_compressed *arrays, dcpn_ownership ownership,
                               int by_row, dcpn_matrix **matrix)
{
    *matrix = NULL;
    DCPN_TRY(check_types(context, arrays));
    struct compressed C = view_of(arrays, by_row);
    if (!C.pointers && arrays->pointers32) DCPN_TRY(widen_pointers(context, arrays->pointers32, &C));
    dcpn_status status = check_arrays(context, &C);
    if (status != DCPN_OK) {
        dcpn_compressed_free(context, &C);
        return status;
    }
    if (ownership == DCPN_COPY) DCPN_TRY(copy_arrays(context, &C));
    return new_sparse(context, &C, by_row, matrix);
}

dcpn_status dcpn_matrix_csr(dcpn_context *context, const dcpn_compressed *arrays, dcpn_ownership ownership,
                            dcpn_matrix **matrix)
{
    DCPN_NEED(context, context, matrix);
    *matrix = NULL;
    DCPN_NEED(context, arrays);
    return from_arrays(context, arrays, ownership, 1, matrix);
}

dcpn_status dcpn_matrix_csc(dcpn_context *context, const dcpn_compressed *arrays, dcpn_ownership ownership,
                            dcpn_matrix **matrix)
{
    DCPN_NEED(context, context, matrix);
    *matrix = NULL;
    DCPN_NEED(context, arrays);
    return from_arrays(context, arrays, ownership, 0, matrix);
}

static double value_at(const struct compressed_owned *arrays, int64_t k)
{
    return arrays->value_type == DCPN_FLOAT64 ? ((const double *)arrays->values)[k]
                                              : (double)((const float *)arrays->values)[k];
}

static void move_entry(struct compressed_owned *arrays, int64_t to, int64_t from)
{
    size_t size = arrays->value_type == DCPN_FLOAT64 ? sizeof(double) : sizeof(float);
    arrays->indices[to] = arrays->indices[from];
    memcpy((char *)arrays->values + (size_t)to * size, (char *)arrays->values + (size_t)from * size, size);
}

void dcpn_drop_zeros(struct compressed_owned *arrays)
{
    int64_t from = 0, to = 0;
    for (int64_t i = 0; i < arrays->rows; i++) {
        for (; from < arrays->pointers[i + 1]; from++) {
            if (value_at(arrays, from) == 0.0) continue;
            if (to < from) move_entry(arrays, to, from);
            to++;
        }
        arrays->pointers[i + 1] = to;
    }
}

dcpn_status dcpn_matrix_take_csr(dcpn_context *context, struct compressed_owned *arrays, dcpn_matrix **matrix)
{
    struct compressed C = {
        .vectors = arrays->rows,
        .length = arrays->columns,
        .pointers = arrays->pointers,
        .indices = arrays->indices,
        .values = arrays->values,
        .index_type = DCPN_INT32,
        .value_type = arrays->value_type,
        .kernels = dcpn_sparse_kernels(arrays->value_type, DCPN_INT32),
        .owned_pointers = arrays->pointers,
        .owned_indices = arrays->indices,
        .owned_values = arrays->values,
    };
    dcpn_status status = arrays->is_checked ? DCPN_OK : check_arrays(context, &C);
    if (status != DCPN_OK) {
        dcpn_compressed_free(context, &C);
        return status;
    }
    if (!arrays->is_checked) dcpn_drop_zeros(arrays);
    return new_sparse(context, &C, 1, matrix);
}

/* ---- both orientations at once ---- */

dcpn_status dcpn_matrix_from_both(dcpn_context *context, const struct compressed_both *arrays, dcpn_matrix **matrix)
{
    struct compressed by_row = view_of(&arrays->by_row, 1), by_column = view_of(&arrays->by_column, 0);
    by_row.owned_values = arrays->owned_row_values;
    by_column.owned_pointers = arrays->owned_column_pointers;
    by_column.owned_values = arrays->owned_column_values;
    return pair_up(context, &by_row, &by_column, matrix);
}

static dcpn_compressed arrays_of(const struct compressed *C, int64_t rows, int64_t columns)
{
    return (dcpn_compressed){rows, columns, C->pointers, C->indices, C->index_type, C->values, C->value_type, NULL};
}

int dcpn_sparse_both(const dcpn_matrix *matrix, struct compressed_both *arrays)
{
    if (matrix->ops != &sparse_ops) return 0;
    *arrays = (struct compressed_both){
        .by_row = arrays_of(&sparse_of(matrix)->by_row, matrix->rows, matrix->columns),
        .by_column = arrays_of(&sparse_of(matrix)->by_column, matrix->rows, matrix->columns),
    };
    return 1;
}

static struct compressed borrowed(const struct compressed *C)
{
    struct compressed view = *C;
    view.owned_pointers = view.owned_indices = view.owned_values = NULL;
    return view;
}

/* A transpose has ascending indices, and one orientation is the transpose of the other: at most one is not in order. */
dcpn_status dcpn_sparse_ascending(const dcpn_matrix *matrix, dcpn_matrix **ascending)
{
    struct compressed by_row = borrowed(&sparse_of(matrix)->by_row), other = {0};
    struct compressed by_column = borrowed(&sparse_of(matrix)->by_column);
    int rows_ascend = by_row.kernels->ascends(&by_row), columns_ascend = by_column.kernels->ascends(&by_column);
    *ascending = NULL;
    if (rows_ascend && columns_ascend) return DCPN_OK;
    dcpn_status status = dcpn_transpose(matrix->context, rows_ascend ? &by_row : &by_column, &other);
    if (status != DCPN_OK) {
        dcpn_compressed_free(matrix->context, &other);
        return status;
    }
    return pair_up(matrix->context, rows_ascend ? &by_row : &other, rows_ascend ? &other : &by_column, ascending);
}
