/* SPDX-License-Identifier: BSD-3-Clause */
/* The best model of each number of features, among those that the other paths have kept: each set of features is
 * refitted without the penalty, and of each size the one with the lowest f stays. Where no path has a model of some
 * size, the next larger one loses the feature that it misses least. Groups with a norm come and leave as a whole, so
 * that there are models of some sizes only. Paths of different penalties, shapes and searches
 * pass through different sets, and what is compared here is the sets alone, not how much each penalty shrinks. Where a
 * number of features is asked for, better sets of up to so many are searched for (by_size_search.c).
 *
 * The same sets may be refitted with a ridge as well: of a set that was chosen from many on noisy rows the coefficients
 * are too large, and a ridge takes that back without another feature (Mazumder, Radchenko and Dedieu 2023). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "path/by_size.h"
#include "penalty/norm.h"

/* The number of Fan and Tang (2013), up to which a criterion finds the true set. Of few rows log log n counts as 1. */
int64_t dcpn_usual_most_features(double rows, double features)
{
    double most = rows / (log(features + M_E) * log(log(fmax(rows, 16.0))));
    most = fmin(fmin(most, features), rows - 2.0);
    return most < 1.0 ? 1 : (int64_t)fmin(most, 1e15);
}

/* What is usual for groups, by their usual size. */
static int64_t usual_most(const struct choosing *c, double rows, double features)
{
    double groups = (double)c->units.count;
    if (c->units.alone) return dcpn_usual_most_features(rows, features);
    return (int64_t)fmin((double)dcpn_usual_most_features(rows, groups) * (features / groups), 0.5 * rows);
}

static int64_t most_features(const struct choosing *c)
{
    const struct fitting *f = c->f;
    double features = (double)f->levels.all->algorithm->objective.features;
    int64_t most = usual_most(c, dcpn_problem_counted_rows(f->request->problem), features);
    int64_t kept = f->request->options->features_kept;
    if (most > BY_SIZE_MOST) most = BY_SIZE_MOST;
    return kept > most ? (int64_t)fmin((double)kept, features) : most;
}

/* ---- groups, and features that are none ---- */

/* Does the composition choose groups, and not features within them? */
static int is_of_whole_groups(const struct composition *composition)
{
    return composition && !composition->separable_h1 && !composition->two_terms;
}

static dcpn_status make_units(dcpn_context *context, const struct penalty *h, struct units *units)
{
    int64_t features = h->features;
    int is_whole = is_of_whole_groups(h->composition);
    *units = (struct units){is_whole ? h->blocks.count : features, h->blocks.start, h->blocks.member, NULL, NULL, NULL};
    units->of = dcpn_allocate(context, (size_t)features, sizeof *units->of);
    units->number = dcpn_allocate(context, (size_t)units->count, sizeof *units->number);
    units->alone = is_whole ? NULL : dcpn_allocate(context, (size_t)features + 1, sizeof *units->alone);
    if (!units->of || !units->number || !(is_whole || units->alone)) return DCPN_MEMORY;
    if (!is_whole) units->start = units->member = units->alone;
    for (int64_t j = 0; j <= features && !is_whole; j++) units->alone[j] = j;
    for (int64_t u = 0; u < units->count; u++)
        for (int64_t i = units->start[u]; i < units->start[u + 1]; i++) units->of[units->member[i]] = u;
    return DCPN_OK;
}

/* ---- the sets that there are ---- */

static int by_size(const void *a, const void *b)
{
    const struct candidate *one = a, *other = b;
    int64_t x = one->point->fit.nonzeros, y = other->point->fit.nonzeros;
    if (x != y) return (x > y) - (x < y);
    if (one->sum != other->sum) return one->sum < other->sum ? -1 : 1;
    return one->order < other->order ? -1 : 1;
}

static void list_path(struct choosing *c, const dcpn_path *path)
{
    for (int64_t k = 0; k < path->count; k++) {
        const dcpn_path_point *point = &path->points[k];
        int64_t count = point->fit.nonzeros, at = c->candidate_count;
        if (count < 1 || count > c->most) continue;
        uint64_t sum = dcpn_checksum(path->index + point->first, (size_t)count * sizeof *path->index);
        c->candidates[c->candidate_count++] = (struct candidate){path, point, sum, at};
    }
}

static int is_same_set(const struct candidate *a, const struct candidate *b)
{
    size_t bytes = (size_t)a->point->fit.nonzeros * sizeof *a->path->index;
    return a->point->fit.nonzeros == b->point->fit.nonzeros &&
           memcmp(a->path->index + a->point->first, b->path->index + b->point->first, bytes) == 0;
}

