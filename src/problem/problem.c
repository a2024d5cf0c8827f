/* SPDX-License-Identifier: BSD-3-Clause */
/* A problem: what is minimised, checked as it is put together. */
#include "problem/problem.h"

#include <math.h>

#include "base/context.h"
#include "base/reduce.h"
#include "base/vector.h"
#include "settings/registry.h"

int64_t dcpn_problem_rows(const dcpn_problem *problem)
{
    return problem->A ? dcpn_matrix_rows(problem->A) : problem->f->size;
}

/* An exact sum, so that it is the same for any number of ranks. */
static double counted_by_weight(const dcpn_problem *problem)
{
    int64_t words[FULL_WORDS + 1] = {0}, *weighted = words + FULL_WORDS;
    struct full_sum total;
    dcpn_full_clear(&total);
    for (int64_t i = 0; i < dcpn_problem_rows(problem); i++) {
        double weight = problem->weights ? problem->weights[i] : 1.0;
        *weighted += weight > 0.0;
        dcpn_full_add(&total, weight);
    }
    dcpn_full_pack(&total, words);
    dcpn_ranks_sum(problem->context, words, FULL_WORDS + 1);
    return fmax(dcpn_full_value(words), (double)*weighted);
}

double dcpn_problem_counted_rows(const dcpn_problem *problem)
{
    if (!problem->weights && !dcpn_has_ranks(problem->context)) return (double)dcpn_problem_rows(problem);
    return counted_by_weight(problem);
}

double dcpn_problem_counted_entries(const dcpn_problem *problem)
{
    int64_t all[] = {dcpn_problem_rows(problem), dcpn_matrix_entries(problem->A)};
    dcpn_ranks_sum(problem->context, all, 2);
    double rows = (double)all[0], entries = (double)all[1];
    return rows > 0.0 ? entries * (dcpn_problem_counted_rows(problem) / rows) : entries;
}

int64_t dcpn_problem_features(const dcpn_problem *problem)
{
    return problem->A ? dcpn_matrix_columns(problem->A) : problem->f->size;
}

static dcpn_status new_problem(dcpn_context *context, dcpn_problem **problem)
{
    *problem = dcpn_allocate(context, 1, sizeof **problem);
    if (!*problem) return DCPN_MEMORY;
    **problem = (dcpn_problem){.context = context};
    return DCPN_OK;
}

int dcpn_zero_is_no_label(const double *y, int64_t rows)
{
    int negative = 0, zero = 0, positive = 0;
    for (int64_t i = 0; y && i < rows; i++) {
        negative |= y[i] == -1.0;
        zero |= y[i] == 0.0;
        positive |= y[i] == 1.0;
        if (!isnan(y[i]) && y[i] != -1.0 && y[i] != 0.0 && y[i] != 1.0) return 0;
    }
    return negative && zero && positive;
}

dcpn_problem dcpn_problem_seen_by(const dcpn_problem *problem, const dcpn_settings *settings)
{
    dcpn_problem seen = *problem;
    const dcpn_loss_ops *loss = problem->loss ? problem->loss : settings->loss ? dcpn_find_loss(settings->loss) : NULL;
    if (problem->f || !loss || loss->targets != DCPN_CLASSES) seen.zero_is_no_label = 0;
    return seen;
}

/* Mentions rows without a label: a label that is missing by mistake changes the problem. */
static void mention_unlabelled(dcpn_context *context, const dcpn_problem *problem, int64_t rows)
{
    int64_t zeros = 0;
    for (int64_t i = 0; problem->zero_is_no_label && i < rows; i++) zeros += problem->y[i] == 0.0;
    if (zeros)
        dcpn_log(context, DCPN_LOG_NOTE,
                 "labels: %lld of %lld rows have a 0 beside others with -1 and 1: to a loss of two classes no label",
                 (long long)zeros, (long long)rows);
    if (problem->unlabelled)
        dcpn_log(context, DCPN_LOG_NOTE,
                 "labels: %lld of %lld rows have none%s, and take part: --unlabelled-weight 0 leaves them out",
                 (long long)problem->unlabelled, (long long)rows, zeros ? " at all" : "");
}

