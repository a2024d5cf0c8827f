/* SPDX-License-Identifier: BSD-3-Clause */
/* One point of a path: the fit at the next lambda, and what is kept of it. */
#include <math.h>

#include "base/clock.h"
#include "base/ranks.h"
#include "base/vector.h"
#include "path/fitting.h"
#include "solver/finite.h"

static int see(void *user, const struct algorithm *a, int counts)
{
    struct fitting *f = user;
    const dcpn_path_options *options = f->request->options;
    const dcpn_progress *fit = dcpn_report_step(&f->report, a, counts, dcpn_levels_touched(&f->levels), f->levels.all);
    dcpn_path_progress seen = {f->settings.penalty, f->settings.lambda, f->request->fold, f->done, f->total, *fit};
    int is_to_end = options->observer && options->observer(options->user, &seen);
    if (dcpn_has_ranks(f->request->context)) return is_to_end; /* a wish, of which all are told */
    f->is_stopped |= is_to_end;
    return f->is_stopped;
}

void dcpn_fitting_set_lambda(struct fitting *f, struct workspace *w, double lambda)
{
    f->settings.lambda = lambda; /* which the shape is relative to */
    const dcpn_penalty_shape shape = dcpn_shape_of(f->plan, &f->settings);
    dcpn_workspace_set_penalty(w, lambda, &shape);
}

void dcpn_fitting_begin(struct fitting *f)
{
    int is_told = f->watch.is_over && f->watch.reason != DCPN_MAX_ITERATIONS; /* what follows is not kept */
    struct journal_stream *journal = is_told ? NULL : f->watch.journal;
    double until = f->request->started_at + f->settings.max_time_s;
    f->watch = dcpn_watch_of(&f->settings, f->plan, dcpn_clock_s());
    f->watch.until = until;
    f->watch.see = see;
    f->watch.user = f;
    f->watch.journal = journal;
    dcpn_report_begin(&f->report, f->plan, &f->settings);
    dcpn_levels_begin(&f->levels);
}

/* Finds out whether F is locally convex at a point. After the first point where it is not, nothing is computed any
 * more, and all later points count as not convex. */
static void look_at_convexity(struct fitting *f, dcpn_path_point *point)
{
    const struct algorithm *a = f->levels.all->algorithm;
    const dcpn_path_point *last = point > f->path->points ? point - 1 : NULL;
    point->convexity = NAN;
    point->is_locally_convex = -1;
    if (f->request->like) return;
    int is_unknown = (f->plan->parts.is_exact || f->plan->targets.are_responses) &&
                     (dcpn_penalty_has_h2(&a->objective.penalty) || dcpn_loss_has_phi2(&a->objective.loss));
    if (is_unknown) return;
    if (!dcpn_penalty_has_h2(&a->objective.penalty) && !dcpn_loss_has_phi2(&a->objective.loss)) {
        point->is_locally_convex = 1;
    } else if (last && last->is_locally_convex == 0) {
        point->is_locally_convex = 0;
    } else {
        point->convexity = dcpn_convexity_margin(&f->convexity, &a->objective, &a->point, f->walk.here);
        if (!isnan(point->convexity)) point->is_locally_convex = point->convexity > 0.0;
    }
}

dcpn_status dcpn_fitting_keep(struct fitting *f, dcpn_path_point *point)
{
    const double *x = f->levels.all->algorithm->point.x;
    look_at_convexity(f, point);
    DCPN_TRY(dcpn_path_keep(f->request->context, f->path, point - f->path->points, point, f->plan, x));
    dcpn_walk_note_point(f, x);
    return DCPN_OK;
}