/* Lists the sets of features of all paths, in the order of their size, each set once. */
static dcpn_status list_candidates(struct choosing *c)
{
    struct fitting *f = c->f;
    int64_t all = 0, kept = 0;
    for (const dcpn_path *path = f->paths->paths; path < f->path; path++) all += path->count;
    c->candidates = dcpn_allocate(f->request->context, (size_t)all, sizeof *c->candidates);
    if (!c->candidates) return DCPN_MEMORY;
    for (const dcpn_path *path = c->sets ? c->sets : f->paths->paths; path < f->path; path++) list_path(c, path);
    qsort(c->candidates, (size_t)c->candidate_count, sizeof *c->candidates, by_size);
    for (int64_t k = 0; k < c->candidate_count; k++)
        if (kept == 0 || !is_same_set(&c->candidates[k], &c->candidates[kept - 1]))
            c->candidates[kept++] = c->candidates[k];
    c->candidate_count = kept;
    return DCPN_OK;
}

/* ---- the best of each size ---- */

/* Refits the columns c->columns, starting from c->x. */
void dcpn_by_size_try(struct choosing *c, int64_t count)
{
    struct subset *best = &c->subsets[count];
    double value = dcpn_refit(&c->refit, c->columns, count, c->x);
    if (isinf(value) || (best->is_there && !(value < best->value))) return;
    best->is_there = 1;
    best->value = value;
    memcpy(best->columns, c->columns, (size_t)count * sizeof *best->columns);
    dcpn_copy(count + 1, c->refit.x, best->x);
}

/* Lists the columns of the units that x has in use; returns their number, or one above c->most. */
static int64_t list_in_use(struct choosing *c, const double *x)
{
    const struct units *units = &c->units;
    int64_t count = 0, features = c->refit.F->features;
    dcpn_fill(units->count, 0.0, units->number);
    for (int64_t j = dcpn_next_nonzero(features, x, 0); j < features; j = dcpn_next_nonzero(features, x, j + 1))
        units->number[units->of[j]] = 1.0;
    for (int64_t j = 0; j < features && count <= c->most; j++)
        if (units->number[units->of[j]] != 0.0 && ++count <= c->most) c->columns[count - 1] = j;
    return count;
}

static void try_candidate(struct choosing *c, const struct candidate *candidate)
{
    const dcpn_path_point *point = candidate->point;
    double intercept = point->intercept;
    const struct few_coefficients given = {.index = candidate->path->index + point->first,
                                           .value = candidate->path->value_of + point->first,
                                           .count = point->fit.nonzeros,
                                           .intercepts = &intercept};
    dcpn_plan_take_some(c->f->plan, &given, c->x);
    int64_t count = list_in_use(c, c->x);
    if (count <= c->most) dcpn_by_size_try(c, count);
}

/* Spreads the coefficients of the best set of this size over x, which has a number for each column of the plan. */
void dcpn_by_size_spread(const struct choosing *c, int64_t count, double *x)
{
    const struct subset *subset = &c->subsets[count];
    const struct objective *F = c->refit.F;
    dcpn_fill(F->size, 0.0, x);
    for (int64_t k = 0; k < count; k++) x[subset->columns[k]] = subset->x[k];
    if (F->size > F->features) x[F->features] = subset->x[count];
}

int dcpn_by_size_is_free(const struct choosing *c, int64_t column)
{
    const struct penalty *h = &c->refit.F->penalty;
    int64_t u = c->units.of[column];
    if (!c->units.alone && h->blocks.weight[u] == 0.0) return 1;
    return h->factors && h->factors[c->units.member[c->units.start[u]]] == 0.0;
}

/* The unit of a set whose terms x_j^2 H_jj are the least; -1: none may leave. */
static int64_t least_unit(struct choosing *c, const struct subset *set, int64_t count)
{
    const struct units *units = &c->units;
    int64_t least = -1;
    for (int64_t k = 0; k < count; k++) units->number[units->of[set->columns[k]]] = 0.0;
    for (int64_t k = 0; k < count; k++)
        units->number[units->of[set->columns[k]]] += set->x[k] * set->x[k] * c->refit.diagonal[k];
    for (int64_t k = 0; k < count; k++) {
        int64_t u = units->of[set->columns[k]];
        if (dcpn_by_size_is_free(c, set->columns[k]) || !isfinite(units->number[u])) continue;
        if (least < 0 || units->number[u] < units->number[least]) least = u;
    }
    return least;
}

