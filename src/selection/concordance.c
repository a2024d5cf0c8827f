/* SPDX-License-Identifier: BSD-3-Clause */
/* Two rows are compared where it is known who came first: a row with an event, and one of a later time or censored
 * at the same time. Rows are taken by falling time into a binary indexed tree over the ranks of their scores, which
 * says how much weight is below a rank. That takes time n log n in all. */
#include "selection/concordance.h"

#include <stdlib.h>

#include "loss/survival.h"

struct ranking {
    const double *y, *w, *scores, *strata;
    double *tree, *sorted; /* by rank, from 0 */
    int64_t count;         /* of different scores */
    double right, all;
};

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Orders rows by stratum, then by falling time; at the same time censored rows come first. */
static int in_order(const void *a, const void *b, void *user)
{
    const struct ranking *r = user;
    int64_t i = *(const int64_t *)a, k = *(const int64_t *)b;
    double s = r->strata ? r->strata[i] - r->strata[k] : 0.0, t = fabs(r->y[k]) - fabs(r->y[i]);
    int events = dcpn_survival_has_event(r->y[i]) - dcpn_survival_has_event(r->y[k]);
    return s != 0.0 ? (s > 0.0 ? 1 : -1) : t != 0.0 ? (t > 0.0 ? 1 : -1) : events ? events : (i > k) - (i < k);
}

static int64_t rank_of(const struct ranking *r, double score)
{
    int64_t low = 0, high = r->count - 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (r->sorted[middle] < score)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void insert(struct ranking *r, int64_t row)
{
    for (int64_t k = rank_of(r, r->scores[row]) + 1; k <= r->count; k += k & -k) r->tree[k - 1] += r->w[row];
}

/* Returns the weight of the rows whose scores have a rank below this one. */
static double weight_below(const struct ranking *r, int64_t rank)
{
    double sum = 0.0;
    for (int64_t k = rank; k > 0; k -= k & -k) sum += r->tree[k - 1];
    return sum;
}

static void compare(struct ranking *r, int64_t row)
{
    int64_t rank = rank_of(r, r->scores[row]);
    double below = weight_below(r, rank), up_to = weight_below(r, rank + 1), all = weight_below(r, r->count);
    r->right += r->w[row] * (below + 0.5 * (up_to - below));
    r->all += r->w[row] * all;
}

static int is_same(const struct ranking *r, int64_t i, int64_t k)
{
    return fabs(r->y[i]) == fabs(r->y[k]) && dcpn_survival_has_event(r->y[i]) == dcpn_survival_has_event(r->y[k]) &&
           (!r->strata || r->strata[i] == r->strata[k]);
}

double dcpn_concordance(const struct measured_rows *rows, const double *scores, int64_t *order)
{
    struct survival *s = rows->loss.user;
    int64_t n = rows->loss.rows;
    struct ranking r = {rows->loss.y, rows->loss.w, scores, rows->strata, s->x, s->scale, 0, 0.0, 0.0};
    s->known.is_there = 0;
    for (int64_t i = 0; i < n; i++) {
        order[i] = i;
        r.sorted[i] = scores[i];
        r.tree[i] = 0.0;
    }
    qsort(r.sorted, (size_t)n, sizeof *r.sorted, by_value);
    for (int64_t i = 0; i < n; i++)
        if (r.count == 0 || r.sorted[i] != r.sorted[r.count - 1]) r.sorted[r.count++] = r.sorted[i];
    qsort_r(order, (size_t)n, sizeof *order, in_order, &r);
    for (int64_t begin = 0, end; begin < n; begin = end) {
        if (begin > 0 && r.strata && r.strata[order[begin]] != r.strata[order[begin - 1]])
            for (int64_t k = 0; k < r.count; k++) r.tree[k] = 0.0;
        for (end = begin; end < n && is_same(&r, order[begin], order[end]); end++)
            if (dcpn_survival_has_event(r.y[order[end]])) compare(&r, order[end]);
        for (int64_t k = begin; k < end; k++) insert(&r, order[k]);
    }
    return r.all > 0.0 ? r.right / r.all : (double)NAN;
}
