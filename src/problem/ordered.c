/* SPDX-License-Identifier: BSD-3-Clause */
/* Ordered classes as rows of boundaries and gaps. */
#include "problem/ordered.h"

#include <math.h>

#include "base/context.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "problem/distinct_labels.h"

/* The share of the rows of each class; one without a row, as a fold may have it, has a small one. */
static void find_shares(const struct ordered_labels *l, double *share)
{
    double total = 0.0;
    dcpn_fill(l->count, 0.0, share);
    for (int64_t i = 0; i < l->rows; i++) {
        share[dcpn_label_position(l->classes, l->count, l->label[i])] += l->w[i];
        total += l->w[i];
    }
    for (int64_t k = 0; k < l->count; k++)
        if (!(share[k] > 0.0)) share[k] = ORDERED_NO_ROW * total;
}

/* b_k = log(weight above / weight below). Gaps weigh what the class between them weighs. */
static void place_boundaries(const struct ordered_labels *l, const double *share, const struct ordered_rows *o)
{
    double below = 0.0;
    for (int64_t k = 0; k < o->count; k++) {
        int64_t gap = 2 * l->rows + k - 1;
        double above = 0.0;
        for (int64_t c = k + 1; c < l->count; c++) above += share[c];
        below += share[k];
        o->start[k] = log(above / below);
        if (k == 0) continue;
        l->y[gap] = 0.0;
        l->w[gap] = share[k];
        l->shift[gap] = o->start[k - 1] - o->start[k];
    }
}

static void fill_row(const struct ordered_labels *l, const struct ordered_rows *o, int64_t i)
{
    int64_t c = dcpn_label_position(l->classes, l->count, l->label[i]), above = l->rows + i;
    double weight = l->w[i], offset = l->offset ? l->offset[i] : 0.0;
    o->at[i] = c > 0 ? c - 1 : 0;
    o->at[above] = c < o->count ? c : o->count - 1;
    l->y[i] = 1.0;
    l->y[above] = -1.0;
    l->w[i] = c > 0 ? weight : 0.0;
    l->w[above] = c < o->count ? weight : 0.0;
    l->shift[i] = offset + o->start[o->at[i]];
    l->shift[above] = offset + o->start[o->at[above]];
}

dcpn_status dcpn_ordered_rows_new(dcpn_context *context, const struct ordered_labels *labels,
                                  struct ordered_rows *ordered)
{
    size_t classes = (size_t)labels->count, rows = (size_t)labels->rows;
    double *share = dcpn_allocate(context, classes, sizeof *share);
    *ordered = (struct ordered_rows){.count = labels->count - 1, .rows = labels->rows};
    ordered->at = dcpn_allocate(context, 2 * rows, sizeof *ordered->at);
    ordered->start = dcpn_allocate(context, classes, sizeof *ordered->start);
    int is_there = share && ordered->at && ordered->start;
    if (is_there) {
        find_shares(labels, share);
        place_boundaries(labels, share, ordered);
        for (int64_t i = 0; i < labels->rows; i++) fill_row(labels, ordered, i);
    }
    dcpn_free(context, share);
    return is_there ? DCPN_OK : DCPN_MEMORY;
}

void dcpn_ordered_rows_free(dcpn_context *context, struct ordered_rows *ordered)
{
    dcpn_free(context, ordered->at);
    dcpn_free(context, ordered->start);
    *ordered = (struct ordered_rows){0};
}
