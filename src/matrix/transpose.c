/* SPDX-License-Identifier: BSD-3-Clause */
/* The transpose. If there are not many indices, each entry goes where it belongs at once. Otherwise entries are first
 * brought to the bucket of their index, a range of them, in order; then each bucket is sorted by index. Both steps
 * write to few places at a time: for 9 million entries in 1.5 million columns that takes 64 ms instead of the 88 of one
 * step. Buckets are groups of cells, ranges of 2^shift indices. The vectors are dealt with in as many parts as there
 * are threads. How it is done changes the time, never the result. */
#include <stdatomic.h>
#include <string.h>

#include "base/interrupt.h"
#include "matrix/compressed.h"

enum {
    CELLS = 1 << 16,  /* ranges of indices that are counted at first, at most */
    BUCKET = 1 << 15, /* its entries, about: what stays in the cache of a core while it is sorted */
    SOON = 48,        /* entries ahead, whose places are asked for: so long a line of memory takes to come */
};

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

struct steps {
    void (*place)(const struct compressed *, int64_t first, int64_t last, int64_t *next, struct compressed *T);
    void (*count_cells)(const struct compressed *, int64_t first, int64_t last, int shift, int64_t *count);
    void (*fill_buckets)(const struct compressed *, int64_t first, int64_t last, const struct buckets *, int64_t *next,
                         struct compressed *T, uint16_t *old_indices);
    void (*sort_bucket)(struct compressed *T, const uint16_t *old_indices, int64_t first, int64_t last, int64_t low,
                        int64_t high, int64_t *next, void *scratch);
};

#define KERNELS "matrix/transpose_kernels.inc"
#include "matrix/each_type.inc"

static const struct steps *steps_of(const struct compressed *C)
{
    static const struct steps *const steps[2][2] = {
        [DCPN_FLOAT64] = {[DCPN_INT32] = &float64_int32_steps, [DCPN_INT64] = &float64_int64_steps},
        [DCPN_FLOAT32] = {[DCPN_INT32] = &float32_int32_steps, [DCPN_INT64] = &float32_int64_steps},
    };
    return steps[C->value_type][C->index_type];
}

static dcpn_status allocate_transpose(dcpn_context *context, const struct compressed *C, struct compressed *T)
{
    size_t entries = (size_t)C->pointers[C->vectors];
    T->vectors = C->length;
    T->length = C->vectors;
    T->index_type = C->vectors <= INT32_MAX ? DCPN_INT32 : DCPN_INT64;
    T->value_type = C->value_type;
    T->kernels = dcpn_sparse_kernels(T->value_type, T->index_type);
    T->owned_pointers = dcpn_allocate(context, (size_t)C->length + 1, sizeof(int64_t));
    T->owned_indices = dcpn_allocate(context, entries, dcpn_compressed_index_size(T));
    T->owned_values = dcpn_allocate(context, entries, dcpn_compressed_value_size(T));
    T->pointers = T->owned_pointers;
    T->indices = T->owned_indices;
    T->values = T->owned_values;
    return T->owned_pointers && T->owned_indices && T->owned_values ? DCPN_OK : DCPN_MEMORY;
}

