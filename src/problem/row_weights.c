/* SPDX-License-Identifier: BSD-3-Clause */
/* What is summed over the weights of rows: that of all of them, of this process or of all ranks, and a median. */
#include "base/context.h"
#include "base/reduce.h"
#include "base/sort.h"
#include "problem/targets.h"

static double weight_of(const dcpn_problem *problem, int64_t row)
{
    return problem->weights ? problem->weights[row] : 1.0;
}

double dcpn_problem_weight(const dcpn_problem *problem)
{
    double total = 0.0;
    for (int64_t i = 0; i < dcpn_problem_rows(problem); i++) total += weight_of(problem, i);
    return total;
}

static void add_weights(const dcpn_problem *problem, const double *labels, double label, struct full_sum *sum)
{
    dcpn_full_clear(sum);
    for (int64_t i = 0; i < dcpn_problem_rows(problem); i++)
        if (!labels || labels[i] == label) dcpn_full_add(sum, weight_of(problem, i));
}

double dcpn_problem_exact_weight(const dcpn_problem *problem)
{
    struct full_sum sum;
    add_weights(problem, NULL, 0.0, &sum);
    return dcpn_ranks_full_sum(problem->context, &sum);
}

double dcpn_problem_exact_weight_of(const dcpn_problem *problem, double label)
{
    struct full_sum sum;
    add_weights(problem, problem->y, label, &sum);
    return dcpn_ranks_full_sum(problem->context, &sum);
}

dcpn_status dcpn_find_middle(dcpn_context *context, const dcpn_problem *problem, const double *labels, double *middle)
{
    int64_t rows = dcpn_problem_rows(problem);
    const double *offset = problem->offset;
    double *sorted = dcpn_allocate(context, (size_t)rows, sizeof *sorted), total = 0.0, below = 0.0;
    int64_t *order = dcpn_allocate(context, (size_t)rows, sizeof *order), k = 0;
    dcpn_status status = sorted && order ? DCPN_OK : DCPN_MEMORY;
    for (int64_t i = 0; i < rows && status == DCPN_OK; i++) {
        sorted[i] = labels[i] - (offset ? offset[i] : 0.0);
        order[i] = i;
        total += weight_of(problem, i);
    }
    if (status == DCPN_OK) {
        dcpn_sort_by(sorted, order, rows);
        while (k < rows - 1 && (below += weight_of(problem, order[k])) < 0.5 * total) k++;
        *middle = sorted[k];
    }
    dcpn_free(context, sorted);
    dcpn_free(context, order);
    return status;
}
