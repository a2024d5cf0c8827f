/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the fit at the next lambda starts. For a convex penalty that is beyond the last point: between two lambdas at
 * which a feature enters or leaves, a path of l1 with the squared loss is a straight line in lambda, and with another
 * one nearly so. What changes slowly in a descent, along directions in which F is flat, is what the line foresees
 * best. */
#include "base/tuning.h"
#include "base/vector.h"
#include "path/fitting.h"

void dcpn_walk_note_point(struct fitting *f, const double *x)
{
    struct walk *walk = &f->walk;
    double *earlier = walk->here;
    walk->here = walk->earlier;
    walk->earlier = earlier;
    dcpn_copy(f->levels.all->algorithm->objective.size, x, walk->here);
}

/* How far beyond the last point the next one is expected, as a share of the way between the last two; 0: unknown. */
static double way_ahead(const struct fitting *f, int64_t k)
{
    const struct objective *F = &f->levels.all->algorithm->objective;
    const double *lambdas = f->walk.lambdas;
    int is_convex = !dcpn_penalty_has_h2(&F->penalty) && !dcpn_loss_has_phi2(&F->loss);
    if (k < 2 || !is_convex || !f->paths->settings.extrapolate) return 0.0;
    double way = lambdas[k - 2] - lambdas[k - 1], ahead = lambdas[k - 1] - lambdas[k];
    return ahead <= PATH_MOST_AHEAD * way && way > 0.0 ? ahead / way : 0.0;
}

/* Continues the line through the last two points, but takes no coefficient beyond 0 or beyond its bounds. */
static void extrapolate(struct fitting *f, double ahead)
{
    struct algorithm *a = f->levels.all->algorithm;
    const double *here = f->walk.here, *earlier = f->walk.earlier;
    double *x = a->point.x;
    for (int64_t j = 0; j < a->objective.size; j++) {
        x[j] = here[j] == 0.0 ? 0.0 : here[j] + ahead * (here[j] - earlier[j]);
        if (j < a->objective.features && x[j] * here[j] < 0.0) x[j] = 0.0;
        if (j >= a->objective.features && f->plan->targets.ordered.count) x[j] = here[j]; /* in their order */
        x[j] = dcpn_penalty_clamp(&a->objective.penalty, j, x[j]);
    }
}

static int has_point(const dcpn_path *path, const dcpn_path_point *point)
{
    return path->count > 0 && point >= path->points && point < path->points + path->count;
}

void dcpn_fitting_start_at(struct fitting *f, const dcpn_path_point *point, struct workspace *w)
{
    const dcpn_path *path = f->path;
    for (int64_t p = 0; p < f->paths->count; p++) /* it may be a point of another path */
        if (has_point(&f->paths->paths[p], point)) path = &f->paths->paths[p];
    if (has_point(&f->plain, point)) path = &f->plain;
    double *own = w == f->levels.all ? w->algorithm->point.x : f->walk.space;
    const struct few_coefficients given = {
        path->index + point->first, path->value_of + point->first, point->fit.nonzeros,
        (double *)(uintptr_t)dcpn_path_intercepts(path, point, dcpn_targets_constants(&f->plan->targets))};
    dcpn_plan_take_some(f->plan, &given, own);
    if (w == f->levels.all) return;
    dcpn_copy(f->levels.all->algorithm->objective.size, own, f->levels.all->algorithm->point.x);
    dcpn_workspace_take_from(w, f->levels.all);
}

/* Starts from the solution at the same lambda one path nearer to the convex end, unless F is higher there than at
 * the last point. */
static void choose_one_of_two(struct fitting *f, const dcpn_path_point *other)
{
    struct algorithm *a = f->levels.all->algorithm;
    dcpn_point_evaluate(&a->objective, &a->point);
    double value_here = a->point.value;
    dcpn_fitting_start_at(f, other, f->levels.all);
    dcpn_point_evaluate(&a->objective, &a->point);
    if (!(a->point.value <= value_here)) dcpn_copy(a->objective.size, f->walk.here, a->point.x);
}

/* Has the last point, which has no features, gone to where the loss is flat? A fit from there would find no features
 * either. */
static int is_lost(const struct fitting *f, int64_t k)
{
    const struct objective *F = &f->levels.all->algorithm->objective;
    return k > 0 && f->walk.null.is_flat && dcpn_count_nonzeros(F->features, f->walk.here) == 0;
}

void dcpn_walk_choose_start(struct fitting *f, const dcpn_path *before, int64_t k)
{
    struct algorithm *a = f->levels.all->algorithm;
    int lost = is_lost(f, k);
    if (lost) f->walk.here[a->objective.features] = f->walk.null.intercept;
    double ahead = f->walk.has_moved || lost ? 0.0 : way_ahead(f, k);
    dcpn_copy(a->objective.size, f->walk.here, a->point.x);
    f->walk.has_moved = 0;
    if (before && k < before->count)
        choose_one_of_two(f, &before->points[k]);
    else if (ahead > 0.0)
        extrapolate(f, ahead);
}
