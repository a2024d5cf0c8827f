/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known of a completion, by name. */
#include "structured/completion.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/vector.h"

void dcpn_completion_free(dcpn_completion *c)
{
    if (!c) return;
    dcpn_free(c->context, c->U);
    dcpn_free(c->context, c->sigma);
    dcpn_free(c->context, c->V);
    dcpn_free(c->context, c->sparse_row);
    dcpn_free(c->context, c->sparse_column);
    dcpn_free(c->context, c->sparse_value);
    dcpn_free(c->context, c->trials);
    dcpn_free(c->context, c);
}

static dcpn_value of_real(double number)
{
    return (dcpn_value){.kind = DCPN_KIND_REAL, .real = number};
}

static dcpn_value of_count(int64_t number)
{
    return (dcpn_value){.kind = DCPN_KIND_COUNT, .count = number, .real = (double)number};
}

int dcpn_completion_get(const dcpn_completion *c, const char *field, dcpn_value *value)
{
    if (!c || !field || !value) return 0;
    const struct completion_end *end = &c->end;
    const struct {
        const char *name;
        dcpn_value value;
    } entries[] = {{"rows", of_count(c->rows)},
                   {"columns", of_count(c->columns)},
                   {"rank", of_count(c->rank)},
                   {"index_base", of_count(c->index_base)},
                   {"lambda", of_real(end->lambda)},
                   {"lambda_max", of_real(end->lambda_max)},
                   {"objective", of_real(end->loss_value + end->penalty_value + end->sparse_value)},
                   {"loss_value", of_real(end->loss_value)},
                   {"penalty_value", of_real(end->penalty_value)},
                   {"sparse_value", of_real(end->sparse_value)},
                   {"violation", of_real(end->violation)},
                   {"goal", of_real(end->goal)},
                   {"offset", of_real(c->offset)},
                   {"sparse_count", of_count(c->sparse_count)},
                   {"held_out_error", of_real(end->held_out_error)},
                   {"iterations", of_count(end->iterations)},
                   {"outcome", of_count((int64_t)end->outcome)},
                   {"penalty", {.kind = DCPN_KIND_CHOICE, .text = c->penalty}},
                   {"time_s", of_real(c->time_s)}};
    for (size_t k = 0; k < sizeof entries / sizeof *entries; k++)
        if (strcmp(entries[k].name, field) == 0) {
            *value = entries[k].value;
            return 1;
        }
    return 0;
}

dcpn_status dcpn_completion_factors(const dcpn_completion *c, double *U, double *sigma, double *V)
{
    DCPN_NEED(NULL, c);
    if (U) dcpn_copy(c->rows * c->rank, c->U, U);
    if (sigma) dcpn_copy(c->rank, c->sigma, sigma);
    if (V) dcpn_copy(c->columns * c->rank, c->V, V);
    return DCPN_OK;
}

dcpn_status dcpn_completion_sparse(const dcpn_completion *c, int64_t *row, int64_t *column, double *value)
{
    DCPN_NEED(NULL, c);
    for (int64_t e = 0; e < c->sparse_count; e++) {
        if (row) row[e] = c->sparse_row[e];
        if (column) column[e] = c->sparse_column[e];
        if (value) value[e] = c->sparse_value[e];
    }
    return DCPN_OK;
}

dcpn_status dcpn_completion_values(const dcpn_completion *c, int64_t count, const int64_t *row, const int64_t *column,
                                   double *value)
{
    DCPN_NEED(NULL, c);
    DCPN_NEED(c->context, row, column, value);
    DCPN_TRY(dcpn_need_size(c->context, "places", count));
    for (int64_t e = 0; e < count; e++) {
        if (row[e] < 0 || row[e] >= c->rows || column[e] < 0 || column[e] >= c->columns)
            return dcpn_fail(c->context, DCPN_DATA,
                             "place %lld: found row %lld and column %lld, expected one of the %lld x %lld matrix",
                             (long long)e + 1, dcpn_counted_from_1(row[e]), dcpn_counted_from_1(column[e]),
                             (long long)c->rows, (long long)c->columns);
        double sum = c->offset;
        for (int64_t k = 0; k < c->rank; k++)
            sum += c->sigma[k] * c->U[row[e] * c->rank + k] * c->V[column[e] * c->rank + k];
        if (!isfinite(sum))
            return dcpn_fail(c->context, DCPN_DATA,
                             "place %lld: the factors give a value beyond all numbers, expected those of a completion",
                             (long long)e + 1);
        value[e] = sum;
    }
    return DCPN_OK;
}

int64_t dcpn_completion_tried(const dcpn_completion *c)
{
    return c ? c->trial_count : 0;
}

dcpn_status dcpn_completion_trials(const dcpn_completion *c, double *lambda, double *error, int64_t *rank)
{
    DCPN_NEED(NULL, c);
    for (int64_t k = 0; k < c->trial_count; k++) {
        if (lambda) lambda[k] = c->trials[k].lambda;
        if (error) error[k] = c->trials[k].error;
        if (rank) rank[k] = c->trials[k].rank;
    }
    return DCPN_OK;
}
