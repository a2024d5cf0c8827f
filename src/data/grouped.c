/* SPDX-License-Identifier: BSD-3-Clause */
/* A regression on groups of features, a few of which matter:
 *     x_j = (z_g + e_j) / sqrt(2),   y = sum_j b_j x_j + noise,   z, e and noise normal,
 * so that features of one group have correlation 1/2 and others none; b is normal on the groups that matter, else 0.
 * The deviation of the noise is that of the sum times 3^(-1/2): a signal-to-noise ratio of 3. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/rng.h"
#include "data/dataset.h"
#include "dcpn/data.h"
#include "matrix/dense.h"

static const double SIGNAL_TO_NOISE = 3.0;

struct truth {
    double *b;    /* of the features */
    double noise; /* deviation */
};

static int64_t count_groups(const dcpn_grouped *how)
{
    return how->features / how->size + (how->features % how->size > 0);
}

static dcpn_status check(dcpn_context *context, const dcpn_grouped *how, int has_test)
{
    if (how->size < 1 || how->size > how->features)
        return dcpn_fail(context, DCPN_USAGE,
                         "groups: found %lld features in groups of %lld, expected groups of 1 to all of them",
                         (long long)how->features, (long long)how->size);
    int64_t groups = count_groups(how);
    if (how->relevant < 1 || how->relevant > groups)
        return dcpn_fail(context, DCPN_USAGE,
                         "groups: found %lld relevant of %lld groups, expected at least 1 and at most all",
                         (long long)how->relevant, (long long)groups);
    const struct generated_sizes sizes = {"groups", how->rows, how->test_rows, how->features, has_test};
    return dcpn_check_generated(context, &sizes);
}

/* The groups that matter are drawn like the toy's columns: each set is equally likely. */
static void draw_truth(struct rng *rng, const dcpn_grouped *how, struct truth *truth)
{
    int64_t groups = count_groups(how), chosen = 0;
    double variance = 0.0;
    for (int64_t g = 0; g < groups; g++) {
        int64_t begin = g * how->size, end = begin + how->size < how->features ? begin + how->size : how->features;
        int matters = dcpn_rng_below(rng, (uint64_t)(groups - g)) < (uint64_t)(how->relevant - chosen);
        double sum = 0.0;
        chosen += matters;
        for (int64_t j = begin; j < end; j++) {
            double b = truth->b[j] = matters ? dcpn_rng_normal(rng) : 0.0;
            sum += b;
            variance += 0.5 * b * b;
        }
        variance += 0.5 * sum * sum;
    }
    truth->noise = sqrt(variance / SIGNAL_TO_NOISE);
}

/* Draws the rows, stored by columns, with values that a float32 holds exactly. */
static void draw_rows(struct rng *rng, const dcpn_grouped *how, const struct truth *truth, int64_t rows, double *values,
                      double *labels)
{
    for (int64_t i = 0; i < rows; i++) {
        double common = 0.0, sum = 0.0;
        for (int64_t j = 0; j < how->features; j++) {
            if (j % how->size == 0) common = dcpn_rng_normal(rng);
            double x = (double)(float)(sqrt(0.5) * (common + dcpn_rng_normal(rng)));
            values[i + j * rows] = x;
            sum += truth->b[j] * x;
        }
        labels[i] = sum + truth->noise * dcpn_rng_normal(rng);
    }
}

static dcpn_status draw(dcpn_context *context, struct rng *rng, const dcpn_grouped *how, const struct truth *truth,
                        int64_t rows, dcpn_dataset **dataset)
{
    dcpn_dataset *made = dcpn_allocate(context, 1, sizeof *made);
    double *values = dcpn_allocate(context, (size_t)rows * (size_t)how->features, sizeof *values);
    double *labels = dcpn_allocate(context, (size_t)rows, sizeof *labels);
    if (!made || !values || !labels) {
        dcpn_free(context, made);
        dcpn_free(context, values);
        dcpn_free(context, labels);
        return DCPN_MEMORY;
    }
    draw_rows(rng, how, truth, rows, values, labels);
    *made =
        (dcpn_dataset){.rows = rows, .features = how->features, .labels = labels, .index_base = 1, .context = context};
    dcpn_status status =
        dcpn_matrix_take_dense(context, rows, how->features, values, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, &made->matrix);
    if (status == DCPN_OK)
        *dataset = made;
    else
        dcpn_dataset_free(made);
    return status;
}

/* The training part is drawn first, so that it does not depend on the number of test rows. */
static dcpn_status draw_both(dcpn_context *context, const dcpn_grouped *how, struct truth *truth, dcpn_dataset **train,
                             dcpn_dataset **test)
{
    struct rng rng;
    dcpn_rng_seed(&rng, how->seed);
    draw_truth(&rng, how, truth);
    DCPN_TRY(draw(context, &rng, how, truth, how->rows, train));
    if (!test || how->test_rows == 0) return DCPN_OK;
    dcpn_status status = draw(context, &rng, how, truth, how->test_rows, test);
    if (status == DCPN_OK) return DCPN_OK;
    dcpn_dataset_free(*train);
    *train = NULL;
    return status;
}

dcpn_status dcpn_generate_groups(dcpn_context *context, const dcpn_grouped *groups, dcpn_dataset **train,
                                 dcpn_dataset **test, unsigned char *truth)
{
    DCPN_NEED(context, context, train);
    *train = NULL;
    if (test) *test = NULL;
    DCPN_NEED(context, groups);
    DCPN_TRY(check(context, groups, test != NULL));
    struct truth drawn = {.b = dcpn_allocate(context, (size_t)groups->features, sizeof *drawn.b)};
    dcpn_status status = drawn.b ? draw_both(context, groups, &drawn, train, test) : DCPN_MEMORY;
    for (int64_t j = 0; status == DCPN_OK && truth && j < groups->features; j++) truth[j] = drawn.b[j] != 0.0;
    dcpn_free(context, drawn.b);
    return dcpn_memory_for(context, status, "groups");
}
