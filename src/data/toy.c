/* SPDX-License-Identifier: BSD-3-Clause */
/* The paper's toy problem: two Gaussian classes in a few relevant variables among many that are noise. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/level.h"
#include "base/rng.h"
#include "base/threads.h"
#include "data/dataset.h"
#include "dcpn/data.h"
#include "matrix/dense.h"

/* LANES rows of a class have their G z computed together, TALL variables at a time: G is read once for all of the
 * lanes, z once for TALL rows of G, and the sums stay in registers. */
enum { WIDE = 8, PARTS = 2, LANES = PARTS * WIDE, TALL = 2 };
typedef double lanes __attribute__((vector_size(WIDE * sizeof(double)), aligned(sizeof(double)), may_alias));

/* A row of the class c has the relevant part sign_c mu + G_c z, z standard normal: its covariance G_c G_c' is Wishart
 * with T degrees of freedom. */
struct classes {
    double *mu;       /* T signs, then zeros up to a multiple of TALL */
    double *G[2];     /* of the positive and the negative class; T x T, by rows, then rows of zeros likewise */
    double *Z[2];     /* z of up to LANES rows of each class, T x LANES, by rows */
    int64_t *columns; /* where the T relevant variables sit, ascending */
};

/* The training rows or the test rows, while they are made. */
struct part {
    int64_t rows;
    double *values; /* by columns */
    double *labels;
};

static dcpn_status check_toy(dcpn_context *context, const dcpn_toy *toy, int has_test)
{
    if (toy->relevant < 1 || toy->relevant > toy->features)
        return dcpn_fail(context, DCPN_USAGE,
                         "toy problem: found %lld relevant of %lld features, expected at least 1 and at most all",
                         (long long)toy->relevant, (long long)toy->features);
    DCPN_TRY(dcpn_check_value_type(context, toy->value_type));
    const struct generated_sizes sizes = {"toy problem", toy->rows, toy->test_rows, toy->features, has_test};
    return dcpn_check_generated(context, &sizes);
}

static void free_classes(dcpn_context *context, struct classes *classes)
{
    dcpn_free(context, classes->mu);
    for (int c = 0; c < 2; c++) dcpn_free(context, classes->G[c]);
    for (int c = 0; c < 2; c++) dcpn_free(context, classes->Z[c]);
    dcpn_free(context, classes->columns);
}

static dcpn_status allocate_classes(dcpn_context *context, int64_t T, struct classes *classes)
{
    size_t size = (size_t)T, padded = (size + TALL - 1) / TALL * TALL;
    classes->mu = dcpn_allocate(context, padded, sizeof(double));
    classes->columns = dcpn_allocate(context, size, sizeof(int64_t));
    int complete = classes->mu && classes->columns;
    for (int c = 0; c < 2; c++) {
        classes->G[c] = dcpn_allocate(context, padded, size * sizeof(double));
        classes->Z[c] = dcpn_allocate(context, size, LANES * sizeof(double));
        complete = complete && classes->G[c] && classes->Z[c];
        if (classes->Z[c]) memset(classes->Z[c], 0, size * LANES * sizeof(double));
        if (classes->G[c]) memset(classes->G[c] + size * size, 0, (padded - size) * size * sizeof(double));
    }
    if (classes->mu) memset(classes->mu + size, 0, (padded - size) * sizeof(double));
    return complete ? DCPN_OK : DCPN_MEMORY;
}

/* Selection sampling: each set of T among the columns is equally likely, and comes out in ascending order. */
static void draw_columns(struct rng *rng, const dcpn_toy *toy, int64_t *columns)
{
    int64_t chosen = 0;
    for (int64_t j = 0; chosen < toy->relevant; j++)
        if (dcpn_rng_below(rng, (uint64_t)(toy->features - j)) < (uint64_t)(toy->relevant - chosen))
            columns[chosen++] = j;
}

static void draw_classes(struct rng *rng, const dcpn_toy *toy, struct classes *classes)
{
    int64_t T = toy->relevant;
    draw_columns(rng, toy, classes->columns);
    for (int64_t k = 0; k < T; k++) classes->mu[k] = dcpn_rng_below(rng, 2) ? 1.0 : -1.0;
    for (int c = 0; c < 2; c++)
        for (int64_t k = 0; k < T * T; k++) classes->G[c][k] = dcpn_rng_normal(rng);
}

/* TALL rows of G Z, lane by lane: value_kr = first_k + sum_l G_kl Z_lr, in the order of l at every level. Left to
 * itself the compiler makes vectors along l, which is slower by half. */
