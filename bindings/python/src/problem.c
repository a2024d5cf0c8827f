/* SPDX-License-Identifier: BSD-3-Clause */
/* The problem of a call, from arrays of Python. */
#include "problem.h"

static int borrow_all(struct ingredients *all, const struct data *data)
{
    static const char *const names[] = {"y", "sample_weight", "offset", "penalty_factors", "lower", "upper"};
    int64_t rows = dcpn_matrix_rows(data->matrix), columns = dcpn_matrix_columns(data->matrix);
    for (int k = 0; k < INGREDIENTS; k++)
        if (dcpn_python_borrow(all->objects[k], names[k], DCPN_PYTHON_DOUBLE, k < FACTORS ? rows : columns,
                               &all->arrays[k]) < 0)
            return -1;
    return 0;
}

static dcpn_status set(const struct ingredients *all)
{
    const struct borrowed *arrays = all->arrays;
    dcpn_status status = dcpn_problem_set_weights(all->problem, arrays[WEIGHTS].entries);
    if (status == DCPN_OK) status = dcpn_problem_set_offset(all->problem, arrays[OFFSET].entries);
    if (status == DCPN_OK) status = dcpn_problem_set_penalty_factors(all->problem, arrays[FACTORS].entries);
    if (status == DCPN_OK)
        status = dcpn_problem_set_bounds(all->problem, arrays[LOWER].entries, arrays[UPPER].entries);
    return status;
}

int dcpn_python_problem(struct ingredients *all, struct call *call, const struct data *data)
{
    if (borrow_all(all, data) < 0) return -1;
    const double *labels = all->arrays[LABELS].entries;
    if (!labels && data->dataset) labels = data->dataset->labels;
    dcpn_status status = dcpn_problem_new(data->context, data->matrix, labels, &all->problem);
    if (status == DCPN_OK) status = set(all);
    return dcpn_python_raises(call, status) ? -1 : 0;
}

void dcpn_python_problem_free(struct ingredients *all)
{
    dcpn_problem_free(all->problem);
    all->problem = NULL;
    for (int k = 0; k < INGREDIENTS; k++) dcpn_python_release(&all->arrays[k]);
}