/* Tries the best set of this size without the unit that it misses least. One without a penalty always stays. */
static void try_without_one(struct choosing *c, int64_t count)
{
    const struct subset *larger = &c->subsets[count];
    int64_t kept = 0;
    dcpn_by_size_spread(c, count, c->x);
    if (isinf(dcpn_refit(&c->refit, larger->columns, count, c->x))) return;
    int64_t least = least_unit(c, larger, count);
    if (least < 0) return;
    for (int64_t k = 0; k < count; k++) {
        if (c->units.of[larger->columns[k]] == least)
            c->x[larger->columns[k]] = 0.0;
        else
            c->columns[kept++] = larger->columns[k];
    }
    dcpn_by_size_try(c, kept);
}

static int has_budget(const struct choosing *c)
{
    return (double)c->refit.touched < BY_SIZE_PASSES * (double)c->refit.F->design.A->entries;
}

/* Finds the best set of each size. Small sets come first, and large ones that would take too much work are left out. */
static void choose_subsets(struct choosing *c)
{
    dcpn_fill(c->refit.F->size, 0.0, c->x);
    dcpn_by_size_try(c, 0);
    for (int64_t k = 0; k < c->candidate_count && has_budget(c) && !dcpn_path_is_cut(c->f, DCPN_CONVERGED); k++)
        try_candidate(c, &c->candidates[k]);
    for (int64_t k = c->sets ? 0 : c->most; k > 1; k--)
        if (c->subsets[k].is_there && !dcpn_path_is_cut(c->f, DCPN_CONVERGED)) try_without_one(c, k);
    if (c->kept) dcpn_by_size_search(c);
}

/* ---- the points ---- */

static double largest_slope_on(const struct choosing *c, int64_t count, const double *gradient)
{
    double largest = 0.0;
    for (int64_t k = 0; k < count; k++) largest = fmax(largest, fabs(gradient[c->subsets[count].columns[k]]));
    return largest;
}

/* The largest slope along a group: max |grad_g f| / weight_g. */
static double lambda_beside_groups(const struct choosing *c, const double *x, const double *gradient)
{
    const struct penalty *h = &c->refit.F->penalty;
    double lambda = 0.0;
    for (int64_t b = 0; b < h->blocks.count; b++) {
        int64_t j = dcpn_block_term(&h->blocks, b);
        if (dcpn_block_norm(&h->blocks, b, x) > 0.0 || dcpn_by_size_is_free(c, j)) continue;
        double weight = h->blocks.weight[b] * (h->factors ? h->factors[j] : 1.0);
        lambda = fmax(lambda, dcpn_block_norm(&h->blocks, b, gradient) / weight);
    }
    return lambda;
}

/* The least lambda at which l1 keeps all other features out: max |grad_j f| / factor_j. */
static double lambda_beside(const struct choosing *c, const double *x, const double *gradient)
{
    const struct objective *F = c->refit.F;
    const double *factors = F->penalty.factors;
    double lambda = 0.0;
    if (!c->units.alone) return lambda_beside_groups(c, x, gradient);
    for (int64_t j = 0; j < F->features; j++)
        if (x[j] == 0.0 && !dcpn_by_size_is_free(c, j))
            lambda = fmax(lambda, fabs(gradient[j]) / (factors ? factors[j] : 1.0));
    return lambda;
}

static dcpn_status keep(struct choosing *c, int64_t count, const dcpn_path_point *like)
{
    struct fitting *f = c->f;
    struct workspace *all = f->levels.all;
    struct algorithm *a = all->algorithm;
    dcpn_path_point *point = &f->path->points[f->path->count];
    dcpn_by_size_spread(c, count, a->point.x);
    dcpn_point_evaluate(&a->objective, &a->point);
    dcpn_point_slopes(&a->objective, &a->point);
    dcpn_point_gradients(&a->objective, &a->point);
    a->stationarity = largest_slope_on(c, count, a->point.gradient);
    double lambda = like ? like->lambda : lambda_beside(c, a->point.x, a->point.gradient);
    if (f->path->count > 0) lambda = fmin(lambda, point[-1].lambda);
    const struct descent none = {.outcome = DCPN_CONVERGED};
    const struct ending ending = {all, &none, fmax(a->stationarity, f->settings.tol * lambda), 0.0, 0.0};
    *point =
        (dcpn_path_point){.lambda = lambda, .fit = dcpn_result_of(&ending), .is_locally_convex = -1, .convexity = NAN};
    point->deviance = dcpn_deviance_at(all, a->point.u);
    point->brier = dcpn_brier_at(all, a->point.u);
    DCPN_TRY(dcpn_path_keep(f->request->context, f->path, f->path->count, point, f->plan, a->point.x));
    f->path->count++;
    f->done++;
    return DCPN_OK;
}

/* Keeps the sets that explain more than all smaller ones. In a fold it keeps, for each point of the path on all
 * data, the largest set that has no more features than that point. */
