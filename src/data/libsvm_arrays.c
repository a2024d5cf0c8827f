/* SPDX-License-Identifier: BSD-3-Clause */
/* The arrays that rows of LIBSVM text go to. Values that single precision holds exactly take half the memory: sums are
 * of doubles in either case, so that no result changes by a bit. */
#include <string.h>

#include "base/context.h"
#include "base/threads.h"
#include "data/dataset.h"
#include "data/libsvm.h"

static dcpn_status grow(dcpn_context *context, void **array, int64_t old_count, int64_t count, size_t size)
{
    void *larger = dcpn_grow(context, *array, (size_t)old_count, (size_t)count, size);
    if (!larger) return DCPN_MEMORY;
    *array = larger;
    return DCPN_OK;
}

static dcpn_status reserve_rows(dcpn_context *context, struct libsvm_arrays *arrays, int64_t rows)
{
    void *labels = arrays->labels, *ends = arrays->ends;
    dcpn_status status = grow(context, &labels, arrays->row_room, rows, sizeof *arrays->labels);
    arrays->labels = labels;
    if (status == DCPN_OK)
        status = grow(context, &ends, arrays->ends ? arrays->row_room + 1 : 0, rows + 1, sizeof *arrays->ends);
    arrays->ends = ends;
    if (status == DCPN_OK) arrays->row_room = rows;
    return status;
}

static dcpn_status reserve_entries(dcpn_context *context, struct libsvm_arrays *arrays, int64_t entries)
{
    void *indices = arrays->indices;
    dcpn_status status = grow(context, &indices, arrays->entry_room, entries, sizeof *arrays->indices);
    arrays->indices = indices;
    if (status == DCPN_OK)
        status = grow(context, &arrays->values, arrays->entry_room, entries, dcpn_value_size(arrays->value_type));
    if (status == DCPN_OK) arrays->entry_room = entries;
    return status;
}

dcpn_status dcpn_libsvm_reserve(dcpn_context *context, struct libsvm_arrays *arrays, int64_t rows, int64_t entries)
{
    if (rows > arrays->row_room || !arrays->ends) DCPN_TRY(reserve_rows(context, arrays, rows));
    if (entries > arrays->entry_room || !arrays->values) DCPN_TRY(reserve_entries(context, arrays, entries));
    arrays->ends[0] = 0;
    return DCPN_OK;
}

struct widening {
    const struct libsvm_piece *pieces;
    const float *narrow;
    double *wide;
};

static void widen_pieces(void *user, int64_t begin, int64_t end)
{
    const struct widening *w = user;
    for (int64_t p = begin; p < end; p++) {
        const struct libsvm_piece *piece = &w->pieces[p];
        for (int64_t k = piece->first_entry; piece->is_parsed && k < piece->first_entry + piece->entries; k++)
            w->wide[k] = (double)w->narrow[k];
    }
}

dcpn_status dcpn_libsvm_widen(dcpn_context *context, struct libsvm_arrays *arrays, const struct libsvm_piece *pieces,
                              int64_t piece_count)
{
    double *wide = dcpn_allocate(context, (size_t)arrays->entry_room, sizeof *wide);
    if (!wide) return DCPN_MEMORY;
    dcpn_parallel_items(context, piece_count, widen_pieces, &(struct widening){pieces, arrays->values, wide});
    dcpn_free(context, arrays->values);
    arrays->values = wide;
    arrays->value_type = DCPN_FLOAT64;
    arrays->is_exact = 0;
    return DCPN_OK;
}

void dcpn_libsvm_release(dcpn_context *context, struct libsvm_arrays *arrays)
{
    dcpn_free(context, arrays->labels);
    dcpn_free(context, arrays->ends);
    dcpn_free(context, arrays->indices);
    dcpn_free(context, arrays->values);
}
