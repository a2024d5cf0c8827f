/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a path: it was told to end, or its model is saturated. */
#include <math.h>

#include "base/ranks.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "path/fitting.h"

static double saturation_of(const dcpn_path_options *options)
{
    return options->saturation > 0.0 ? options->saturation : PATH_SATURATION;
}

int dcpn_path_is_cut(const struct fitting *f, dcpn_outcome outcome)
{
    return f->is_stopped || dcpn_ranks_end_early(f->request->context) || outcome == DCPN_INTERRUPTED ||
           outcome == DCPN_MAX_TIME;
}

/* Counts the rows that carry information by themselves: for times to events, only rows in which an event happened. */
static double informative_rows(const struct fitting *f)
{
    const dcpn_loss *loss = &f->levels.all->algorithm->objective.loss.rows;
    double events = 0.0;
    if (!loss->ops || loss->ops->targets != DCPN_SURVIVAL) return dcpn_problem_counted_rows(f->request->problem);
    for (int64_t i = 0; i < loss->rows; i++) events += loss->w[i] > 0.0 && !signbit(loss->y[i]);
    return events;
}

/* Are so many features in use that they could explain any labels, more than half of the rows or of the features? */
static int is_crowded(const struct fitting *f, const dcpn_path_point *point)
{
    double features = (double)dcpn_problem_features(f->request->problem);
    return 2.0 * (double)point->fit.nonzeros > fmin(informative_rows(f), features);
}

static double explained_at(const struct fitting *f, const dcpn_path_point *point)
{
    return 1.0 - point->deviance / f->paths->null_deviance;
}

/* May the path end before its last lambda? If the caller gave the lambdas, all of them are fitted. */
static int may_end_early(const struct fitting *f)
{
    const dcpn_path_options *options = f->request->options;
    return !f->request->like && !options->lambdas && f->paths->null_deviance > 0.0 && saturation_of(options) < 1.0;
}

/* Has the explained deviance stopped growing? Penalties that are not convex have plateaus with few features in use,
 * after which more features enter; for them the path counts as stalled only if many features are in use and hardly
 * anything has changed over several lambdas. */
static int has_stalled(const struct fitting *f, const dcpn_path *path)
{
    const dcpn_path_point *last = &path->points[path->count - 1];
    int has_plateaus = dcpn_penalty_has_h2(&f->levels.all->algorithm->objective.penalty);
    if (path->count < PATH_PLATEAU + has_plateaus || (has_plateaus && !is_crowded(f, last))) return 0;
    if (last->fit.nonzeros == 0) return 0; /* nothing is explained yet: rounding alone would tell */
    double explained = explained_at(f, last), before = explained_at(f, last - (has_plateaus ? PATH_PLATEAU : 1));
    return explained - before < (has_plateaus ? PATH_LITTLE_CHANGE : PATH_NO_CHANGE) * explained;
}

/* Like glmnet, a path is saturated if nearly all of the deviance is explained, or no more of it than before. */
int dcpn_path_is_saturated(const struct fitting *f, const dcpn_path *path)
{
    if (!may_end_early(f)) return 0;
    return explained_at(f, &path->points[path->count - 1]) > saturation_of(f->request->options) || has_stalled(f, path);
}

int dcpn_path_is_enough(struct fitting *f)
{
    const struct path_request *request = f->request;
    dcpn_path *path = f->path;
    int64_t kept = request->end_path ? request->end_path(request->user, path) : 0;
    if (kept < 1) return 0;
    f->done += f->walk.lambda_count - path->count;
    path->count = kept;
    return 1;
}

/* How many times as many coefficients as the limit a path may have. Many classes have a model each, and a word tells
 * one of them: what shrinks may keep so many features for each class. */
static int64_t times_the_limit(const struct fitting *f)
{
    const struct targets *targets = &f->plan->targets;
    if (dcpn_penalty_has_h2(&f->levels.all->algorithm->objective.penalty)) return 1;
    return PATH_CROWD_CONVEX * (targets->are_responses ? 1 : targets->scores);
}

int dcpn_path_is_crowded(const struct fitting *f, const dcpn_path *path)
{
    int64_t most = f->request->options->most_features, times = times_the_limit(f);
    return !f->request->like && most > 0 && path->points[path->count - 1].fit.nonzeros / times > most;
}

/* Returns the standard deviation of the slope of f along a standardised column that has nothing to do with the labels:
 * sqrt(sum_i r_i^2), r being the slopes of the rows, corrected for the features in use as a variance is. */
static double noise_at_end(const struct fitting *f)
{
    struct algorithm *a = f->levels.all->algorithm;
    struct objective *F = &a->objective;
    double rows = dcpn_problem_counted_rows(f->request->problem);
    double left = rows - (double)f->path->points[f->path->count - 1].fit.nonzeros - 1.0;
    dcpn_point_slopes(F, &a->point);
    return left > 0.0 ? sqrt(dcpn_dot(F->rows, F->r, F->r) * rows / left) : (double)INFINITY;
}

int dcpn_path_is_noise(const struct fitting *f)
{
    const struct penalty *h = &f->levels.all->algorithm->objective.penalty;
    double least = f->request->options->least_noise * (dcpn_penalty_has_h2(h) ? 1.0 : PATH_NOISE_CONVEX);
    int is_known = f->settings.standardize && f->plan->targets.scores == 1 && !f->plan->targets.ordered.count &&
                   !f->plan->parts.is_exact;
    if (f->request->like || f->request->options->lambdas || !(least > 0.0) || !is_known) return 0;
    return dcpn_penalty_reference_slope(h) < least * noise_at_end(f);
}

int dcpn_path_is_over(const struct fitting *f, const dcpn_path *path)
{
    return dcpn_path_is_cut(f, path->points[path->count - 1].fit.outcome) || dcpn_path_is_saturated(f, path) ||
           dcpn_path_is_crowded(f, path) || dcpn_path_is_noise(f);
}

/* A search may have found lower ends, after which the path stops changing earlier than it did. The points beyond are
 * left out, and their work counts as work on the last point that stays. */
void dcpn_path_cut_tail(const struct fitting *f, dcpn_path *path)
{
    dcpn_path upper = *path;
    if (!may_end_early(f) || path->end == DCPN_PATH_INTERRUPTED) return;
    for (upper.count = 1; upper.count < path->count && !has_stalled(f, &upper);) upper.count++;
    if (upper.count == path->count) return;
    dcpn_path_point *last = &path->points[upper.count - 1];
    for (int64_t k = upper.count; k < path->count; k++) {
        last->fit.passes += path->points[k].fit.passes;
        last->fit.time_s += path->points[k].fit.time_s;
    }
    path->count = upper.count;
    path->end = DCPN_PATH_SATURATED;
}