static dcpn_status keep_subsets(struct choosing *c, const dcpn_path *like)
{
    double least = INFINITY;
    for (int64_t k = 0; k < (like ? like->count : c->most + 1); k++) {
        int64_t count = like ? like->points[k].fit.nonzeros : k;
        while (count > 0 && like && !c->subsets[count].is_there) count--;
        if (!c->subsets[count].is_there || (!like && !(c->subsets[count].value < least))) continue;
        least = c->subsets[count].value;
        DCPN_TRY(keep(c, count, like ? &like->points[k] : NULL));
    }
    return DCPN_OK;
}

/* ---- all of it ---- */

static dcpn_status allocate(struct choosing *c)
{
    dcpn_context *context = c->f->request->context;
    const struct objective *F = &c->f->levels.all->algorithm->objective;
    size_t sizes = (size_t)c->most + 1;
    DCPN_TRY(dcpn_refit_new(context, F, c->most, &c->refit));
    c->subsets = dcpn_allocate(context, sizes, sizeof *c->subsets);
    c->columns = dcpn_allocate(context, sizes, sizeof *c->columns);
    c->column_space = dcpn_allocate(context, sizes, sizes * sizeof *c->column_space);
    c->x = dcpn_allocate(context, (size_t)F->size, sizeof *c->x);
    c->x_space = dcpn_allocate(context, sizes, (sizes + 1) * sizeof *c->x_space);
    c->space = dcpn_allocate(context, c->kept ? (size_t)F->size : 0, sizeof *c->space);
    c->leaving = dcpn_allocate(context, c->kept ? sizes : 0, sizeof *c->leaving);
    int has_all = c->subsets && c->columns && c->column_space && c->x && c->x_space && c->space && c->leaving;
    if (!has_all) return DCPN_MEMORY;
    for (size_t k = 0; k < sizes; k++)
        c->subsets[k] = (struct subset){.columns = c->column_space + k * sizes, .x = c->x_space + k * (sizes + 1)};
    return DCPN_OK;
}

static dcpn_status choose_and_keep(struct choosing *c, const dcpn_path *like)
{
    dcpn_path *path = c->f->path;
    DCPN_TRY(allocate(c));
    DCPN_TRY(list_candidates(c));
    path->points = dcpn_allocate(c->f->request->context, (size_t)c->most + 1, sizeof *path->points);
    if (!path->points) return DCPN_MEMORY;
    dcpn_fitting_set_lambda(c->f, c->f->levels.all, 0.0);
    choose_subsets(c);
    int is_empty = !c->subsets[0].is_there || (c->sets && c->sets->count == 0);
    if (is_empty || dcpn_path_is_cut(c->f, DCPN_CONVERGED)) return DCPN_OK;
    DCPN_TRY(keep_subsets(c, like));
    path->end = DCPN_PATH_ALL;
    path->lambda_max = path->points[0].lambda;
    return DCPN_OK;
}

dcpn_status dcpn_fit_by_size(struct fitting *f, const dcpn_path *like)
{
    dcpn_context *context = f->request->context;
    struct objective *F = &f->levels.all->algorithm->objective;
    const struct loss *loss = &F->loss;
    struct choosing c = {.f = f, .kept = f->path->varying ? 0 : f->request->options->features_kept};
    const struct targets *targets = &f->plan->targets;
    int has_several = targets->scores > 1 || targets->ordered.count;
    if (has_several || dcpn_loss_is_coupled(loss) || !dcpn_loss_has_curvature(loss))
        return dcpn_fail(context, DCPN_USAGE,
                         "models by their number of features: found a loss of many or of ordered classes, one without "
                         "a second derivative or no sum over rows; ask for paths of penalties alone");
    if (f->path->varying) c.sets = like = f->path - 1;
    F->ridge = f->path->settings.ridge;
    dcpn_status status = make_units(context, &F->penalty, &c.units);
    c.most = status == DCPN_OK ? most_features(&c) : 0;
    if (c.kept > c.most) c.kept = c.most;
    for (int64_t k = 0; like && k < like->count; k++)
        if (like->points[k].fit.nonzeros > c.most) c.most = like->points[k].fit.nonzeros;
    if (status == DCPN_OK) status = choose_and_keep(&c, like);
    dcpn_refit_free(&c.refit);
    dcpn_free(context, c.units.of);
    dcpn_free(context, c.units.number);
    dcpn_free(context, c.units.alone);
    dcpn_free(context, c.subsets);
    dcpn_free(context, c.columns);
    dcpn_free(context, c.column_space);
    dcpn_free(context, c.x);
    dcpn_free(context, c.x_space);
    dcpn_free(context, c.candidates);
    dcpn_free(context, c.space);
    dcpn_free(context, c.leaving);
    return status;
}
