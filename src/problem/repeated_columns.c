/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies are in the order of their features, so that products of columns find the distinct ones in theirs. */
#include "problem/repeated_columns.h"

#include "base/context.h"
#include "base/vector.h"

/* first[j] and first[j + 1] bound the copies of feature j: one for each group, and one if it is in none. */
static int64_t place_copies(const dcpn_problem *given, int64_t features, int64_t *first)
{
    int64_t count = 0;
    for (int64_t j = 0; j <= features; j++) first[j] = 0;
    for (int64_t k = 0; k < given->groups.start[given->groups.count]; k++) first[given->groups.member[k]]++;
    for (int64_t j = 0; j <= features; j++) {
        int64_t copies = first[j] > 0 ? first[j] : 1;
        first[j] = count;
        count += copies;
    }
    return first[features];
}

static dcpn_status allocate(dcpn_context *context, const dcpn_problem *given, struct repeated_columns *repeated)
{
    size_t count = (size_t)repeated->count;
    repeated->column = dcpn_allocate(context, count, sizeof *repeated->column);
    repeated->member = dcpn_allocate(context, count, sizeof *repeated->member);
    repeated->factors = given->factors ? dcpn_allocate(context, count, sizeof *repeated->factors) : NULL;
    return repeated->column && repeated->member && (!given->factors || repeated->factors) ? DCPN_OK : DCPN_MEMORY;
}

/* Fills in the copies of each feature. The numbers in first are used up. */
static void fill(const dcpn_problem *given, int64_t features, int64_t *first, struct repeated_columns *repeated)
{
    for (int64_t j = 0; j < features; j++)
        for (int64_t k = first[j]; k < first[j + 1]; k++) repeated->column[k] = j;
    for (int64_t k = 0; given->factors && k < repeated->count; k++)
        repeated->factors[k] = given->factors[repeated->column[k]];
    for (int64_t k = 0; k < given->groups.start[given->groups.count]; k++)
        repeated->member[k] = first[given->groups.member[k]]++;
}

dcpn_status dcpn_repeated_columns_new(dcpn_context *context, const dcpn_problem *given,
                                      struct repeated_columns *repeated)
{
    int64_t features = dcpn_problem_features(given);
    int64_t *first = dcpn_allocate(context, (size_t)features + 1, sizeof *first);
    dcpn_status status = first ? DCPN_OK : DCPN_MEMORY;
    *repeated = (struct repeated_columns){.problem = *given};
    if (status == DCPN_OK) repeated->count = place_copies(given, features, first);
    if (status == DCPN_OK) status = allocate(context, given, repeated);
    if (status == DCPN_OK) {
        fill(given, features, first, repeated);
        repeated->problem.groups.member = repeated->member;
        repeated->problem.factors = repeated->factors;
        dcpn_repeated_columns_use(repeated, given->A);
    }
    dcpn_free(context, first);
    return status;
}

void dcpn_repeated_columns_use(struct repeated_columns *repeated, const dcpn_matrix *A)
{
    dcpn_matrix_repeat(&repeated->A, A, repeated->column, repeated->count);
    repeated->problem.A = &repeated->A.base;
}

void dcpn_repeated_columns_free(dcpn_context *context, struct repeated_columns *repeated)
{
    dcpn_free(context, repeated->column);
    dcpn_free(context, repeated->member);
    dcpn_free(context, repeated->factors);
}

void dcpn_repeated_columns_add_up(const struct repeated_columns *repeated, const double *copies, int64_t features,
                                  double *x)
{
    dcpn_fill(features, 0.0, x);
    for (int64_t k = 0; k < repeated->count; k++) x[repeated->column[k]] += copies[k];
}

/* Shares out the coefficient of each feature among its copies, in place. It begins with the last copy, since no copy
 * stands before its feature. */
void dcpn_repeated_columns_share_out(const struct repeated_columns *repeated, double *x)
{
    for (int64_t end = repeated->count, begin; end > 0; end = begin) {
        int64_t j = repeated->column[end - 1];
        for (begin = end - 1; begin > 0 && repeated->column[begin - 1] == j; begin--) continue;
        double share = x[j] / (double)(end - begin);
        for (int64_t k = begin; k < end; k++) x[k] = share;
    }
}
