/* SPDX-License-Identifier: BSD-3-Clause */
/* Better sets of k features, for k up to the number that is asked for. The best set of k - 1 features takes another one
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

static int64_t most_promising(const struct choosing *c)
{
    int64_t features = c->refit.F->features, best = 0;
    for (int64_t j = 1; j < features; j++)
        if (c->space[j] > c->space[best]) best = j;
    return c->space[best] > 0.0 ? best : -1;
}

/* Puts j among the ascending columns, of which there are `count`. */
static void insert(int64_t *columns, int64_t count, int64_t j)
{
    int64_t k = count;
    for (; k > 0 && columns[k - 1] > j; k--) columns[k] = columns[k - 1];
    columns[k] = j;
}

static void leave_out(int64_t *columns, int64_t count, int64_t j)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < count; k++)
        if (columns[k] != j) columns[kept++] = columns[k];
}

/* Adds to c->columns, which have been refitted, one of the most promising features at a time, and refits. The
 * feature `but` is not tried. */
static void try_larger(struct choosing *c, int64_t count, int64_t but)
{
    find_promises(c, count);
    if (but >= 0) c->space[but] = 0.0;
    for (int tried = 0; tried < BY_SIZE_TRIED; tried++) {
        int64_t j = most_promising(c);
        if (j < 0) return;
        insert(c->columns, count, j);
        dcpn_by_size_try(c, count + 1);
        leave_out(c->columns, count + 1, j);
        c->space[j] = 0.0;
    }
}

/* Takes each feature of the best set of this size out in turn, and tries others in its place. Returns 1 if a better
 * set was found. */
static int exchange(struct choosing *c, int64_t count)
{
    const struct subset *best = &c->subsets[count];
    double before = best->value;
    memcpy(c->leaving, best->columns, (size_t)count * sizeof *c->leaving);
    for (int64_t k = 0; k < count && has_budget(c); k++) {
        if (dcpn_by_size_is_free(c, c->leaving[k])) continue;
        memcpy(c->columns, c->leaving, (size_t)count * sizeof *c->columns);
        leave_out(c->columns, count, c->leaving[k]);
        dcpn_by_size_spread(c, count, c->x);
        if (!isinf(dcpn_refit(&c->refit, c->columns, count - 1, c->x))) try_larger(c, count - 1, c->leaving[k]);
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

/* Takes each feature of the best set of this size out in turn, without a replacement. Returns 1 if that gave a
 * better set of one feature fewer. */
static int make_smaller(struct choosing *c, int64_t count)
{
    const struct subset *best = &c->subsets[count], *smaller = best - 1;
    double before = smaller->is_there ? smaller->value : (double)INFINITY;
    for (int64_t k = 0; best->is_there && k < count && has_budget(c); k++) {
        if (dcpn_by_size_is_free(c, best->columns[k])) continue;
        memcpy(c->columns, best->columns, (size_t)count * sizeof *c->columns);
        leave_out(c->columns, count, best->columns[k]);
        dcpn_by_size_spread(c, count, c->x);
        dcpn_by_size_try(c, count - 1);
    }
    return smaller->is_there && smaller->value < before;
}

void dcpn_by_size_search(struct choosing *c)
{
    int64_t most = c->kept + BY_SIZE_BEYOND < c->most ? c->kept + BY_SIZE_BEYOND : c->most;
    int64_t fixed = list_free(c);
    c->search_ends = touched(c) + BY_SIZE_SEARCH_PASSES * (double)c->refit.F->design.A->entries;
    if (fixed > most) return;
    dcpn_fill(c->refit.F->size, 0.0, c->x);
    dcpn_by_size_try(c, fixed);
    for (int64_t k = fixed; k < most && has_budget(c); k++) {
        if (c->subsets[k].is_there) enlarge(c, k);
        while (c->subsets[k + 1].is_there && has_budget(c) && exchange(c, k + 1)) continue;
    }
    for (int64_t k = most; k > fixed + 1 && has_budget(c); k--) {
        int is_better = make_smaller(c, k);
        while (is_better && has_budget(c)) is_better = exchange(c, k - 1);
    }
}