static dcpn_status allocate_buckets(dcpn_context *context, const struct compressed *C, struct buckets *buckets)
{
    int64_t entries = C->pointers[C->vectors];
    while (C->length >> buckets->shift >= CELLS) buckets->shift++;
    buckets->cells = ((C->length - 1) >> buckets->shift) + 1;
    buckets->parts = entries > DCPN_SPARSE_PARALLEL_FROM ? context->threads : 1;
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

/* The counts of a cell or bucket become places from `place` on: the parts follow one another, which keeps the order of
 * the vectors. Returns where the next one starts. */
static int64_t counts_to_places(struct buckets *buckets, int64_t cell, int64_t place)
{
    for (int64_t p = 0; p < buckets->parts; p++) {
        int64_t *count = &buckets->counts[p * buckets->cells + cell], entries = *count;
        *count = place;
        place += entries;
    }
    return place;
}

/* What the threads share. */
struct transposition {
    const struct compressed *C;
    struct buckets *buckets;
    struct compressed *T;
    uint16_t *old_indices;
    char *scratch;
    size_t room;                 /* of each thread in the scratch */
    _Atomic int64_t next_bucket; /* to be sorted */
};

static void count_parts(void *user, int64_t begin, int64_t end)
{
    const struct transposition *t = user;
    struct buckets *buckets = t->buckets;
    for (int64_t p = begin; p < end; p++)
        steps_of(t->C)->count_cells(t->C, buckets->first_vector[p], buckets->first_vector[p + 1], buckets->shift,
                                    buckets->counts + p * buckets->cells);
}

static void count_entries(dcpn_context *context, struct transposition *t)
{
    split_vectors(t->C, t->buckets);
    dcpn_parallel_items(context, t->buckets->parts, count_parts, t);
}

static void place_parts(void *user, int64_t begin, int64_t end)
{
    const struct transposition *t = user;
    struct buckets *buckets = t->buckets;
    for (int64_t p = begin; p < end; p++)
        steps_of(t->C)->place(t->C, buckets->first_vector[p], buckets->first_vector[p + 1],
                              buckets->counts + p * buckets->cells, t->T);
}

/* Each cell is one index. */
static void place_at_once(dcpn_context *context, struct transposition *t)
{
    struct buckets *buckets = t->buckets;
    int64_t *pointers = t->T->owned_pointers, place = 0;
    for (int64_t j = 0; j < buckets->cells; j++) {
        pointers[j] = place;
        place = counts_to_places(buckets, j, place);
    }
    pointers[buckets->cells] = place;
    dcpn_parallel_items(context, buckets->parts, place_parts, t);
}

static void fill_parts(void *user, int64_t begin, int64_t end)
{
    const struct transposition *t = user;
    struct buckets *buckets = t->buckets;
    for (int64_t p = begin; p < end; p++)
        steps_of(t->C)->fill_buckets(t->C, buckets->first_vector[p], buckets->first_vector[p + 1], buckets,
                                     buckets->counts + p * buckets->cells, t->T, t->old_indices);
}

static void fill_buckets(dcpn_context *context, struct transposition *t)
{
    struct buckets *buckets = t->buckets;
    group_cells(buckets);
    for (int64_t b = 0; b < buckets->count; b++) (void)counts_to_places(buckets, b, buckets->first_entry[b]);
    dcpn_parallel_items(context, buckets->parts, fill_parts, t);
}

/* The end of vector k of T is the pointer of k + 1. */
static void sort_bucket(const struct compressed *C, const struct buckets *buckets, int64_t b, struct compressed *T,
                        const uint16_t *old_indices, void *scratch)
{
    int64_t *ends = (int64_t *)T->owned_pointers + 1;
    int64_t low = buckets->first_cell[b] << buckets->shift, high = buckets->first_cell[b + 1] << buckets->shift;
    if (high > T->vectors) high = T->vectors;
    if (high - low == 1)
        ends[low] = buckets->first_entry[b + 1];
    else
        steps_of(C)->sort_bucket(T, old_indices, buckets->first_entry[b], buckets->first_entry[b + 1], low, high, ends,
                                 scratch);
}

/* In one place of the scratch after the other, bucket after bucket while there are any. */
static void sort_in_place(void *user, int64_t begin, int64_t end)
{
    struct transposition *t = user;
    for (int64_t place = begin; place < end; place++)
        for (int64_t b; (b = atomic_fetch_add(&t->next_bucket, 1)) < t->buckets->count;)
            sort_bucket(t->C, t->buckets, b, t->T, t->old_indices, t->scratch + (size_t)place * t->room);
}

/* Sorts on as many threads as have room in no more memory than the matrix itself takes. */
static dcpn_status sort_buckets(dcpn_context *context, struct transposition *t)
{
    int64_t entries = t->C->pointers[t->C->vectors], largest = t->buckets->largest > 0 ? t->buckets->largest : 1;
    int64_t places = t->buckets->parts > entries / largest ? entries / largest : t->buckets->parts;
    if (places < 1) places = 1;
    size_t bytes = (size_t)largest * (dcpn_compressed_index_size(t->T) + dcpn_compressed_value_size(t->T));
    t->room = (bytes + 63) / 64 * 64;
    t->scratch = dcpn_allocate(context, (size_t)places, t->room);
    if (!t->scratch) return DCPN_MEMORY;
    dcpn_parallel_items(context, places, sort_in_place, t);
    dcpn_free(context, t->scratch);
    return DCPN_OK;
}

static dcpn_status transpose_by_buckets(dcpn_context *context, struct transposition *t)
{
    int64_t *pointers = t->T->owned_pointers;
    t->old_indices = dcpn_allocate(context, (size_t)t->C->pointers[t->C->vectors], sizeof *t->old_indices);
    if (!t->old_indices) return DCPN_MEMORY;
    fill_buckets(context, t);
    dcpn_status status = dcpn_refuse_interrupted(context, "preparing the data");
    if (status == DCPN_OK) status = sort_buckets(context, t);
    dcpn_free(context, t->old_indices);
    pointers[0] = 0;
    return status;
}

dcpn_status dcpn_transpose(dcpn_context *context, const struct compressed *C, struct compressed *T)
{
    struct buckets buckets = {0};
    struct transposition t = {.C = C, .buckets = &buckets, .T = T};
    dcpn_status status = allocate_transpose(context, C, T);
    if (status == DCPN_OK) status = allocate_buckets(context, C, &buckets);
    if (status == DCPN_OK) count_entries(context, &t);
    if (status == DCPN_OK) status = dcpn_refuse_interrupted(context, "preparing the data");
    if (status == DCPN_OK && buckets.shift == 0)
        place_at_once(context, &t);
    else if (status == DCPN_OK)
        status = transpose_by_buckets(context, &t);
    free_buckets(context, &buckets);
    return status;
}
