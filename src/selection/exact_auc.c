/* SPDX-License-Identifier: BSD-3-Clause */
/* The area under the curve of rows that lie on several ranks. It needs the order of all scores, so each rank tells all
 * others its scores and weights, two words a row. Rows of the same score are summed exactly, so that it does not matter
 * in which order they come. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/reduce.h"
#include "base/sort.h"
#include "selection/measure.h"

/* The scores and weights of the rows of all ranks. Weights of the negative class are below 0. */
struct exchanged {
    double *score, *weight;
    int64_t *order, count;
};

static void fill(const struct measured_rows *rows, const double *scores, struct exchanged *all)
{
    const dcpn_loss *loss = &rows->loss;
    double *score = all->score + rows->exact->first, *weight = all->weight + rows->exact->first;
    memset(all->score, 0, 2 * (size_t)all->count * sizeof *all->score);
    for (int64_t i = 0; i < loss->rows; i++) {
        score[i] = scores[i];
        weight[i] = loss->y[i] > 0.0 ? loss->w[i] : -loss->w[i];
    }
    dcpn_ranks_sum(rows->context, (int64_t *)(void *)all->score, 2 * all->count);
}

/* The weight of one class among the rows begin .. end of the order, exactly. */
static double weight_of(const struct exchanged *all, int64_t begin, int64_t end, double sign)
{
    int64_t words[FULL_WORDS];
    struct full_sum sum;
    if (end == begin + 1) return fmax(sign * all->weight[all->order[begin]], 0.0);
    dcpn_full_clear(&sum);
    for (int64_t k = begin; k < end; k++) dcpn_full_add(&sum, fmax(sign * all->weight[all->order[k]], 0.0));
    dcpn_full_pack(&sum, words);
    return dcpn_full_value(words);
}

/* The weight of the pairs in right order, ties half, over that of all pairs. */
static double area(const struct exchanged *all)
{
    double positives = 0.0, negatives = 0.0, right = 0.0;
    for (int64_t begin = 0, end; begin < all->count; begin = end) {
        for (end = begin + 1; end < all->count && all->score[end] == all->score[begin];) end++;
        double tied_positives = weight_of(all, begin, end, 1.0), tied_negatives = weight_of(all, begin, end, -1.0);
        right += tied_positives * (negatives + 0.5 * tied_negatives);
        positives += tied_positives;
        negatives += tied_negatives;
    }
    return positives > 0.0 && negatives > 0.0 ? right / (positives * negatives) : (double)NAN;
}

static int has_none(const struct exchanged *all)
{
    for (int64_t k = 0; k < all->count; k++)
        if (isnan(all->score[k])) return 1;
    return 0;
}

double dcpn_exact_auc(const struct measured_rows *rows, const double *scores)
{
    dcpn_context *context = rows->context;
    struct exchanged all = {.count = rows->exact->all};
    double found = NAN;
    all.score = dcpn_allocate(context, 2 * (size_t)all.count, sizeof *all.score);
    all.order = dcpn_allocate(context, (size_t)all.count, sizeof *all.order);
    if (all.score && all.order) {
        all.weight = all.score + all.count;
        fill(rows, scores, &all);
        for (int64_t k = 0; k < all.count; k++) all.order[k] = k;
        if (!has_none(&all)) {
            dcpn_sort_by(all.score, all.order, all.count);
            found = area(&all);
        }
    } else {
        dcpn_ranks_end(context, DCPN_MEMORY);
    }
    dcpn_free(context, all.score);
    dcpn_free(context, all.order);
    return found;
}
