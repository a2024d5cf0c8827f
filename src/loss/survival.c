/* SPDX-License-Identifier: BSD-3-Clause */
/* Risk sets as ranges of instants. Where all rows are at risk from the first one on, sums over them are cumulative
 * sums, in time proportional to rows and instants. With late entries a difference of two such sums would lose the
 * digits of small ones, so that they go over the nodes of a binary tree, which only adds: a factor of log n. */
#include "loss/survival.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"

/* A row in the order of stratum and time. */
struct timed {
    double stratum, time;
    int64_t row;
};

static int in_order(const void *left, const void *right)
{
    const struct timed *a = left, *b = right;
    if (a->stratum != b->stratum) return a->stratum > b->stratum ? 1 : -1;
    if (a->time != b->time) return a->time > b->time ? 1 : -1;
    return (a->row > b->row) - (a->row < b->row);
}

static double stratum_of(const struct survival_rows *given, int64_t row)
{
    return given->strata ? given->strata[row] : 0.0;
}

static void sort_rows(const struct survival_rows *given, struct timed *order)
{
    for (int64_t i = 0; i < given->rows; i++) order[i] = (struct timed){stratum_of(given, i), fabs(given->y[i]), i};
    qsort(order, (size_t)given->rows, sizeof *order, in_order);
}

static void add_event(struct survival *s, const struct survival_rows *given, const struct timed *at, int64_t *events)
{
    struct instant *last = s->count ? &s->instants[s->count - 1] : NULL;
    int is_new_stratum = !last || stratum_of(given, s->events[last->begin]) != at->stratum;
    if (is_new_stratum || last->time != at->time) {
        s->instants[s->count++] = (struct instant){.time = at->time,
                                                   .stratum = last ? last->stratum + is_new_stratum : 0,
                                                   .begin = *events,
                                                   .terms = 1,
                                                   .is_first = is_new_stratum};
        last = &s->instants[s->count - 1];
    }
    s->events[(*events)++] = at->row;
    s->at[at->row] = s->count - 1;
    last->end = *events;
    if (given->is_efron && last->weight > 0.0 && s->weight[at->row] > 0.0) last->terms++;
    last->weight += s->weight[at->row];
}

