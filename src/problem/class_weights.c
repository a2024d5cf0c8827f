/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights of classes, laid on the rows. */
#include <math.h>

#include "base/context.h"
#include "base/reduce.h"
#include "problem/distinct_labels.h"
#include "problem/problem.h"

struct weighing {
    dcpn_context *context;
    const double *y;
    int64_t rows, count;
    double *classes, *factors;
};

static int has_label(const struct weighing *w, int zero_is_none, int64_t i)
{
    return !isnan(w->y[i]) && !(zero_is_none && w->y[i] == 0.0);
}

/* The weight of each class on all ranks, exactly, and behind them that of all. */
static dcpn_status sum_classes(const struct weighing *w, int zero_is_none, const double *weights, double *totals)
{
    size_t count = (size_t)w->count;
    struct full_sum *sums = dcpn_allocate(w->context, count + 1, sizeof *sums);
    int64_t *words = dcpn_allocate(w->context, count + 1, FULL_WORDS * sizeof *words);
    dcpn_status status = sums && words ? DCPN_OK : DCPN_MEMORY;
    for (size_t k = 0; status == DCPN_OK && k <= count; k++) dcpn_full_clear(&sums[k]);
    for (int64_t i = 0; status == DCPN_OK && i < w->rows; i++) {
        if (!has_label(w, zero_is_none, i)) continue;
        dcpn_full_add(&sums[dcpn_label_position(w->classes, w->count, w->y[i])], weights[i]);
        dcpn_full_add(&sums[count], weights[i]);
    }
    for (size_t k = 0; status == DCPN_OK && k <= count; k++) dcpn_full_pack(&sums[k], words + k * FULL_WORDS);
    if (status == DCPN_OK) dcpn_ranks_sum(w->context, words, (int64_t)(count + 1) * FULL_WORDS);
    for (size_t k = 0; status == DCPN_OK && k <= count; k++) totals[k] = dcpn_full_value(words + k * FULL_WORDS);
    dcpn_free(w->context, sums);
    dcpn_free(w->context, words);
    return status;
}

/* Makes all classes weigh the same, and all rows together as much as before. */
static dcpn_status balance(const struct weighing *w, int zero_is_none, const double *weights)
{
    DCPN_TRY(sum_classes(w, zero_is_none, weights, w->factors));
    double total = w->factors[w->count], classes = (double)(w->count - (zero_is_none ? 1 : 0));
    for (int64_t k = 0; k < w->count; k++) w->factors[k] = total / (classes * w->factors[k]);
    return DCPN_OK;
}

static dcpn_status check_count(const struct weighing *w, int zero_is_none, int64_t given)
{
    int64_t classes = w->count - (zero_is_none ? 1 : 0);
    if (given == classes || classes < 2) return DCPN_OK; /* the solver says so where there is only one class */
    return dcpn_fail(w->context, DCPN_DATA,
                     "class weights: found %lld, expected one for each of %lld classes, the labels from %.6g to %.6g",
                     (long long)given, (long long)classes, w->classes[0], w->classes[w->count - 1]);
}

/* Refuses labels that measure something: more than two numbers, some of which have a fraction. */
static dcpn_status refuse_measurements(const struct weighing *w)
{
    for (int64_t i = 0; w->count > 2 && i < w->rows; i++)
        if (!isnan(w->y[i]) && w->y[i] != floor(w->y[i]))
            return dcpn_fail(w->context, DCPN_DATA,
                             "class weights: found the label %.6g (row %lld) beside others, expected classes", w->y[i],
                             (long long)i + 1);
    return DCPN_OK;
}

/* Where 0 is no label, the classes are -1 and 1, at the positions 0 and 2. */
static dcpn_status weigh(struct weighing *w, const double *of_class, int64_t given, double *weights)
{
    int zero_is_none = !dcpn_has_ranks(w->context) && dcpn_zero_is_no_label(w->y, w->rows);
    DCPN_TRY(dcpn_ranks_agree(w->context, refuse_measurements(w)));
    if (of_class) DCPN_TRY(check_count(w, zero_is_none, given));
    w->factors = dcpn_allocate(w->context, (size_t)w->count + 1, sizeof *w->factors);
    if (!w->factors) return DCPN_MEMORY;
    if (!of_class) DCPN_TRY(balance(w, zero_is_none, weights));
    for (int64_t k = 0; of_class && k < w->count; k++)
        w->factors[k] = zero_is_none ? of_class[k == 2] : k < given ? of_class[k] : 1.0;
    for (int64_t i = 0; i < w->rows; i++)
        if (has_label(w, zero_is_none, i)) weights[i] *= w->factors[dcpn_label_position(w->classes, w->count, w->y[i])];
    return DCPN_OK;
}

dcpn_status dcpn_class_weights(dcpn_context *context, const double *y, int64_t rows, const double *of_class,
                               int64_t count, double *weights)
{
    struct weighing w = {.context = context, .y = y, .rows = rows};
    DCPN_NEED(context, context, y, weights);
    dcpn_status status = dcpn_distinct_labels_of_ranks(context, y, rows, &w.classes, &w.count);
    if (status == DCPN_OK) status = weigh(&w, of_class, count, weights);
    dcpn_free(context, w.classes);
    dcpn_free(context, w.factors);
    return dcpn_ranks_end(context, status);
}