dcpn_status dcpn_fitting_replace(struct fitting *f, dcpn_path_point *point, const dcpn_result *end)
{
    const struct algorithm *a = f->levels.all->algorithm;
    dcpn_path_point found = *point;
    found.fit = *end;
    if (found.is_locally_convex == 1) { /* it was: that of this one is not known, and there are others */
        found.is_locally_convex = 0;
        found.convexity = NAN;
    }
    found.fit.passes = point->fit.passes;
    found.fit.time_s = point->fit.time_s;
    found.deviance = dcpn_deviance_at(f->levels.all, a->point.u);
    found.brier = dcpn_brier_at(f->levels.all, a->point.u);
    DCPN_TRY(dcpn_path_keep(f->request->context, f->path, point - f->path->points, &found, f->plan, a->point.x));
    *point = found;
    return DCPN_OK;
}

/* The start of the fit is the point of `all`; *knows_u: that has not moved since it was looked at. */
static dcpn_status choose_start(struct fitting *f, const dcpn_path *before, const dcpn_path_point *start,
                                double *passes)
{
    struct algorithm *a = f->levels.all->algorithm;
    *passes = 0.0;
    if (f->transduction && !start) {
        DCPN_TRY(dcpn_transduction_start(f->transduction, &f->levels, &f->settings, &f->watch, f->walk.space, passes));
        dcpn_copy(a->objective.size, f->walk.space, a->point.x);
        return DCPN_OK;
    }
    if (start)
        dcpn_fitting_start_at(f, start, f->levels.all);
    else
        dcpn_walk_choose_start(f, before, f->path->count);
    return DCPN_OK;
}

static struct descent descend(struct fitting *f, double goal)
{
    struct effort effort = dcpn_effort_of(&f->settings, f->plan, goal);
    effort.is_near = !f->transduction;
    effort.foreseen = f->walk.foreseen;
    return dcpn_descend(f->levels.all->algorithm, &effort, &f->watch);
}

static dcpn_status refuse_infinite(const struct fitting *f)
{
    const struct algorithm *a = f->levels.all->algorithm;
    if (isfinite(a->point.value) && isfinite(a->stationarity)) return DCPN_OK;
    return dcpn_fail(f->request->context, DCPN_DATA,
                     "the objective or its gradient is not finite on the path; are the data scaled sensibly?");
}

static dcpn_status refuse_infinite_deviance(const struct fitting *f, double deviance)
{
    if (isfinite(deviance)) return DCPN_OK;
    return dcpn_fail(f->request->context, DCPN_DATA,
                     "the deviance at lambda %g: found %g, expected a finite number; are the data scaled sensibly?",
                     f->settings.lambda, deviance);
}

dcpn_status dcpn_fit_on_all(struct fitting *f, const dcpn_path *before, const dcpn_path_point *start)
{
    struct workspace *all = f->levels.all;
    dcpn_path_point *point = &f->path->points[f->path->count];
    double lambda = f->walk.lambdas[f->path->count], passes;
    dcpn_fitting_set_lambda(f, all, lambda);
    dcpn_fitting_begin(f);
    DCPN_TRY(dcpn_refuse_infinite_penalty(f->request->context, &all->algorithm->objective.penalty));
    DCPN_TRY(choose_start(f, before, start, &passes));
    double goal = dcpn_workspace_goal(all, f->settings.tol);
    struct descent d = descend(f, goal);
    DCPN_TRY(dcpn_ranks_status(f->request->context));
    DCPN_TRY(dcpn_refuse_beyond(all));
    DCPN_TRY(refuse_infinite(f));
    f->walk.foreseen = d.sweeps;
    f->walk.work[f->path->count] = d.work;
    passes += dcpn_passes_of(all, dcpn_levels_touched(&f->levels));
    const struct ending ending = {all, &d, goal, dcpn_clock_s() - f->watch.started_at, passes};
    *point = (dcpn_path_point){.lambda = lambda, .fit = dcpn_result_of(&ending)};
    point->deviance = dcpn_deviance_at(all, all->algorithm->point.u);
    point->brier = dcpn_brier_at(all, all->algorithm->point.u);
    DCPN_TRY(refuse_infinite_deviance(f, point->deviance));
    DCPN_TRY(dcpn_fitting_keep(f, point));
    f->path->count++;
    f->done++;
    return DCPN_OK;
}