typedef void rows_function(int64_t T, const double *G, const lanes *restrict Z, lanes value[TALL][PARTS]);
#define MULTIPLY_ROWS(NAME, AT)                                                                                        \
    AT static void NAME(int64_t T, const double *G, const lanes *restrict Z, lanes value[TALL][PARTS])                 \
    {                                                                                                                  \
        lanes sum[TALL][PARTS];                                                                                        \
        memcpy(sum, value, sizeof sum);                                                                                \
        for (int64_t l = 0; l < T; l++, Z += PARTS)                                                                    \
            for (int k = 0; k < TALL; k++)                                                                             \
                for (int p = 0; p < PARTS; p++) sum[k][p] += G[k * T + l] * Z[p];                                      \
        memcpy(value, sum, sizeof sum);                                                                                \
    }
MULTIPLY_ROWS(multiply_rows_baseline, AT_BASELINE)
MULTIPLY_ROWS(multiply_rows_avx2, AT_AVX2)
MULTIPLY_ROWS(multiply_rows_avx512, AT_AVX512)

/* The rows whose z is in the lanes of class c. */
struct drawn {
    int64_t T;
    const struct classes *classes;
    int c, count;
    const int64_t *rows;
    struct part *part;
};

static void fill_strips(void *user, int64_t begin, int64_t end)
{
    static rows_function *const at[LEVEL_COUNT] = {multiply_rows_baseline, multiply_rows_avx2, multiply_rows_avx512};
    const struct drawn *drawn = user;
    const struct classes *classes = drawn->classes;
    struct part *part = drawn->part;
    double sign = drawn->c ? -1.0 : 1.0;
    for (int64_t k = begin * TALL; k < end * TALL; k += TALL) {
        lanes value[TALL][PARTS];
        for (int a = 0; a < TALL; a++)
            for (int r = 0; r < LANES; r++) value[a][r / WIDE][r % WIDE] = sign * classes->mu[k + a];
        at[dcpn_level()](drawn->T, classes->G[drawn->c] + k * drawn->T, (const lanes *)classes->Z[drawn->c], value);
        for (int a = 0; a < TALL && k + a < drawn->T; a++)
            for (int r = 0; r < drawn->count; r++)
                part->values[drawn->rows[r] + classes->columns[k + a] * part->rows] = value[a][r / WIDE][r % WIDE];
    }
}

/* Fills the relevant part of the rows. One thread computes each element, and always in the same order. */
static void fill_lanes(dcpn_context *context, struct drawn drawn)
{
    dcpn_parallel_ranges(drawn.T >= 64 ? context : NULL, (drawn.T + TALL - 1) / TALL, fill_strips, &drawn);
}

static void draw_relevant(dcpn_context *context, struct rng *rng, int64_t T, const struct classes *classes,
                          struct part *part)
{
    int64_t rows[2][LANES];
    int count[2] = {0, 0};
    for (int64_t i = 0; i < part->rows; i++) {
        int c = dcpn_rng_below(rng, 2) == 0;
        part->labels[i] = c ? -1.0 : 1.0;
        for (int64_t k = 0; k < T; k++) classes->Z[c][k * LANES + count[c]] = dcpn_rng_normal(rng);
        rows[c][count[c]++] = i;
        if (count[c] < LANES) continue;
        fill_lanes(context, (struct drawn){T, classes, c, LANES, rows[c], part});
        count[c] = 0;
    }
    for (int c = 0; c < 2; c++) fill_lanes(context, (struct drawn){T, classes, c, count[c], rows[c], part});
}

static void draw_noise(struct rng *rng, const dcpn_toy *toy, const struct classes *classes, struct part *part)
{
    int64_t next = 0; /* the relevant columns seen so far */
    for (int64_t j = 0; j < toy->features; j++) {
        if (next < toy->relevant && classes->columns[next] == j)
            next++;
        else
            for (int64_t i = 0; i < part->rows; i++) part->values[i + j * part->rows] = dcpn_rng_normal(rng);
    }
}

/* Rounds to float32, so that the values can be stored in either precision without loss. */
static void shift_and_scale(int64_t n, double mean, double deviation, double *values)
{
    for (int64_t i = 0; i < n; i++) values[i] = (double)(float)((values[i] - mean) / deviation);
}

static void standardise(int64_t features, struct part *train, struct part *test)
{
    for (int64_t j = 0; j < features; j++) {
        double *column = train->values + j * train->rows;
        double sum = 0.0, squares = 0.0;
        for (int64_t i = 0; i < train->rows; i++) sum += column[i];
        double mean = sum / (double)train->rows;
        for (int64_t i = 0; i < train->rows; i++) squares += (column[i] - mean) * (column[i] - mean);
        double deviation = sqrt(squares / (double)train->rows);
        shift_and_scale(train->rows, mean, deviation, column);
        shift_and_scale(test->rows, mean, deviation, test->values + j * test->rows);
    }
}