dcpn_status dcpn_problem_new(dcpn_context *context, const dcpn_matrix *A, const double *y, dcpn_problem **problem)
{
    DCPN_NEED(context, context, problem);
    *problem = NULL;
    if (!A || !y) return dcpn_fail(context, DCPN_USAGE, "problem: found no %s (NULL)", A ? "labels" : "matrix");
    int64_t rows = dcpn_matrix_rows(A), unlabelled = 0;
    for (int64_t i = 0; i < rows; i++) {
        if (isinf(y[i]))
            return dcpn_fail(context, DCPN_DATA, "label of row %lld: found one that is infinite, expected a number",
                             (long long)i + 1);
        unlabelled += isnan(y[i]) != 0;
    }
    DCPN_TRY(new_problem(context, problem));
    (*problem)->A = A;
    (*problem)->y = y;
    (*problem)->unlabelled = unlabelled;
    (*problem)->zero_is_no_label = dcpn_zero_is_no_label(y, rows);
    mention_unlabelled(context, *problem, rows);
    return DCPN_OK;
}

dcpn_status dcpn_problem_new_smooth(dcpn_context *context, const dcpn_smooth *f, dcpn_problem **problem)
{
    DCPN_NEED(context, context, problem);
    *problem = NULL;
    if (!f || f->size < 1 || !f->value1 || !f->gradient1)
        return dcpn_fail(context, DCPN_USAGE, "smooth f: expected a size of at least 1, value1 and gradient1");
    if (!f->value2 != !f->gradient2)
        return dcpn_fail(context, DCPN_USAGE, "smooth f: found one of value2 and gradient2, expected both or none");
    if (!(f->lipschitz1 >= 0.0))
        return dcpn_fail(context, DCPN_USAGE, "smooth f: found lipschitz1 = %g, expected 0 (unknown) or more",
                         f->lipschitz1);
    DCPN_TRY(new_problem(context, problem));
    (*problem)->f = f;
    return DCPN_OK;
}

void dcpn_problem_free(dcpn_problem *problem)
{
    if (problem) dcpn_free(problem->context, problem);
}

/* Names the first number that is not finite or, where negative is refused, negative. */
static dcpn_status check_numbers(const dcpn_problem *problem, const char *what, const double *numbers, int64_t count,
                                 int may_be_negative)
{
    for (int64_t i = 0; i < count; i++)
        if (!(numbers[i] - numbers[i] == 0.0) || (numbers[i] < 0.0 && !may_be_negative))
            return dcpn_fail(problem->context, DCPN_DATA, "%s %lld: found %g, expected a finite number%s", what,
                             (long long)i + 1, numbers[i], may_be_negative ? "" : " of at least 0");
    return DCPN_OK;
}

static dcpn_status needs_data(const dcpn_problem *problem, const char *what)
{
    if (problem->A) return DCPN_OK;
    return dcpn_fail(problem->context, DCPN_USAGE, "%s belong to the rows of a matrix; a smooth f of your own has none",
                     what);
}

dcpn_status dcpn_problem_set_weights(dcpn_problem *problem, const double *weights)
{
    DCPN_NEED(NULL, problem);
    DCPN_TRY(needs_data(problem, "weights"));
    int64_t rows = dcpn_problem_rows(problem);
    if (weights) DCPN_TRY(check_numbers(problem, "weight of row", weights, rows, 0));
    if (weights && dcpn_count_nonzeros(rows, weights) == 0 && !dcpn_has_ranks(problem->context))
        return dcpn_fail(problem->context, DCPN_DATA, "weights: all are 0, expected at least one above 0");
    double total = 0.0;
    for (int64_t i = 0; weights && i < rows; i++) total += weights[i];
    if (!(total <= 1e300))
        return dcpn_fail(problem->context, DCPN_DATA, "weights: their sum is above 1e300; scale them down");
    problem->weights = weights;
    return DCPN_OK;
}

int dcpn_problem_has_offset(const dcpn_problem *problem)
{
    for (int64_t i = 0; problem->offset && i < problem->offset_columns * dcpn_problem_rows(problem); i++)
        if (problem->offset[i] != 0.0) return 1;
    return 0;
}

