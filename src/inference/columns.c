/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns that vary, dense, with mean 0 and mean square 1. */
#include "inference/columns.h"

#include <math.h>
#include <string.h>

#include "base/tuning.h"
#include "base/vector.h"

/* Centres and scales a column. Returns 0 if it does not vary beyond rounding. */
static int standardize(int64_t rows, double *column, double *mean, double *deviation)
{
    double n = (double)rows, sum = 0.0, largest = dcpn_norm_max(rows, column);
    for (int64_t i = 0; i < rows; i++) sum += column[i];
    *mean = sum / n;
    for (int64_t i = 0; i < rows; i++) column[i] -= *mean;
    *deviation = dcpn_norm2(rows, column) / sqrt(n);
    if (!(*deviation > COLUMN_VARIES * largest)) return 0;
    for (int64_t i = 0; i < rows; i++) column[i] /= *deviation;
    return 1;
}

static void take(const dcpn_matrix *X, struct standard_columns *c)
{
    for (int64_t j = 0; j < X->columns; j++) {
        double *column = dcpn_standard_column(c, c->count);
        dcpn_fill(c->rows, 0.0, column);
        X->ops->column_add(X, j, 1.0, column);
        if (standardize(c->given, column, &c->mean[c->count], &c->deviation[c->count])) c->feature[c->count++] = j;
    }
}

dcpn_status dcpn_standard_columns_new(dcpn_context *context, const dcpn_matrix *X, int64_t extra,
                                      struct standard_columns *c)
{
    size_t count = (size_t)X->columns + 1;
    *c = (struct standard_columns){.context = context, .rows = X->rows + extra, .given = X->rows};
    c->feature = dcpn_allocate(context, count, sizeof *c->feature);
    c->mean = dcpn_allocate(context, count, sizeof *c->mean);
    c->deviation = dcpn_allocate(context, count, sizeof *c->deviation);
    c->values = dcpn_allocate(context, count, (size_t)c->rows * sizeof *c->values);
    if (!c->feature || !c->mean || !c->deviation || !c->values) return DCPN_MEMORY;
    take(X, c);
    return DCPN_OK;
}

void dcpn_standard_columns_free(struct standard_columns *c)
{
    if (!c->context) return;
    dcpn_free(c->context, c->feature);
    dcpn_free(c->context, c->mean);
    dcpn_free(c->context, c->deviation);
    dcpn_free(c->context, c->values);
    c->context = NULL;
}
