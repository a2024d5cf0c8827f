/* SPDX-License-Identifier: BSD-3-Clause */
/* Triplets to compressed rows: counted, placed, and the doubles among them found row by row. */
#include "data/triplets.h"

#include <string.h>

#include "data/dataset.h"
#include "data/storage.h"

dcpn_status dcpn_triplets_allocate(dcpn_context *context, int64_t capacity, dcpn_value_type type,
                                   struct triplets *triplets)
{
    *triplets = (struct triplets){.value_type = type};
    triplets->rows = dcpn_allocate(context, (size_t)capacity, sizeof *triplets->rows);
    if (triplets->rows) triplets->columns = dcpn_allocate(context, (size_t)capacity, sizeof *triplets->columns);
    if (triplets->columns) triplets->values = dcpn_allocate(context, (size_t)capacity, dcpn_value_size(type));
    if (triplets->values) return DCPN_OK;
    dcpn_triplets_free(context, triplets);
    return DCPN_MEMORY;
}

void dcpn_triplets_free(dcpn_context *context, struct triplets *triplets)
{
    dcpn_free(context, triplets->rows);
    dcpn_free(context, triplets->columns);
    dcpn_free(context, triplets->values);
    *triplets = (struct triplets){0};
}

static double value_at(const void *values, dcpn_value_type type, int64_t k)
{
    return type == DCPN_FLOAT64 ? ((const double *)values)[k] : (double)((const float *)values)[k];
}

static dcpn_status allocate_rows(dcpn_context *context, const struct triplets *triplets, struct compressed_owned *A)
{
    A->pointers = dcpn_allocate(context, (size_t)A->rows + 1, sizeof *A->pointers);
    A->indices = A->pointers ? dcpn_allocate(context, (size_t)triplets->count, sizeof *A->indices) : NULL;
    A->values = A->indices ? dcpn_allocate(context, (size_t)triplets->count, dcpn_value_size(A->value_type)) : NULL;
    return A->values ? DCPN_OK : DCPN_MEMORY;
}

/* Leaves each pointer at the end of its row, that is, where the next one starts. */
static void place(const struct triplets *triplets, struct compressed_owned *A)
{
    int64_t *pointers = A->pointers, start = 0;
    memset(pointers, 0, (size_t)(A->rows + 1) * sizeof *pointers);
    for (int64_t k = 0; k < triplets->count; k++) pointers[triplets->rows[k]]++;
    for (int64_t i = 0; i <= A->rows; i++) {
        int64_t length = pointers[i];
        pointers[i] = start;
        start += length;
    }
    for (int64_t k = 0; k < triplets->count; k++) {
        int64_t to = pointers[triplets->rows[k]]++;
        A->indices[to] = triplets->columns[k];
        dcpn_store_value(A->values, A->value_type, to, value_at(triplets->values, A->value_type, k));
    }
}

/* Moves the entries together, doubles added up: `last` has, for each column, where its latest entry went. Returns the
 * row of the first double if they are not to be added up, else -1. */
static int64_t merge(struct compressed_owned *A, int64_t *last, int64_t *added, int32_t *column)
{
    int64_t from = 0, to = 0;
    for (int64_t i = 0; i < A->rows; i++) {
        int64_t end = A->pointers[i], start = to;
        for (; from < end; from++) {
            int32_t j = A->indices[from];
            double value = value_at(A->values, A->value_type, from);
            if (last[j] >= start) {
                *column = j;
                if (!added) return i;
                ++*added;
                dcpn_store_value(A->values, A->value_type, last[j],
                                 value_at(A->values, A->value_type, last[j]) + value);
                continue;
            }
            last[j] = to;
            A->indices[to] = j;
            dcpn_store_value(A->values, A->value_type, to++, value);
        }
        A->pointers[i] = to;
    }
    return -1;
}

static int64_t second_of(const struct triplets *triplets, int64_t row, int32_t column)
{
    int seen = 0;
    for (int64_t k = 0; k < triplets->count; k++)
        if (triplets->rows[k] == row && triplets->columns[k] == column && seen++) return k;
    return -1;
}

static dcpn_status compress(dcpn_context *context, const struct triplets *triplets, struct compressed_owned *A,
                            int64_t *added, int64_t *duplicate)
{
    int32_t column = 0;
    DCPN_TRY(allocate_rows(context, triplets, A));
    int64_t *last = dcpn_allocate(context, (size_t)A->columns, sizeof *last);
    if (!last) return DCPN_MEMORY;
    memset(last, -1, (size_t)A->columns * sizeof *last);
    place(triplets, A);
    int64_t row = merge(A, last, added, &column);
    if (row >= 0) *duplicate = second_of(triplets, row, column);
    memmove(A->pointers + 1, A->pointers,
            (size_t)A->rows * sizeof *A->pointers); /* from the ends of rows to pointers */
    A->pointers[0] = 0;
    if (row < 0) dcpn_drop_zeros(A);
    dcpn_free(context, last);
    return DCPN_OK;
}

dcpn_status dcpn_triplets_matrix(dcpn_context *context, const struct triplets *triplets, int64_t rows, int64_t columns,
                                 dcpn_storage storage, int64_t *added, int64_t *duplicate, dcpn_matrix **matrix)
{
    struct compressed_owned A = {.rows = rows, .columns = columns, .value_type = triplets->value_type};
    int64_t second = -1;
    *matrix = NULL;
    if (added) *added = 0;
    dcpn_status status = compress(context, triplets, &A, added, &second);
    if (duplicate) *duplicate = second;
    if (status == DCPN_OK && second < 0) return dcpn_store_rows(context, &A, storage, matrix);
    dcpn_free(context, A.pointers);
    dcpn_free(context, A.indices);
    dcpn_free(context, A.values);
    return status;
}