dcpn_status dcpn_problem_set_survival(dcpn_problem *problem, const double *start, const double *strata)
{
    DCPN_NEED(NULL, problem);
    for (int64_t i = 0; start && i < dcpn_problem_rows(problem); i++)
        if (!isfinite(start[i]) || !(start[i] < fabs(problem->y[i])))
            return dcpn_fail(problem->context, DCPN_DATA,
                             "start of row %lld: found %.10g, expected a time before that of the row, %.10g",
                             (long long)i + 1, start[i], fabs(problem->y[i]));
    for (int64_t i = 0; strata && i < dcpn_problem_rows(problem); i++)
        if (!isfinite(strata[i]))
            return dcpn_fail(problem->context, DCPN_DATA, "stratum of row %lld: found %g, expected a finite number",
                             (long long)i + 1, strata[i]);
    problem->survival.start = start;
    problem->survival.strata = strata;
    return DCPN_OK;
}

dcpn_status dcpn_problem_set_responses(dcpn_problem *problem, int64_t count, const double *Y)
{
    DCPN_NEED(NULL, problem);
    DCPN_TRY(needs_data(problem, "responses"));
    DCPN_TRY(dcpn_need_size(problem->context, "responses", count));
    problem->responses = (struct given_responses){0};
    if (count < 2) return DCPN_OK;
    DCPN_NEED(problem->context, Y);
    int64_t rows = dcpn_problem_rows(problem);
    for (int64_t k = 0; k < count; k++)
        for (int64_t i = 0; i < rows; i++)
            if (!isfinite(Y[k * rows + i]))
                return dcpn_fail(problem->context, DCPN_DATA,
                                 "response %lld of row %lld: found %g, expected a finite number; leave such rows out",
                                 (long long)k + 1, (long long)i + 1, Y[k * rows + i]);
    problem->responses = (struct given_responses){count, Y};
    return DCPN_OK;
}

dcpn_status dcpn_problem_set_offset(dcpn_problem *problem, const double *offset)
{
    return dcpn_problem_set_offsets(problem, 1, offset);
}

dcpn_status dcpn_problem_set_offsets(dcpn_problem *problem, int64_t count, const double *offsets)
{
    DCPN_NEED(NULL, problem);
    DCPN_TRY(needs_data(problem, "offsets"));
    DCPN_TRY(dcpn_need_size(problem->context, "offsets of a row", count));
    int64_t rows = dcpn_problem_rows(problem);
    for (int64_t k = 0; offsets && k < count; k++)
        DCPN_TRY(check_numbers(problem, "offset of row", offsets + k * rows, rows, 1));
    problem->offset = count > 0 ? offsets : NULL;
    problem->offset_columns = problem->offset ? count : 0;
    return DCPN_OK;
}

dcpn_status dcpn_problem_set_penalty_factors(dcpn_problem *problem, const double *factors)
{
    DCPN_NEED(NULL, problem);
    if (factors)
        DCPN_TRY(check_numbers(problem, "penalty factor of feature", factors, dcpn_problem_features(problem), 0));
    problem->factors = factors;
    return DCPN_OK;
}

dcpn_status dcpn_problem_set_bounds(dcpn_problem *problem, const double *lower, const double *upper)
{
    DCPN_NEED(NULL, problem);
    for (int64_t j = 0; j < dcpn_problem_features(problem); j++) {
        if (lower && !(lower[j] <= 0.0))
            return dcpn_fail(problem->context, DCPN_DATA,
                             "lower bound of feature %lld: found %g, expected at most 0: a coefficient of 0 is always "
                             "allowed",
                             (long long)j + 1, lower[j]);
        if (upper && !(upper[j] >= 0.0))
            return dcpn_fail(problem->context, DCPN_DATA,
                             "upper bound of feature %lld: found %g, expected at least 0: a coefficient of 0 is always "
                             "allowed",
                             (long long)j + 1, upper[j]);
    }
    problem->lower = lower;
    problem->upper = upper;
    return DCPN_OK;
}

