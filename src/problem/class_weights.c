/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights of classes, laid on the rows. */
#include <math.h>

#include "base/context.h"
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

/* All classes weigh the same, and all rows together as much as before. */
static void balance(const struct weighing *w, int zero_is_none, const double *weights)
{
    double total = 0.0;
    for (int64_t k = 0; k < w->count; k++) w->factors[k] = 0.0;
    for (int64_t i = 0; i < w->rows; i++) {
        if (!has_label(w, zero_is_none, i)) continue;
        w->factors[dcpn_label_position(w->classes, w->count, w->y[i])] += weights[i];
        total += weights[i];
    }
    int64_t classes = w->count - (zero_is_none ? 1 : 0);
    for (int64_t k = 0; k < w->count; k++) w->factors[k] = total / ((double)classes * w->factors[k]);
}

static dcpn_status check_count(const struct weighing *w, int zero_is_none, int64_t given)
{
    int64_t classes = w->count - (zero_is_none ? 1 : 0);
    if (given == classes || classes < 2) return DCPN_OK; /* the solver says so where there is only one class */
    return dcpn_fail(w->context, DCPN_DATA, "class weights: found %lld, expected one for each of %lld classes, the labels "
                     "from %.6g to %.6g", (long long)given, (long long)classes, w->classes[0], w->classes[w->count - 1]);
}

/* More than two numbers with a fraction among them measure something. */
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
    int zero_is_none = dcpn_zero_is_no_label(w->y, w->rows);
    DCPN_TRY(refuse_measurements(w));
    if (of_class) DCPN_TRY(check_count(w, zero_is_none, given));
    w->factors = dcpn_allocate(w->context, (size_t)w->count, sizeof *w->factors);
    if (!w->factors) return DCPN_MEMORY;
    if (!of_class) balance(w, zero_is_none, weights);
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
    dcpn_status status = dcpn_distinct_labels(context, y, rows, &w.classes, &w.count);
    if (status == DCPN_OK) status = weigh(&w, of_class, count, weights);
    dcpn_free(context, w.classes);
    dcpn_free(context, w.factors);
    return status;
}
