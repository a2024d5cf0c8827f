/* SPDX-License-Identifier: BSD-3-Clause */
/* 80/20 splits of a sparse data set. */
#include "real_sets.h"
#include "speech.h"

#include <math.h>
#include <stdlib.h>

struct arrays {
    int64_t *pointers, *indices;
    double *values, *labels;
};

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Fisher and Yates. The remainder favours small numbers by less than rows / 2^64. */
static int64_t *shuffled_rows(int64_t rows, uint64_t seed)
{
    int64_t *order = dcpn_exp_allocate(rows, sizeof *order);
    if (!order) return NULL;
    for (int64_t i = 0; i < rows; i++) order[i] = i;
    for (int64_t i = rows - 1; i > 0; i--) {
        int64_t k = (int64_t)(next_random(&seed) % (uint64_t)(i + 1)), row = order[i];
        order[i] = order[k];
        order[k] = row;
    }
    return order;
}

static void scale_to_unit(int64_t entries, double *values)
{
    double squares = 0.0;
    for (int64_t k = 0; k < entries; k++) squares += values[k] * values[k];
    for (int64_t k = 0; k < entries && squares > 0.0; k++) values[k] /= sqrt(squares);
}

static void copy_rows(const dcpn_dataset *data, const int64_t *order, int64_t count, int unit_rows,
                      struct arrays *arrays)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t at = arrays->pointers[i];
        int64_t entries = dcpn_matrix_row(data->matrix, order[i], arrays->indices + at, arrays->values + at);
        if (unit_rows) scale_to_unit(entries, arrays->values + at);
        arrays->pointers[i + 1] = at + entries;
        arrays->labels[i] = data->labels[order[i]] > 0.0 ? 1.0 : -1.0;
    }
}

/* dcpn_matrix_row may ask for room for a whole row behind the last entry. */
static int allocate(const dcpn_dataset *data, int64_t count, struct arrays *arrays)
{
    int64_t room = dcpn_matrix_entries(data->matrix) + data->features;
    arrays->pointers = dcpn_exp_allocate(count + 1, sizeof *arrays->pointers);
    arrays->indices = dcpn_exp_allocate(room, sizeof *arrays->indices);
    arrays->values = dcpn_exp_allocate(room, sizeof *arrays->values);
    arrays->labels = dcpn_exp_allocate(count, sizeof *arrays->labels);
    return arrays->pointers && arrays->indices && arrays->values && arrays->labels;
}

static int take_rows(const struct lab *lab, const struct real_problem *problem, const dcpn_dataset *data,
                     const int64_t *order, int64_t count, dcpn_matrix **matrix, double **labels)
{
    struct arrays arrays;
    int code = !allocate(data, count, &arrays);
    if (!code) {
        copy_rows(data, order, count, problem->unit_rows, &arrays);
        dcpn_compressed csr = {.rows = count,
                               .columns = data->features,
                               .pointers = arrays.pointers,
                               .indices = arrays.indices,
                               .index_type = DCPN_INT64,
                               .values = arrays.values,
                               .value_type = DCPN_FLOAT64};
        code = dcpn_exp_check(lab, dcpn_matrix_csr(lab->context, &csr, DCPN_COPY, matrix));
    }
    free(arrays.pointers);
    free(arrays.indices);
    free(arrays.values);
    *labels = arrays.labels;
    return code;
}

int dcpn_exp_split(const struct lab *lab, const struct real_problem *problem, const dcpn_dataset *data, uint64_t seed,
                   struct split *split)
{
    int64_t train_rows = data->rows * 4 / 5;
    int64_t *order = shuffled_rows(data->rows, seed);
    *split = (struct split){0};
    int code =
        !order || take_rows(lab, problem, data, order, train_rows, &split->train, &split->train_labels) ||
        take_rows(lab, problem, data, order + train_rows, data->rows - train_rows, &split->test, &split->test_labels);
    free(order);
    if (code) dcpn_exp_split_free(split);
    return code;
}

void dcpn_exp_split_free(struct split *split)
{
    dcpn_matrix_free(split->train);
    dcpn_matrix_free(split->test);
    free(split->train_labels);
    free(split->test_labels);
    *split = (struct split){0};
}

struct task dcpn_exp_split_task(const struct real_problem *problem, const struct split *split, int64_t trial)
{
    return (struct task){.problem = problem->name,
                         .trial = trial,
                         .train = {split->train, split->train_labels},
                         .test = {split->test, split->test_labels}};
}
