/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse matrices, held both by rows and by columns, so that A x and A'r are both gathers: one result, one thread. */
#include "matrix/sparse.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum {
    PARALLEL_FROM = 1 << 18, /* entries below which threads cost more than they bring: on a busy machine they wait */
    SCATTER_BELOW = 4,       /* A x by columns if they hold less than 1/4 of the entries */
    CELLS = 1 << 16,         /* ranges of indices that the transpose counts at first, at most */
    BUCKET = 1 << 15,        /* its entries, about: what stays in the cache of a core while it is sorted */
};

/* One orientation. `vectors` are rows of a CSR array, columns of a CSC one; `length` is the other dimension. */
struct compressed {
    int64_t vectors, length;
    const int64_t *pointers;
    const void *indices, *values;
    dcpn_index_type index_type;
    const struct kernels *kernels;
    void *owned_pointers, *owned_indices, *owned_values; /* NULL: borrowed */
};

/* The transpose: entries are first brought to the bucket of their index, a range of them, in order; then each bucket is
 * sorted by index. Both steps write to few places at a time: for 9 million entries in 1.5 million columns that takes
 * 64 ms instead of the 88 of one step. Buckets are groups of cells, ranges of 2^shift indices. The vectors are dealt
 * with in as many parts as there are threads. What the buckets are changes the time, never the result. */
struct buckets {
    int shift;
    int64_t cells, count;
    int64_t largest;      /* number of entries of one that has to be sorted */
    uint16_t *of_cell;    /* cells: the bucket */
    int64_t *first_cell;  /* count + 1 */
    int64_t *first_entry; /* count + 1 */
    int64_t parts;
    int64_t *first_vector; /* parts + 1 */
    int64_t *counts;       /* parts x cells: entries in each cell, then in the first `count` where the next one goes */
};

struct kernels {
    double (*dot)(const struct compressed *, int64_t k, const double *c);
    double (*curvature)(const struct compressed *, int64_t k, const double *w);
    void (*axpy)(const struct compressed *, int64_t k, double alpha, const double *w, double *u);
    void (*scatter)(const struct compressed *, int64_t k, double alpha, double *out);
    void (*gram)(const struct compressed *, const double *w, int64_t count, struct gram_space *, double *G);
    void (*project)(const struct compressed *, int threads, const double *c, double *out);
    int64_t (*vector)(const struct compressed *, int64_t k, int64_t *indices, double *values);
    const char *(*vector_defect)(const struct compressed *, int64_t k, int *ordered);
    int (*has_twins)(const struct compressed *, int64_t *last);
    void (*count_cells)(const struct compressed *, int64_t first, int64_t last, int shift, int64_t *count);
    void (*fill_buckets)(const struct compressed *, int64_t first, int64_t last, const struct buckets *, int64_t *next,
                         struct compressed *T, uint16_t *old_indices);
    void (*sort_bucket)(struct compressed *T, const uint16_t *old_indices, int64_t first, int64_t last, int64_t low,
                        int64_t high, int64_t *next, void *scratch);
    int (*ascends)(const struct compressed *);
};

#define VALUE double
#define INDEX int32_t
#define KERNEL(NAME) float64_int32_##NAME
#include "matrix/sparse_kernels.inc"

#define VALUE double
#define INDEX int64_t
#define KERNEL(NAME) float64_int64_##NAME
#include "matrix/sparse_kernels.inc"

#define VALUE float
#define INDEX int32_t
#define KERNEL(NAME) float32_int32_##NAME
#include "matrix/sparse_kernels.inc"

#define VALUE float
#define INDEX int64_t
#define KERNEL(NAME) float32_int64_##NAME
#include "matrix/sparse_kernels.inc"

static const struct kernels *const kernels_of[2][2] = {
    [DCPN_FLOAT64] = {[DCPN_INT32] = &float64_int32_kernels, [DCPN_INT64] = &float64_int64_kernels},
    [DCPN_FLOAT32] = {[DCPN_INT32] = &float32_int32_kernels, [DCPN_INT64] = &float32_int64_kernels},
};

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

