/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of LIBSVM text that single precision holds exactly, in half the memory. Sums are of doubles in either case, so
 * that no result changes by a bit. Each piece is narrowed within its part of the array as soon as it is parsed: were that
 * left to the end, dense data would take three times the memory that remains. */
#include <string.h>

#include "base/context.h"
#include "base/pages.h"
#include "data/libsvm.h"

static int are_floats(int64_t count, const double *values)
{
    for (int64_t k = 0; k < count; k++)
        if ((double)(float)values[k] != values[k]) return 0;
    return 1;
}

static char *part_of(const struct libsvm_piece *piece, const struct libsvm_arrays *arrays)
{
    return (char *)arrays->values + (size_t)piece->first_entry * sizeof(double);
}

void dcpn_libsvm_narrow(struct libsvm_piece *piece, const struct libsvm_arrays *arrays)
{
    char *part = part_of(piece, arrays);
    if (arrays->value_type != DCPN_FLOAT64 || !are_floats(piece->entries, (const double *)(void *)part)) return;
    for (size_t k = 0; k < (size_t)piece->entries; k++) {
        double value;
        memcpy(&value, part + k * sizeof value, sizeof value);
        const float narrow = (float)value;
        memcpy(part + k * sizeof narrow, &narrow, sizeof narrow);
    }
    piece->is_narrow = 1;
    dcpn_pages_forget(part + (size_t)piece->entries * sizeof(float), part + (size_t)piece->room * sizeof(double));
}

static void widen(struct libsvm_piece *piece, const struct libsvm_arrays *arrays)
{
    char *part = part_of(piece, arrays);
    for (size_t k = (size_t)piece->entries; k-- > 0;) {
        float narrow;
        memcpy(&narrow, part + k * sizeof narrow, sizeof narrow);
        const double value = (double)narrow;
        memcpy(part + k * sizeof value, &value, sizeof value);
    }
    piece->is_narrow = 0;
}

static float *gather(dcpn_context *context, const struct libsvm_piece *pieces, int64_t piece_count,
                     const struct libsvm_arrays *arrays)
{
    int64_t entries = 0, at = 0;
    for (int64_t p = 0; p < piece_count; p++) entries += pieces[p].entries;
    float *floats = dcpn_allocate(context, (size_t)entries, sizeof *floats);
    for (int64_t p = 0; floats && p < piece_count; at += pieces[p++].entries) {
        const char *part = part_of(&pieces[p], arrays);
        size_t size = (size_t)pieces[p].entries * sizeof *floats;
        memcpy(floats + at, part, size);
        dcpn_pages_forget(part, part + size);
    }
    return floats;
}

void dcpn_libsvm_settle_values(dcpn_context *context, struct libsvm_piece *pieces, int64_t piece_count,
                               struct libsvm_arrays *arrays)
{
    int all_narrow = 1;
    for (int64_t p = 0; p < piece_count; p++) all_narrow &= pieces[p].is_narrow;
    float *floats = all_narrow ? gather(context, pieces, piece_count, arrays) : NULL;
    if (floats) {
        dcpn_free(context, arrays->values);
        arrays->values = floats;
        arrays->value_type = DCPN_FLOAT32;
        arrays->is_gathered = 1;
        return;
    }
    for (int64_t p = 0; p < piece_count; p++)
        if (pieces[p].is_narrow) widen(&pieces[p], arrays);
}
