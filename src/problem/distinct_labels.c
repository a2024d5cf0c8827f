/* SPDX-License-Identifier: BSD-3-Clause */
#include "problem/distinct_labels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/ranks.h"

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

/* Each rank puts its labels into a slot of its own. */
static dcpn_status exchange(dcpn_context *context, double **labels, int64_t *count)
{
    struct row_place place = dcpn_ranks_place(context, *count);
    double *of_ranks = dcpn_allocate(context, (size_t)place.all, sizeof *of_ranks);
    if (!of_ranks) return dcpn_ranks_end(context, DCPN_MEMORY);
    memset(of_ranks, 0, (size_t)place.all * sizeof *of_ranks);
    if (place.all > 0) memcpy(of_ranks + place.first, *labels, (size_t)*count * sizeof *of_ranks);
    dcpn_ranks_sum(context, (int64_t *)(void *)of_ranks, place.all);
    dcpn_free(context, *labels);
    *labels = NULL;
    dcpn_status status = dcpn_ranks_status(context);
    if (status == DCPN_OK) status = dcpn_distinct_labels(context, of_ranks, place.all, labels, count);
    dcpn_free(context, of_ranks);
    return status;
}

dcpn_status dcpn_distinct_labels_of_ranks(dcpn_context *context, const double *y, int64_t rows, double **labels,
                                          int64_t *count)
{
    dcpn_status status = dcpn_distinct_labels(context, y, rows, labels, count);
    if (!dcpn_has_ranks(context)) return status;
    DCPN_TRY(dcpn_ranks_end(context, status));
    return exchange(context, labels, count);
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
