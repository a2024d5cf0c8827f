/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights of two classes, laid on the rows. */
#include <math.h>

#include "base/context.h"
#include "problem/problem.h"

struct two_classes {
    double low, high;
    int zero_is_none;
};

static int has_label(const struct two_classes *classes, double label)
{
    return !isnan(label) && !(classes->zero_is_none && label == 0.0);
}

/* The solver says so where there is only one class. */
static dcpn_status find_classes(dcpn_context *context, const double *y, int64_t rows, struct two_classes *classes)
{
    *classes = (struct two_classes){HUGE_VAL, -HUGE_VAL, dcpn_zero_is_no_label(y, rows)};
    for (int64_t i = 0; i < rows; i++) {
        if (!has_label(classes, y[i])) continue;
        classes->low = fmin(classes->low, y[i]);
        classes->high = fmax(classes->high, y[i]);
    }
    for (int64_t i = 0; i < rows; i++)
        if (has_label(classes, y[i]) && y[i] > classes->low && y[i] < classes->high)
            return dcpn_fail(context, DCPN_DATA,
                             "class weights: found the labels %.6g, %.6g and %.6g (row %lld), expected two classes",
                             classes->low, classes->high, y[i], (long long)i + 1);
    return DCPN_OK;
}

dcpn_status dcpn_class_weights(dcpn_context *context, const double *y, int64_t rows, const double of_class[2],
                               double *weights)
{
    struct two_classes classes;
    double sum[2] = {0.0, 0.0}, factor[2];
    DCPN_NEED(context, context, y, weights);
    DCPN_TRY(find_classes(context, y, rows, &classes));
    for (int64_t i = 0; i < rows; i++)
        if (has_label(&classes, y[i])) sum[y[i] > classes.low] += weights[i];
    for (int c = 0; c < 2; c++) factor[c] = of_class ? of_class[c] : (sum[0] + sum[1]) / (2.0 * sum[c]);
    for (int64_t i = 0; i < rows; i++)
        if (has_label(&classes, y[i])) weights[i] *= factor[y[i] > classes.low];
    return DCPN_OK;
}
