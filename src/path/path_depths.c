/* SPDX-License-Identifier: BSD-3-Clause */
/* A search at every lambda of a path by itself. Its stages go down the whole path one after another, each from the ends
 * of the stage before it:
 *
 *     off              plain descents, each from the point at the lambda above
 *     path             from the end of off, or from where a descent leads from the own end at the lambda above,
 *     path-then-drop   whichever is lower; likewise from the ends of path,
 *     path+drop        and from those of path-then-drop
 *
 * A stage replaces a point by a lower one only, so that at each lambda it ends at most where all stages before it have
 * ended. What a stage does depends on these alone, and not on whether deeper ones follow: --global path is the same
 * path by itself and on the way of path+drop. */
#include "base/clock.h"
#include "base/vector.h"
#include "path/fitting.h"

struct deepening {
    struct fitting *f;
    enum search_kind stage;
    double *work;   /* at each lambda so far */
    int has_lowered; /* this stage has lowered the point above */
    dcpn_outcome outcome;
};

/* Stands at the point and makes sure of it. */
static dcpn_status stand_at(struct deepening *s, const dcpn_path_point *point, const struct effort *effort,
                            struct descent *d)
{
    dcpn_fitting_start_at(s->f, point, s->f->levels.all);
    return dcpn_solve(&s->f->levels, effort, &s->f->watch, d);
}

/* Goes to where the stage starts: to the point, or to where a descent from the one above leads, if that is lower. If
 * this stage has not lowered the one above, the stage before has made that descent. */
static dcpn_status find_start(struct deepening *s, const dcpn_path_point *point, const struct effort *effort,
                              struct descent *d)
{
    struct effort near = *effort;
    near.is_near = 1;
    if (s->has_lowered) DCPN_TRY(stand_at(s, point - 1, &near, d));
    if (s->has_lowered && s->f->levels.all->algorithm->point.value < point->fit.objective) return DCPN_OK;
    return s->f->watch.is_over ? DCPN_OK : stand_at(s, point, effort, d);
}

static dcpn_status search(struct deepening *s, const dcpn_path_point *point, const struct effort *effort,
                          struct descent *d)
{
    const struct fitting *f = s->f;
    int64_t k = point - f->path->points;
    DCPN_TRY(find_start(s, point, effort, d));
    if (f->watch.is_over) return DCPN_OK;
    const struct search_stage stage = {.kind = s->stage,
                                       .start = {.from_0 = k == 0 || point[-1].fit.nonzeros == 0},
                                       .local = f->walk.work[k],
                                       .so_far = s->work[k]};
    return dcpn_search_stage(&s->f->levels, &stage, effort, &s->f->watch, d);
}

static int is_better(const dcpn_result *end, const dcpn_result *before)
{
    return end->objective < before->objective &&
           (end->outcome == DCPN_CONVERGED || before->outcome != DCPN_CONVERGED);
}

static dcpn_status deepen(struct deepening *s, dcpn_path_point *point)
{
    struct fitting *f = s->f;
    struct workspace *all = f->levels.all;
    struct descent d = {.outcome = DCPN_CONVERGED};
    dcpn_fitting_set_lambda(f, all, point->lambda);
    dcpn_fitting_begin(f);
    double goal = dcpn_workspace_goal(all, f->settings.tol);
    const struct effort effort = dcpn_effort_of(&f->settings, f->plan, goal);
    DCPN_TRY(search(s, point, &effort, &d));
    const struct ending ending = {all, &d, goal, 0.0, 0.0};
    dcpn_result end = dcpn_result_of(&ending);
    end.untried += point->fit.untried;
    s->outcome = d.outcome;
    s->work[point - f->path->points] += d.work;
    s->has_lowered = !dcpn_path_is_cut(f, d.outcome) && is_better(&end, &point->fit);
    if (s->has_lowered) DCPN_TRY(dcpn_fitting_replace(f, point, &end));
    point->fit.untried = end.untried;
    point->fit.passes += dcpn_passes_of(all, dcpn_levels_touched(&f->levels));
    point->fit.time_s += dcpn_clock_s() - f->watch.started_at;
    return DCPN_OK;
}

static dcpn_status go_down(struct deepening *s)
{
    dcpn_path *path = s->f->path;
    s->has_lowered = 0;
    s->outcome = DCPN_CONVERGED;
    for (int64_t k = 0; k < path->count && !dcpn_path_is_cut(s->f, s->outcome); k++)
        DCPN_TRY(deepen(s, &path->points[k]));
    return DCPN_OK;
}

static dcpn_status go_through_stages(struct deepening *s)
{
    enum search_kind last = s->f->plan->parts.search;
    dcpn_copy(s->f->path->count, s->f->walk.work, s->work);
    for (s->stage = DCPN_SEARCH_PATH; s->stage <= last && !dcpn_path_is_cut(s->f, s->outcome); s->stage++)
        DCPN_TRY(go_down(s));
    if (dcpn_path_is_cut(s->f, s->outcome)) s->f->path->end = DCPN_PATH_INTERRUPTED;
    return DCPN_OK;
}

dcpn_status dcpn_path_deepen(struct fitting *f)
{
    dcpn_context *context = f->request->context;
    struct deepening s = {.f = f, .outcome = DCPN_CONVERGED};
    DCPN_TRY(dcpn_path_copy(context, f->path, f->path->count, dcpn_targets_constants(&f->plan->targets), &f->plain));
    s.work = dcpn_allocate(context, (size_t)f->path->count, sizeof *s.work);
    dcpn_status status = s.work ? go_through_stages(&s) : DCPN_MEMORY;
    dcpn_free(context, s.work);
    return status;
}
