/* SPDX-License-Identifier: BSD-3-Clause */
/* A sparse problem of the shape of text: few words a row among very many columns, a few of which tell the class. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/rng.h"
#include "data/dataset.h"
#include "dcpn/data.h"
#include "matrix/sparse.h"

static const double OF_RELEVANT = 0.2, OF_OWN_CLASS = 0.8;
enum { STEEPNESS = 4 }; /* a common word is column d v^4, v uniform: half of them among the first 6% of the columns */

/* The words and the random numbers that rows are drawn from. */
struct words {
    struct rng rng;
    int64_t *relevant; /* columns; the first half belongs to the positive class */
    int64_t count;     /* of relevant */
    int32_t *row;      /* the words of one row */
};

/* The training rows or the test rows, while they are made. */
struct part {
    struct compressed_owned arrays;
    double *labels;
};

static dcpn_status check_text(dcpn_context *context, const dcpn_text *text, int has_test)
{
    int64_t rows = text->rows > text->test_rows ? text->rows : text->test_rows, entries;
    if (text->rows < 1 || text->test_rows < 0 || text->entries < 1 || text->features > INT32_MAX)
        return dcpn_fail(
            context, DCPN_USAGE,
            "text: found %lld rows and %lld test rows of %lld words among %lld features, expected at least "
            "1, 0 and 1 and at most %d features",
            (long long)text->rows, (long long)text->test_rows, (long long)text->entries, (long long)text->features,
            INT32_MAX);
    if (text->relevant < 2 || text->relevant > text->features)
        return dcpn_fail(context, DCPN_USAGE,
                         "text: found %lld relevant of %lld features, expected at least 2 and at most all",
                         (long long)text->relevant, (long long)text->features);
    if (text->test_rows > 0 && !has_test)
        return dcpn_fail(context, DCPN_USAGE, "text: found %lld test rows and no place for them, expected 0",
                         (long long)text->test_rows);
    DCPN_TRY(dcpn_check_value_type(context, text->value_type));
    if (__builtin_mul_overflow(rows, text->entries, &entries) || entries > INT64_MAX / 16)
        return dcpn_fail(context, DCPN_MEMORY, "out of memory: %lld x %lld words cannot be addressed", (long long)rows,
                         (long long)text->entries);
    return DCPN_OK;
}

/* Draws one column from each of words->count stretches of equal length, and puts them in random order. */
static void draw_relevant(struct words *words, int64_t features)
{
    int64_t stretch = features / words->count;
    for (int64_t k = 0; k < words->count; k++)
        words->relevant[k] = k * stretch + (int64_t)dcpn_rng_below(&words->rng, (uint64_t)stretch);
    for (int64_t k = words->count - 1; k > 0; k--) {
        int64_t other = (int64_t)dcpn_rng_below(&words->rng, (uint64_t)k + 1), kept = words->relevant[k];
        words->relevant[k] = words->relevant[other];
        words->relevant[other] = kept;
    }
}

static int32_t draw_word(struct words *words, int64_t features, int positive)
{
    struct rng *rng = &words->rng;
    if (dcpn_rng_uniform(rng) < OF_RELEVANT) {
        int first_half = (dcpn_rng_uniform(rng) < OF_OWN_CLASS) == positive;
        int64_t half = words->count / 2, size = first_half ? half : words->count - half;
        return (int32_t)words->relevant[(first_half ? 0 : half) + (int64_t)dcpn_rng_below(rng, (uint64_t)size)];
    }
    double v = dcpn_rng_uniform(rng), power = v;
    for (int k = 1; k < STEEPNESS; k++) power *= v;
    int64_t column = (int64_t)(power * (double)features);
    return (int32_t)(column < features ? column : features - 1);
}

static int by_number(const void *first, const void *second)
{
    int32_t a = *(const int32_t *)first, b = *(const int32_t *)second;
    return (a > b) - (a < b);
}

/* The values are those of float32, so that they can be stored in either precision without loss. */
static void fill_values(struct compressed_owned *arrays, int64_t begin, int64_t end)
{
    float value = (float)(1.0 / sqrt((double)(end - begin)));
    for (int64_t k = begin; k < end; k++) {
        if (arrays->value_type == DCPN_FLOAT64)
            ((double *)arrays->values)[k] = (double)value;
        else
            ((float *)arrays->values)[k] = value;
    }
}