/* How many instants of the row's stratum, which begins at `first`, are at or before a time. */
static int64_t instants_until(const struct survival *s, int64_t first, int64_t last, double time)
{
    int64_t low = first, high = last;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (s->instants[middle].time <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Rows of a stratum stand side by side in the order; so do its instants. */
static void find_ranges(struct survival *s, const struct survival_rows *given, const struct timed *order, int *are_late)
{
    int64_t first = 0;
    for (int64_t begin = 0, end; begin < s->rows; begin = end) {
        int64_t last = first;
        for (end = begin; end < s->rows && order[end].stratum == order[begin].stratum; end++)
            if (s->at[order[end].row] >= 0) last = s->at[order[end].row] + 1;
        for (int64_t k = begin; k < end; k++) {
            int64_t row = order[k].row;
            s->exit[row] = instants_until(s, first, last, order[k].time);
            s->entry[row] = given->start ? instants_until(s, first, last, given->start[row]) : first;
            if (s->entry[row] > s->exit[row]) s->entry[row] = s->exit[row];
            *are_late |= s->entry[row] > first;
        }
        first = last;
    }
}

static dcpn_status allocate(struct survival *s, int64_t rows)
{
    dcpn_context *context = s->context;
    size_t n = (size_t)rows;
    s->instants = dcpn_allocate(context, n, sizeof *s->instants);
    s->entry = dcpn_allocate(context, 4 * n, sizeof *s->entry);
    s->weight = dcpn_allocate(context, 14 * n + 10, sizeof *s->weight);
    if (!s->instants || !s->entry || !s->weight) return DCPN_MEMORY;
    s->exit = s->entry + n;
    s->at = s->exit + n;
    s->events = s->at + n;
    s->x = s->weight + n;
    s->scale = s->x + n;
    s->known.u = s->scale + n;
    struct known_scores *known = &s->known;
    double **of_instants[] = {&s->S,
                              &s->D,
                              &s->M,
                              &s->N,
                              &s->P,
                              &s->R,
                              &known->inverse,
                              &known->squares[0],
                              &known->squares[1],
                              &known->squares[2]};
    for (size_t k = 0; k < sizeof of_instants / sizeof *of_instants; k++) *of_instants[k] = known->u + n + k * (n + 1);
    return DCPN_OK;
}

static dcpn_status fill(struct survival *s, const struct survival_rows *given, struct timed *order)
{
    int are_late = 0;
    int64_t events = 0;
    s->rows = given->rows;
    s->is_efron = given->is_efron;
    for (int64_t i = 0; i < s->rows; i++) s->weight[i] = given->weights ? given->weights[i] : 1.0;
    for (int64_t i = 0; i < s->rows; i++) s->at[i] = -1;
    sort_rows(given, order);
    for (int64_t k = 0; k < s->rows; k++)
        if (dcpn_survival_has_event(given->y[order[k].row])) add_event(s, given, &order[k], &events);
    find_ranges(s, given, order, &are_late);
    if (are_late) s->tree = dcpn_allocate(s->context, 2 * (size_t)s->count, sizeof *s->tree);
    return are_late && !s->tree ? DCPN_MEMORY : DCPN_OK;
}

dcpn_status dcpn_survival_new(dcpn_context *context, const struct survival_rows *given, struct survival **survival)
{
    struct survival *made = *survival = dcpn_allocate(context, 1, sizeof *made);
    struct timed *order = dcpn_allocate(context, (size_t)given->rows, sizeof *order);
    dcpn_status status = made && order ? DCPN_OK : DCPN_MEMORY;
    if (made) *made = (struct survival){.context = context};
    if (status == DCPN_OK) status = allocate(made, given->rows);
    if (status == DCPN_OK) status = fill(made, given, order);
    dcpn_free(context, order);
    if (status == DCPN_OK) return DCPN_OK;
    dcpn_survival_free(made);
    *survival = NULL;
    return status;
}

void dcpn_survival_free(struct survival *s)
{
    if (!s) return;
    dcpn_free(s->context, s->instants);
    dcpn_free(s->context, s->entry);
    dcpn_free(s->context, s->weight);
    dcpn_free(s->context, s->tree);
    dcpn_free(s->context, s);
}

/* ---- sums over ranges by a tree: leaf g is node count + g, and node k has the children 2 k and 2 k + 1 ---- */

static void gather_by_tree(const struct survival *s, const double *of_instants, double *of_rows)
{
    int64_t m = s->count;
    double *tree = s->tree;
    for (int64_t g = 0; g < m; g++) tree[m + g] = of_instants[g];
    for (int64_t k = m - 1; k >= 1; k--) tree[k] = tree[2 * k] + tree[2 * k + 1];
    for (int64_t i = 0; i < s->rows; i++) {
        double sum = 0.0;
        for (int64_t low = s->entry[i] + m, high = s->exit[i] + m; low < high; low >>= 1, high >>= 1) {
            if (low & 1) sum += tree[low++];
            if (high & 1) sum += tree[--high];
        }
        of_rows[i] = sum;
    }
}

static void scatter_by_tree(const struct survival *s, const double *of_rows, double *of_instants)
{
    int64_t m = s->count;
    double *tree = s->tree;
    memset(tree, 0, 2 * (size_t)m * sizeof *tree);
    for (int64_t i = 0; i < s->rows; i++)
        for (int64_t low = s->entry[i] + m, high = s->exit[i] + m; low < high; low >>= 1, high >>= 1) {
            if (low & 1) tree[low++] += of_rows[i];
            if (high & 1) tree[--high] += of_rows[i];
        }
    for (int64_t k = 2; k < 2 * m; k++) tree[k] += tree[k >> 1];
    for (int64_t g = 0; g < m; g++) of_instants[g] = tree[m + g];
}

/* ---- cumulative sums, which begin anew with each stratum ---- */

void dcpn_survival_gather(const struct survival *s, const double *of_instants, double *of_rows)
{
    double *sums = s->R, sum = 0.0; /* from the first instant of the stratum up to each */
    if (s->tree) {
        gather_by_tree(s, of_instants, of_rows);
        return;
    }
    for (int64_t g = 0; g < s->count; g++) {
        if (s->instants[g].is_first) sum = 0.0;
        sums[g] = sum += of_instants[g];
    }
    for (int64_t i = 0; i < s->rows; i++) of_rows[i] = s->exit[i] > s->entry[i] ? sums[s->exit[i] - 1] : 0.0;
}

void dcpn_survival_scatter(const struct survival *s, const double *of_rows, double *of_instants)
{
    if (s->tree) {
        scatter_by_tree(s, of_rows, of_instants);
        return;
    }
    memset(of_instants, 0, (size_t)s->count * sizeof *of_instants);
    for (int64_t i = 0; i < s->rows; i++)
        if (s->exit[i] > s->entry[i]) of_instants[s->exit[i] - 1] += of_rows[i];
    for (int64_t g = s->count - 2; g >= 0; g--)
        if (!s->instants[g + 1].is_first) of_instants[g] += of_instants[g + 1];
}