/* Few columns in use: add them one by one. The choice looks at x alone, so it is the same for any thread count. */
static int64_t apply(const dcpn_matrix *matrix, const double *x, double *u)
{
    const struct compressed *rows = &sparse_of(matrix)->by_row, *columns = &sparse_of(matrix)->by_column;
    int64_t in_use = 0;
    for (int64_t j = 0; j < matrix->columns; j++)
        if (x[j] != 0.0) in_use += entries_of(columns, j);
    if (in_use >= matrix->entries / SCATTER_BELOW) {
        rows->kernels->project(rows, matrix->context->threads, x, u);
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
    columns->kernels->project(columns, matrix->context->threads, r, g);
    return matrix->entries;
}

static double column_dot(const dcpn_matrix *matrix, int64_t j, const double *r)
{
    const struct compressed *columns = &sparse_of(matrix)->by_column;
    return columns->kernels->dot(columns, j, r);
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

/* All entries are looked at, and a row with k of them in U adds k^2 / 2 products, scattered over G. Rows are of unequal
 * length, which makes that more; 4 is what it was on text. */
static double gram_work(const dcpn_matrix *matrix, double in_use, int64_t count)
{
    (void)count;
    return (double)matrix->entries + 4.0 * in_use * in_use / (double)matrix->rows;
}

static int64_t gram_numbers(const dcpn_matrix *matrix)
{
    return matrix->columns;
}

static void free_compressed(dcpn_context *context, struct compressed *C)
{
    dcpn_free(context, C->owned_pointers);
    dcpn_free(context, C->owned_indices);
    dcpn_free(context, C->owned_values);
}

static void free_sparse(dcpn_matrix *matrix)
{
    struct sparse *A = (struct sparse *)matrix;
    free_compressed(matrix->context, &A->by_row);
    free_compressed(matrix->context, &A->by_column);
    dcpn_free(matrix->context, A);
}

static const struct matrix_ops sparse_ops = {
    .apply = apply,
    .adjoint = adjoint,
    .column_dot = column_dot,
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

/* That of the first vector which has one, whatever the threads. */
static const char *entries_defect(dcpn_context *context, const struct compressed *C, int *ordered)
{
    int64_t first = C->vectors;
    int all_ordered = 1;
#pragma omp parallel for schedule(static) num_threads(context->threads) if (C->pointers[C->vectors] > PARALLEL_FROM)   \
    reduction(&& : all_ordered) reduction(min : first)
    for (int64_t k = 0; k < C->vectors; k++) {
        int vector_ordered = 1;
        if (C->kernels->vector_defect(C, k, &vector_ordered) && k < first) first = k;
        all_ordered = all_ordered && vector_ordered;
    }
    *ordered = all_ordered;
    return first < C->vectors ? C->kernels->vector_defect(C, first, ordered) : NULL;
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
    if (C->vectors < 1 || C->length < 1)
        return dcpn_fail(context, DCPN_DATA, "sparse matrix: found no rows or no columns, expected at least 1 of each");
    if (!C->pointers) return dcpn_fail(context, DCPN_USAGE, "sparse matrix: found no pointers (NULL)");
    const char *defect = pointers_defect(C);
    if (!defect && C->pointers[C->vectors] > 0 && !(C->indices && C->values)) defect = "no indices or no values (NULL)";
    if (!defect) defect = entries_defect(context, C, &ordered);
    if (!defect && !ordered) DCPN_TRY(find_twins(context, C, &defect));
    return defect ? dcpn_fail(context, DCPN_DATA, "sparse matrix: found %s", defect) : DCPN_OK;
}

static dcpn_status allocate_transpose(dcpn_context *context, const struct compressed *C, dcpn_value_type type,
                                      struct compressed *T)
{
    size_t entries = (size_t)C->pointers[C->vectors];
    T->vectors = C->length;
    T->length = C->vectors;
    T->index_type = C->vectors <= INT32_MAX ? DCPN_INT32 : DCPN_INT64;
    T->kernels = kernels_of[type][T->index_type];
    T->owned_pointers = dcpn_allocate(context, (size_t)C->length + 1, sizeof(int64_t));
    T->owned_indices = dcpn_allocate(context, entries, T->index_type == DCPN_INT32 ? sizeof(int32_t) : sizeof(int64_t));
    T->owned_values = dcpn_allocate(context, entries, type == DCPN_FLOAT64 ? sizeof(double) : sizeof(float));
    T->pointers = T->owned_pointers;
    T->indices = T->owned_indices;
    T->values = T->owned_values;
    return T->owned_pointers && T->owned_indices && T->owned_values ? DCPN_OK : DCPN_MEMORY;
}

/* ---- The transpose ------------------------------------------------------------------------------------------------*/

static size_t index_size(const struct compressed *C)
{
    return C->index_type == DCPN_INT32 ? sizeof(int32_t) : sizeof(int64_t);
}

static size_t value_size(dcpn_value_type type)
{
    return type == DCPN_FLOAT64 ? sizeof(double) : sizeof(float);
}

static dcpn_status allocate_buckets(dcpn_context *context, const struct compressed *C, struct buckets *buckets)
{
    int64_t entries = C->pointers[C->vectors];
    while (C->length >> buckets->shift >= CELLS) buckets->shift++;
    buckets->cells = ((C->length - 1) >> buckets->shift) + 1;
    buckets->parts = entries > PARALLEL_FROM ? context->threads : 1;
    if (buckets->parts > C->vectors) buckets->parts = C->vectors;
    size_t cells = (size_t)buckets->cells, parts = (size_t)buckets->parts;
    buckets->of_cell = dcpn_allocate(context, cells, sizeof *buckets->of_cell);
    buckets->first_cell = dcpn_allocate(context, 2 * (cells + 1) + parts + 1, sizeof *buckets->first_cell);
    buckets->counts = dcpn_allocate(context, parts * cells, sizeof *buckets->counts);
    if (!buckets->of_cell || !buckets->first_cell || !buckets->counts) return DCPN_MEMORY;
    buckets->first_entry = buckets->first_cell + cells + 1;
    buckets->first_vector = buckets->first_entry + cells + 1;
    memset(buckets->counts, 0, parts * cells * sizeof *buckets->counts);
    return DCPN_OK;
}

static void free_buckets(dcpn_context *context, struct buckets *buckets)
{
    dcpn_free(context, buckets->of_cell);
    dcpn_free(context, buckets->first_cell);
    dcpn_free(context, buckets->counts);
}

/* About as many entries in each part. */
static void split_vectors(const struct compressed *C, struct buckets *buckets)
{
    int64_t entries = C->pointers[C->vectors], vector = 0;
    for (int64_t p = 0; p < buckets->parts; p++) {
        while (vector < C->vectors && C->pointers[vector] < entries / buckets->parts * p) vector++;
        buckets->first_vector[p] = vector;
    }
    buckets->first_vector[buckets->parts] = C->vectors;
}

static int64_t entries_of_cell(const struct buckets *buckets, int64_t cell)
{
    int64_t sum = 0;
    for (int64_t p = 0; p < buckets->parts; p++) sum += buckets->counts[p * buckets->cells + cell];
    return sum;
}

/* A cell more in the last bucket: its entries are counted with it, in every part. */
static void add_cell(struct buckets *buckets, int64_t cell)
{
    int64_t bucket = buckets->count;
    buckets->of_cell[cell] = (uint16_t)bucket;
    for (int64_t p = 0; p < buckets->parts && bucket < cell; p++) {
        int64_t *counts = buckets->counts + p * buckets->cells, entries = counts[cell];
        counts[cell] = 0;
        counts[bucket] += entries;
    }
}

static void group_cells(struct buckets *buckets)
{
    int64_t entries = 0, total = 0;
    buckets->count = 0;
    buckets->first_cell[0] = buckets->first_entry[0] = 0;
    for (int64_t cell = 0; cell < buckets->cells; cell++) {
        entries += entries_of_cell(buckets, cell);
        add_cell(buckets, cell);
        int64_t cells = cell + 1 - buckets->first_cell[buckets->count];
        int has_room = entries < BUCKET && cells < (int64_t)1 << 16 >> buckets->shift;
        if (has_room && cell + 1 < buckets->cells) continue;
        total += entries;
        if (entries > buckets->largest) buckets->largest = entries;
        buckets->first_cell[++buckets->count] = cell + 1;
        buckets->first_entry[buckets->count] = total;
        entries = 0;
    }
}

/* Within a bucket, the parts follow one another: the order of the vectors is kept. */
static void counts_to_places(struct buckets *buckets)
{
    for (int64_t b = 0; b < buckets->count; b++) {
        int64_t place = buckets->first_entry[b];
        for (int64_t p = 0; p < buckets->parts; p++) {
            int64_t *count = &buckets->counts[p * buckets->cells + b], entries = *count;
            *count = place;
            place += entries;
        }
    }
}

static void fill_buckets(const struct compressed *C, struct buckets *buckets, struct compressed *T,
                         uint16_t *old_indices)
{
    int threads = (int)buckets->parts;
    split_vectors(C, buckets);
#pragma omp parallel for schedule(static, 1) num_threads(threads) if (threads > 1)
    for (int64_t p = 0; p < buckets->parts; p++)
        C->kernels->count_cells(C, buckets->first_vector[p], buckets->first_vector[p + 1], buckets->shift,
                                buckets->counts + p * buckets->cells);
    group_cells(buckets);
    counts_to_places(buckets);
#pragma omp parallel for schedule(static, 1) num_threads(threads) if (threads > 1)
    for (int64_t p = 0; p < buckets->parts; p++)
        C->kernels->fill_buckets(C, buckets->first_vector[p], buckets->first_vector[p + 1], buckets,
                                 buckets->counts + p * buckets->cells, T, old_indices);
}

/* The pointer of vector k of T first becomes its end, which is the start of k + 1: shifting by one does the rest. */
static void sort_bucket(const struct compressed *C, const struct buckets *buckets, int64_t b, struct compressed *T,
                        const uint16_t *old_indices, void *scratch)
{
    int64_t *ends = T->owned_pointers;
    int64_t low = buckets->first_cell[b] << buckets->shift, high = buckets->first_cell[b + 1] << buckets->shift;
    if (high > T->vectors) high = T->vectors;
    if (high - low == 1)
        ends[low] = buckets->first_entry[b + 1];
    else
        C->kernels->sort_bucket(T, old_indices, buckets->first_entry[b], buckets->first_entry[b + 1], low, high, ends,
                                scratch);
}

/* As many threads as have room to sort in no more memory than the matrix itself takes. */
static dcpn_status sort_buckets(dcpn_context *context, const struct compressed *C, const struct buckets *buckets,
                                struct compressed *T, dcpn_value_type type, const uint16_t *old_indices)
{
    int64_t entries = C->pointers[C->vectors], largest = buckets->largest > 0 ? buckets->largest : 1;
    int threads = buckets->parts > entries / largest ? (int)(entries / largest) : (int)buckets->parts;
    if (threads < 1) threads = 1;
    size_t room = (size_t)largest * (index_size(T) + value_size(type)) + 64;
    char *scratch = dcpn_allocate(context, (size_t)threads, room);
    if (!scratch) return DCPN_MEMORY;
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        char *own = scratch + (size_t)omp_get_thread_num() * (room / 64 * 64);
#pragma omp for schedule(dynamic, 1)
        for (int64_t b = 0; b < buckets->count; b++) sort_bucket(C, buckets, b, T, old_indices, own);
    }
    dcpn_free(context, scratch);
    return DCPN_OK;
}

static dcpn_status transpose_by(dcpn_context *context, const struct compressed *C, dcpn_value_type type,
                                struct buckets *buckets, struct compressed *T)
{
    int64_t *pointers = T->owned_pointers;
    uint16_t *old_indices = dcpn_allocate(context, (size_t)C->pointers[C->vectors], sizeof *old_indices);
    if (!old_indices) return DCPN_MEMORY;
    fill_buckets(C, buckets, T, old_indices);
    dcpn_status status = sort_buckets(context, C, buckets, T, type, old_indices);
    dcpn_free(context, old_indices);
    memmove(pointers + 1, pointers, (size_t)T->vectors * sizeof *pointers);
    pointers[0] = 0;
    return status;
}

static dcpn_status transpose(dcpn_context *context, const struct compressed *C, dcpn_value_type type,
                             struct compressed *T)
{
    struct buckets buckets = {0};
    dcpn_status status = allocate_transpose(context, C, type, T);
    if (status == DCPN_OK) status = allocate_buckets(context, C, &buckets);
    if (status == DCPN_OK) status = transpose_by(context, C, type, &buckets, T);
    free_buckets(context, &buckets);
    return status;
}

/* `given` is one orientation, checked, and is taken over; by_row says which. */
static dcpn_status new_sparse(dcpn_context *context, struct compressed *given, int by_row, dcpn_value_type type,
                              dcpn_matrix **matrix)
{
    struct sparse *A = NULL;
    struct compressed other = {0};
    dcpn_status status = transpose(context, given, type, &other);
    if (status == DCPN_OK && !(A = dcpn_allocate(context, 1, sizeof *A))) status = DCPN_MEMORY;
    if (status != DCPN_OK) {
        free_compressed(context, given);
        free_compressed(context, &other);
        return status;
    }
    A->by_row = by_row ? *given : other;
    A->by_column = by_row ? other : *given;
    A->base =
        (dcpn_matrix){&sparse_ops, context, A->by_row.vectors, A->by_column.vectors, given->pointers[given->vectors]};
    *matrix = &A->base;
    return DCPN_OK;
}

static dcpn_status copy_array(dcpn_context *context, const void *from, size_t count, size_t size, void **copy)
{
    *copy = dcpn_allocate(context, count, size);
    if (!*copy) return DCPN_MEMORY;
    if (count > 0) memcpy(*copy, from, count * size); /* from may be NULL then */
    return DCPN_OK;
}

static dcpn_status copy_arrays(dcpn_context *context, struct compressed *C, const dcpn_compressed *arrays)
{
    size_t entries = (size_t)C->pointers[C->vectors];
    size_t index_size = arrays->index_type == DCPN_INT32 ? sizeof(int32_t) : sizeof(int64_t);
    size_t value_size = arrays->value_type == DCPN_FLOAT64 ? sizeof(double) : sizeof(float);
    dcpn_status status = copy_array(context, C->pointers, (size_t)C->vectors + 1, sizeof(int64_t), &C->owned_pointers);
    if (status == DCPN_OK) status = copy_array(context, C->indices, entries, index_size, &C->owned_indices);
    if (status == DCPN_OK) status = copy_array(context, C->values, entries, value_size, &C->owned_values);
    if (status != DCPN_OK) {
        free_compressed(context, C);
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
        .kernels = kernels_of[arrays->value_type][arrays->index_type],
    };
}

static dcpn_status from_arrays(dcpn_context *context, const dcpn_compressed *arrays, dcpn_ownership ownership,
                               int by_row, dcpn_matrix **matrix)
{
    *matrix = NULL;
    DCPN_TRY(check_types(context, arrays));
    struct compressed C = view_of(arrays, by_row);
    DCPN_TRY(check_arrays(context, &C));
    if (ownership == DCPN_COPY) DCPN_TRY(copy_arrays(context, &C, arrays));
    return new_sparse(context, &C, by_row, arrays->value_type, matrix);
}

dcpn_status dcpn_matrix_csr(dcpn_context *context, const dcpn_compressed *arrays, dcpn_ownership ownership,
                            dcpn_matrix **matrix)
{
    return from_arrays(context, arrays, ownership, 1, matrix);
}

dcpn_status dcpn_matrix_csc(dcpn_context *context, const dcpn_compressed *arrays, dcpn_ownership ownership,
                            dcpn_matrix **matrix)
{
    return from_arrays(context, arrays, ownership, 0, matrix);
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
        .kernels = kernels_of[arrays->value_type][DCPN_INT32],
        .owned_pointers = arrays->pointers,
        .owned_indices = arrays->indices,
        .owned_values = arrays->values,
    };
    dcpn_status status = arrays->is_checked ? DCPN_OK : check_arrays(context, &C);
    if (status != DCPN_OK) {
        free_compressed(context, &C);
        return status;
    }
    return new_sparse(context, &C, 1, arrays->value_type, matrix);
}

/* ---- both orientations at once ---- */

static dcpn_value_type value_type_of(const struct compressed *C)
{
    return C->kernels == kernels_of[DCPN_FLOAT64][C->index_type] ? DCPN_FLOAT64 : DCPN_FLOAT32;
}

static dcpn_status pair_up(dcpn_context *context, struct compressed *by_row, struct compressed *by_column,
                           dcpn_matrix **matrix)
{
    struct sparse *A = dcpn_allocate(context, 1, sizeof *A);
    if (!A) {
        free_compressed(context, by_row);
        free_compressed(context, by_column);
        return DCPN_MEMORY;
    }
    A->base =
        (dcpn_matrix){&sparse_ops, context, by_row->vectors, by_column->vectors, by_row->pointers[by_row->vectors]};
    A->by_row = *by_row;
    A->by_column = *by_column;
    *matrix = &A->base;
    return DCPN_OK;
}

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
    return (dcpn_compressed){rows, columns, C->pointers, C->indices, C->index_type, C->values, value_type_of(C)};
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
    dcpn_status status = transpose(matrix->context, rows_ascend ? &by_row : &by_column, value_type_of(&by_row), &other);
    if (status != DCPN_OK) {
        free_compressed(matrix->context, &other);
        return status;
    }
    return pair_up(matrix->context, rows_ascend ? &by_row : &other, rows_ascend ? &other : &by_column, ascending);
}