/* Refuses members of a group that are no features, or that are in the group twice. */
static dcpn_status check_members(const dcpn_problem *problem, int64_t group, const int64_t *member, int64_t size,
                                 int64_t *seen_in)
{
    int64_t features = dcpn_problem_features(problem);
    for (int64_t i = 0; i < size; i++) {
        int64_t j = member[i];
        if (j < 0 || j >= features)
            return dcpn_fail(problem->context, DCPN_DATA,
                             "groups: found feature %lld in group %lld, expected a number from 1 to %lld",
                             dcpn_counted_from_1(j), (long long)group + 1, (long long)features);
        if (seen_in[j] == group + 1)
            return dcpn_fail(problem->context, DCPN_DATA, "groups: found feature %lld twice in group %lld",
                             (long long)j + 1, (long long)group + 1);
        seen_in[j] = group + 1;
    }
    return DCPN_OK;
}

static dcpn_status check_groups(const dcpn_problem *problem, int64_t count, const int64_t *start, const int64_t *member)
{
    int64_t features = dcpn_problem_features(problem);
    if (start[0] != 0) return dcpn_fail(problem->context, DCPN_DATA, "groups: found a first start that is not 0");
    for (int64_t g = 0; g < count; g++)
        if (start[g + 1] < start[g] || start[g + 1] - start[g] > features)
            return dcpn_fail(problem->context, DCPN_DATA,
                             "groups: found the starts %lld and %lld of group %lld and the next, expected them to "
                             "ascend by at most %lld",
                             (long long)start[g], (long long)start[g + 1], (long long)g + 1, (long long)features);
    int64_t *seen_in = dcpn_allocate(problem->context, (size_t)features, sizeof *seen_in);
    dcpn_status status = seen_in ? DCPN_OK : DCPN_MEMORY;
    for (int64_t j = 0; seen_in && j < features; j++) seen_in[j] = 0;
    for (int64_t g = 0; status == DCPN_OK && g < count; g++)
        status = check_members(problem, g, member + start[g], start[g + 1] - start[g], seen_in);
    dcpn_free(problem->context, seen_in);
    return status;
}

dcpn_status dcpn_problem_set_groups(dcpn_problem *problem, int64_t count, const int64_t *start, const int64_t *member,
                                    const double *weights)
{
    DCPN_NEED(NULL, problem);
    if (count < 0) return dcpn_fail(problem->context, DCPN_USAGE, "groups: found %lld of them", (long long)count);
    if (count > 0) {
        DCPN_NEED(problem->context, start, member);
        DCPN_TRY(check_groups(problem, count, start, member));
        for (int64_t g = 0; weights && g < count; g++)
            if (!isnan(weights[g])) DCPN_TRY(check_numbers(problem, "weight of a group", weights + g, 1, 0));
    }
    problem->groups.count = count;
    problem->groups.start = start;
    problem->groups.member = member;
    problem->groups.weight = weights;
    return DCPN_OK;
}

dcpn_status dcpn_problem_set_loss(dcpn_problem *problem, const dcpn_loss_ops *loss, void *user)
{
    DCPN_NEED(NULL, problem);
    DCPN_TRY(needs_data(problem, "losses"));
    if (loss && (!loss->name || !loss->value || !loss->change || !loss->slope1 || !loss->value2 != !loss->slope2))
        return dcpn_fail(problem->context, DCPN_USAGE,
                         "loss: expected name, value, change and slope1, and value2 and slope2 both or none");
    problem->loss = loss;
    problem->users.loss = user;
    return DCPN_OK;
}

dcpn_status dcpn_problem_set_penalty(dcpn_problem *problem, const dcpn_penalty_ops *penalty, void *user)
{
    DCPN_NEED(NULL, problem);
    if (penalty && (!penalty->name || !penalty->value || !penalty->slope0 || !penalty->slope))
        return dcpn_fail(problem->context, DCPN_USAGE, "penalty: expected name, value, slope0 and slope");
    problem->penalty = penalty;
    problem->users.penalty = user;
    return DCPN_OK;
}

dcpn_status dcpn_problem_set_regularizer(dcpn_problem *problem, const dcpn_regularizer *h)
{
    DCPN_NEED(NULL, problem);
    if (h && (!h->value1 || !h->prox1 || !h->value2 != !h->subgradient2))
        return dcpn_fail(problem->context, DCPN_USAGE,
                         "regularizer: expected value1 and prox1, and value2 and subgradient2 both or none");
    problem->h = h;
    return DCPN_OK;
}
