/* SPDX-License-Identifier: BSD-3-Clause */
/* Better sets of k features, for k up to the number that is asked for; where groups come and leave as a whole, as a
 * unit, read unit for feature. The best set of k - 1 features takes another one
 * in; then each feature of a set leaves in turn, the others are refitted, and those outside that promise most are tried
 * in its place, until no exchange lowers f. Going back from the largest sets, each loses the feature that it misses
 * least. What an unused feature promises, the others staying as they are, is
 *     (df/dx_j)^2 / (2 H_jj),   H_jj = sum_i phi1''(u_i) a_ij^2 + ridge,
 * exact where f is quadratic and column j has nothing in common with those in use. All gradients are those after the
 * feature has left: a neighbour that says nearly the same promises nothing as long as it is there. */
#include <math.h>
#include <string.h>

#include "base/tuning.h"
#include "base/vector.h"
#include "path/by_size.h"

static double touched(const struct choosing *c)
{
    return (double)c->refit.touched + (double)c->refit.F->design.touched;
}

static int has_budget(const struct choosing *c)
{
    return touched(c) < c->search_ends && !dcpn_path_is_cut(c->f, DCPN_CONVERGED);
}

/* Moves c->x to the point where the last refit, of c->columns, has ended, and computes in c->space what each unused
 * feature promises there. */
static void find_promises(struct choosing *c, int64_t count)
{
    struct algorithm *a = c->f->levels.all->algorithm;
    struct objective *F = &a->objective;
    double *x = a->point.x, *curvature = c->refit.curvature;
    dcpn_fill(F->size, 0.0, x);
    for (int64_t k = 0; k < count; k++) x[c->columns[k]] = c->refit.x[k];
    if (F->size > F->features) x[F->features] = c->refit.x[count];
    dcpn_point_evaluate(F, &a->point);
    dcpn_point_slopes(F, &a->point);
    dcpn_point_gradients(F, &a->point);
    dcpn_loss_curvature1(&F->loss, a->point.u, curvature);
    dcpn_design_curvatures(&F->design, curvature, c->space);
    dcpn_copy(F->size, x, c->x);
    for (int64_t j = 0; j < F->features; j++) {
        double g = a->point.gradient[j], H = c->space[j] + F->ridge;
        c->space[j] = H > 0.0 ? 0.5 * g * g / H : 0.0;
    }
    for (int64_t k = 0; k < count; k++) c->space[c->columns[k]] = 0.0;
}

/* What the features of a unit promise, each. */
static double promise_of(const struct choosing *c, int64_t u)
{
    double sum = 0.0;
    for (int64_t i = c->units.start[u]; i < c->units.start[u + 1]; i++) sum += c->space[c->units.member[i]];
    return sum / (double)dcpn_unit_size(&c->units, u);
}

/* The most promising unit for which sets of `count` features have room; -1: there is none. */
static int64_t most_promising(const struct choosing *c, int64_t count)
{
    int64_t best = -1;
    double most = 0.0;
    for (int64_t u = 0; u < c->units.count; u++) {
        double promise = promise_of(c, u);
        if (!(promise > most) || count + dcpn_unit_size(&c->units, u) > c->most) continue;
        best = u;
        most = promise;
    }
    return best;
}

static void forget_promise(struct choosing *c, int64_t u)
{
    for (int64_t i = c->units.start[u]; i < c->units.start[u + 1]; i++) c->space[c->units.member[i]] = 0.0;
}

/* Puts j among the ascending columns, of which there are `count`. */
static void insert(int64_t *columns, int64_t count, int64_t j)
{
    int64_t k = count;
    for (; k > 0 && columns[k - 1] > j; k--) columns[k] = columns[k - 1];
    columns[k] = j;
}

/* Takes unit u out of c->columns; returns how many are left. */
static int64_t leave_out(struct choosing *c, int64_t count, int64_t u)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < count; k++)
        if (c->units.of[c->columns[k]] != u) c->columns[kept++] = c->columns[k];
    return kept;
}

/* Adds to c->columns, which have been refitted, one of the most promising units at a time, and refits. The unit `but`
 * is not tried. */
