/* SPDX-License-Identifier: BSD-3-Clause */
/* The weight of all rows, of this process or of all ranks. */
#include "base/reduce.h"
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
