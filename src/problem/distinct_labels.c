/* SPDX-License-Identifier: BSD-3-Clause */
#include "problem/distinct_labels.h"

#include <math.h>
#include <stdlib.h>

#include "base/context.h"

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

dcpn_status dcpn_distinct_labels(dcpn_context *context, const double *y, int64_t rows, double **labels, int64_t *count)
{
    int64_t known = 0;
    *count = 0;
    double *found = *labels = dcpn_allocate(context, (size_t)rows, sizeof *found);
    if (!found) return DCPN_MEMORY;
    for (int64_t i = 0; i < rows; i++)
        if (!isnan(y[i])) found[known++] = y[i];
    qsort(found, (size_t)known, sizeof *found, ascending);
    for (int64_t i = 0; i < known; i++)
        if (*count == 0 || found[i] != found[*count - 1]) found[(*count)++] = found[i];
    return DCPN_OK;
}

int64_t dcpn_label_position(const double *labels, int64_t count, double label)
{
    int64_t low = 0, high = count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (labels[middle] < label)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && labels[low] == label ? low : -1;
}