/* Returns where the next row begins. */
static int64_t draw_row(struct words *words, const dcpn_text *text, struct part *part, int64_t row, int64_t at)
{
    int positive = dcpn_rng_below(&words->rng, 2) == 1;
    int64_t begin = at, count = text->entries;
    int32_t *found = words->row;
    for (int64_t k = 0; k < count; k++) found[k] = draw_word(words, text->features, positive);
    qsort(found, (size_t)count, sizeof *found, by_number);
    for (int64_t k = 0; k < count; k++)
        if (k == 0 || found[k] != found[k - 1]) part->arrays.indices[at++] = found[k];
    fill_values(&part->arrays, begin, at);
    part->labels[row] = positive ? 1.0 : -1.0;
    return at;
}

static void release_part(dcpn_context *context, struct part *part)
{
    dcpn_free(context, part->arrays.pointers);
    dcpn_free(context, part->arrays.indices);
    dcpn_free(context, part->arrays.values);
    dcpn_free(context, part->labels);
}

static dcpn_status allocate_part(dcpn_context *context, const dcpn_text *text, int64_t count, struct part *part)
{
    size_t rows = (size_t)count, entries = rows * (size_t)text->entries;
    size_t size = text->value_type == DCPN_FLOAT64 ? sizeof(double) : sizeof(float);
    struct compressed_owned *arrays = &part->arrays;
    *arrays = (struct compressed_owned){.rows = count, .columns = text->features, .value_type = text->value_type};
    arrays->pointers = dcpn_allocate(context, rows + 1, sizeof *arrays->pointers);
    arrays->indices = dcpn_allocate(context, entries, sizeof *arrays->indices);
    arrays->values = dcpn_allocate(context, entries, size);
    part->labels = dcpn_allocate(context, rows, sizeof *part->labels);
    return arrays->pointers && arrays->indices && arrays->values && part->labels ? DCPN_OK : DCPN_MEMORY;
}

static dcpn_status wrap(dcpn_context *context, struct part *part, dcpn_dataset **dataset)
{
    dcpn_dataset *made = dcpn_allocate(context, 1, sizeof *made);
    if (!made) return DCPN_MEMORY;
    struct compressed_owned arrays = part->arrays;
    *made = (dcpn_dataset){
        .labels = part->labels, .rows = arrays.rows, .features = arrays.columns, .index_base = 1, .context = context};
    *part = (struct part){0}; /* handed over */
    dcpn_status status = dcpn_matrix_take_csr(context, &arrays, &made->matrix);
    if (status == DCPN_OK)
        *dataset = made;
    else
        dcpn_dataset_free(made);
    return status;
}

static dcpn_status draw_part(dcpn_context *context, struct words *words, const dcpn_text *text, int64_t rows,
                             dcpn_dataset **dataset)
{
    struct part part = {0};
    int64_t at = 0;
    dcpn_status status = allocate_part(context, text, rows, &part);
    if (status == DCPN_OK) {
        for (int64_t i = 0; i < rows; i++) {
            part.arrays.pointers[i] = at;
            at = draw_row(words, text, &part, i, at);
        }
        part.arrays.pointers[rows] = at;
        status = wrap(context, &part, dataset);
    }
    release_part(context, &part);
    return status;
}

static void mark_relevant(const struct words *words, int64_t features, unsigned char *truth)
{
    memset(truth, 0, (size_t)features);
    for (int64_t k = 0; k < words->count; k++) truth[words->relevant[k]] = 1;
}

/* The training part is drawn first, so that it does not depend on the number of test rows. */
static dcpn_status draw_text(dcpn_context *context, const dcpn_text *text, struct words *words, dcpn_dataset **train,
                             dcpn_dataset **test)
{
    dcpn_rng_seed(&words->rng, text->seed);
    draw_relevant(words, text->features);
    DCPN_TRY(draw_part(context, words, text, text->rows, train));
    if (!test || text->test_rows == 0) return DCPN_OK;
    dcpn_status status = draw_part(context, words, text, text->test_rows, test);
    if (status == DCPN_OK) return DCPN_OK;
    dcpn_dataset_free(*train);
    *train = NULL;
    return status;
}

dcpn_status dcpn_generate_text(dcpn_context *context, const dcpn_text *text, dcpn_dataset **train, dcpn_dataset **test,
                               unsigned char *truth)
{
    DCPN_NEED(context, context, train);
    *train = NULL;
    if (test) *test = NULL;
    DCPN_NEED(context, text);
    struct words words = {.count = text->relevant};
    DCPN_TRY(check_text(context, text, test != NULL));
    words.relevant = dcpn_allocate(context, (size_t)text->relevant, sizeof *words.relevant);
    words.row = dcpn_allocate(context, (size_t)text->entries, sizeof *words.row);
    dcpn_status status = words.relevant && words.row ? draw_text(context, text, &words, train, test) : DCPN_MEMORY;
    if (status == DCPN_OK && truth) mark_relevant(&words, text->features, truth);
    dcpn_free(context, words.relevant);
    dcpn_free(context, words.row);
    return status;
}