static void try_larger(struct choosing *c, int64_t count, int64_t but)
{
    const struct units *units = &c->units;
    find_promises(c, count);
    if (but >= 0) forget_promise(c, but);
    for (int tried = 0; tried < BY_SIZE_TRIED; tried++) {
        int64_t u = most_promising(c, count), size = 0;
        if (u < 0) return;
        for (; size < dcpn_unit_size(units, u); size++)
            insert(c->columns, count + size, units->member[units->start[u] + size]);
        dcpn_by_size_try(c, count + size);
        leave_out(c, count + size, u);
        forget_promise(c, u);
    }
}

/* The unit of which column k of an ascending set is the first one, unless it always stays; -1: it is not. */
static int64_t unit_to_leave(const struct choosing *c, const int64_t *columns, int64_t k)
{
    int64_t u = c->units.of[columns[k]];
    return c->units.member[c->units.start[u]] != columns[k] || dcpn_by_size_is_free(c, columns[k]) ? -1 : u;
}

/* Takes each unit of the best set of this size out in turn, and tries others in its place. Returns 1 if a better set
 * was found. */
static int exchange(struct choosing *c, int64_t count)
{
    const struct subset *best = &c->subsets[count];
    double before = best->value;
    memcpy(c->leaving, best->columns, (size_t)count * sizeof *c->leaving);
    for (int64_t k = 0; k < count && has_budget(c); k++) {
        int64_t u = unit_to_leave(c, c->leaving, k);
        if (u < 0) continue;
        memcpy(c->columns, c->leaving, (size_t)count * sizeof *c->columns);
        int64_t left = leave_out(c, count, u);
        dcpn_by_size_spread(c, count, c->x);
        if (!isinf(dcpn_refit(&c->refit, c->columns, left, c->x))) try_larger(c, left, u);
    }
    return best->value < before - BY_SIZE_GAIN * fabs(before);
}

/* The features that have no penalty are in every set. */
static int64_t list_free(struct choosing *c)
{
    int64_t count = 0;
    for (int64_t j = 0; j < c->refit.F->features && count <= c->most; j++)
        if (dcpn_by_size_is_free(c, j)) c->columns[count++] = j;
    return count;
}

static void enlarge(struct choosing *c, int64_t count)
{
    const struct subset *best = &c->subsets[count];
    memcpy(c->columns, best->columns, (size_t)count * sizeof *c->columns);
    dcpn_by_size_spread(c, count, c->x);
    if (!isinf(dcpn_refit(&c->refit, c->columns, count, c->x))) try_larger(c, count, -1);
}

/* Takes each unit of the best set of this size out in turn, without a replacement. */
static void make_smaller(struct choosing *c, int64_t count)
{
    const struct subset *best = &c->subsets[count];
    for (int64_t k = 0; best->is_there && k < count && has_budget(c); k++) {
        int64_t u = unit_to_leave(c, best->columns, k);
        if (u < 0) continue;
        memcpy(c->columns, best->columns, (size_t)count * sizeof *c->columns);
        struct subset *smaller = &c->subsets[leave_out(c, count, u)];
        double before = smaller->is_there ? smaller->value : (double)INFINITY;
        dcpn_by_size_spread(c, count, c->x);
        dcpn_by_size_try(c, smaller - c->subsets);
        smaller->is_new |= smaller->is_there && smaller->value < before;
    }
}

void dcpn_by_size_search(struct choosing *c)
{
    int64_t beyond = c->units.alone ? BY_SIZE_BEYOND : BY_SIZE_BEYOND * (c->refit.F->features / c->units.count);
    int64_t most = c->kept + beyond < c->most ? c->kept + beyond : c->most;
    int64_t fixed = list_free(c);
    c->search_ends = touched(c) + BY_SIZE_SEARCH_PASSES * (double)c->refit.F->design.A->entries;
    if (fixed > most) return;
    dcpn_fill(c->refit.F->size, 0.0, c->x);
    dcpn_by_size_try(c, fixed);
    for (int64_t k = fixed; k < most && has_budget(c); k++) {
        if (c->subsets[k].is_there) enlarge(c, k);
        while (c->subsets[k + 1].is_there && has_budget(c) && exchange(c, k + 1)) continue;
    }
    for (int64_t k = most; k > fixed && has_budget(c); k--) {
        while (c->subsets[k].is_new && has_budget(c)) c->subsets[k].is_new = exchange(c, k);
        if (k > fixed + 1) make_smaller(c, k);
    }
}