/* The training part is drawn first, so that it does not depend on the number of test rows. */
static void draw_toy(dcpn_context *context, const dcpn_toy *toy, struct classes *classes, struct part *train,
                     struct part *test)
{
    struct rng rng;
    dcpn_rng_seed(&rng, toy->seed);
    draw_classes(&rng, toy, classes);
    draw_relevant(context, &rng, toy->relevant, classes, train);
    draw_noise(&rng, toy, classes, train);
    draw_relevant(context, &rng, toy->relevant, classes, test);
    draw_noise(&rng, toy, classes, test);
    standardise(toy->features, train, test);
}

static void free_part(dcpn_context *context, struct part *part)
{
    dcpn_free(context, part->values);
    dcpn_free(context, part->labels);
}

static dcpn_status allocate_part(dcpn_context *context, int64_t rows, int64_t features, struct part *part)
{
    part->rows = rows;
    part->values = dcpn_allocate(context, (size_t)(rows * features), sizeof(double));
    part->labels = dcpn_allocate(context, (size_t)rows, sizeof(double));
    return part->values && part->labels ? DCPN_OK : DCPN_MEMORY;
}

/* The values as float32, in the place of the doubles: the k-th float ends before the k-th double begins. */
static void narrow(int64_t count, void *values)
{
    for (int64_t k = 0; k < count; k++) {
        double value;
        memcpy(&value, (char *)values + (size_t)k * sizeof value, sizeof value);
        float narrowed = (float)value;
        memcpy((char *)values + (size_t)k * sizeof narrowed, &narrowed, sizeof narrowed);
    }
}

/* Moves the part into a data set; what the data set does not own yet stays with the part. */
static dcpn_status wrap(dcpn_context *context, const dcpn_toy *toy, struct part *part, dcpn_dataset **result)
{
    int64_t features = toy->features;
    dcpn_dataset *dataset = dcpn_allocate(context, 1, sizeof *dataset);
    if (!dataset) return DCPN_MEMORY;
    *dataset = (dcpn_dataset){.rows = part->rows, .features = features, .index_base = 1, .context = context};
    void *values = part->values;
    part->values = NULL;
    if (toy->value_type == DCPN_FLOAT32) narrow(part->rows * features, values);
    dcpn_status status = dcpn_matrix_take_dense(context, part->rows, features, values, toy->value_type,
                                                DCPN_COLUMN_MAJOR, &dataset->matrix);
    if (status != DCPN_OK) {
        dcpn_free(context, dataset);
        return status;
    }
    dataset->labels = part->labels;
    part->labels = NULL;
    *result = dataset;
    return DCPN_OK;
}

static dcpn_status wrap_both(dcpn_context *context, const dcpn_toy *toy, struct part *train_part,
                             struct part *test_part, dcpn_dataset **train, dcpn_dataset **test)
{
    DCPN_TRY(wrap(context, toy, train_part, train));
    if (!test || test_part->rows == 0) return DCPN_OK;
    dcpn_status status = wrap(context, toy, test_part, test);
    if (status != DCPN_OK) {
        dcpn_dataset_free(*train);
        *train = NULL;
    }
    return status;
}

static void mark_relevant(const dcpn_toy *toy, const struct classes *classes, unsigned char *truth)
{
    memset(truth, 0, (size_t)toy->features);
    for (int64_t k = 0; k < toy->relevant; k++) truth[classes->columns[k]] = 1;
}

dcpn_status dcpn_generate_toy(dcpn_context *context, const dcpn_toy *toy, dcpn_dataset **train, dcpn_dataset **test,
                              unsigned char *truth)
{
    struct classes classes = {0};
    struct part train_part = {0}, test_part = {0};
    DCPN_NEED(context, context, train);
    *train = NULL;
    if (test) *test = NULL;
    DCPN_NEED(context, toy);
    DCPN_TRY(check_toy(context, toy, test != NULL));
    dcpn_status status = allocate_classes(context, toy->relevant, &classes);
    if (status == DCPN_OK) status = allocate_part(context, toy->rows, toy->features, &train_part);
    if (status == DCPN_OK) status = allocate_part(context, toy->test_rows, toy->features, &test_part);
    if (status == DCPN_OK) {
        draw_toy(context, toy, &classes, &train_part, &test_part);
        if (truth) mark_relevant(toy, &classes, truth);
        status = wrap_both(context, toy, &train_part, &test_part, train, test);
    }
    free_classes(context, &classes);
    free_part(context, &train_part);
    free_part(context, &test_part);
    return dcpn_memory_for(context, status, "toy problem");
}
