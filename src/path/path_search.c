/* SPDX-License-Identifier: BSD-3-Clause */
/* A search for lower ends along a path. Where F is not convex a path stays in the basin in which it came, however
 * poor that becomes. So F is descended again at those lambdas, and the lowest end is kept.
 *
 * On the way down the descents begin where moves of single coordinates lead, and, at every few lambdas, at the l1
 * solution; lower ends are followed to the next lambdas. Then, from the last lambda up, they begin at the point
 * below, and, where A is small or the columns are few, once more at the point above.
 *
 * In a fold only those lambdas are searched between which the search of all data has found lower ends: elsewhere the
 * models are those of the plain descents, which are cross-validated by themselves.
 *
 * Where F is known to be locally convex the path, which continues the solution without features, is left as it is,
 * unless F is lower at the coefficients of the point below: convexity on the features in use says nothing about
 * other features. */
#include <math.h>

#include "base/clock.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "path/fitting.h"

struct lowering {
    struct fitting *f;
    struct workspace *w;   /* on all columns, or on those that came near to mattering */
    const dcpn_path *like; /* says where F is convex */
    int64_t first, last;   /* the points that are looked at */
    int64_t *above;        /* which point above, by its place, each has been descended from already */
    double *relaxed;       /* the l1 solution, as the plan has all columns */
    double passes, time_s; /* not yet accounted for */
    double spent, budget;  /* work: not many times what the path itself has taken */
    int is_lower;          /* what was found last, */
    int has_found;         /* and anything so far */
    int is_thorough;       /* A is small as given, not just on a list of columns: whatever may lead lower is tried */
    int is_crowded;        /* l1 solutions have too many features, here and further down */
    dcpn_result end;       /* of the last descent */
};

static int is_few(const struct lowering *l)
{
    return l->w != l->f->levels.all;
}

static void set_lambda(struct lowering *l, double lambda)
{
    dcpn_fitting_set_lambda(l->f, l->w, lambda);
    l->w->slope_at_0 = l->f->levels.all->slope_at_0;
}

/* Descends from the point of the workspace, in at most so many steps (0: as many as the settings allow). */
static void descend(struct lowering *l, double tol, int64_t steps)
{
    struct fitting *f = l->f;
    dcpn_fitting_begin(f);
    double goal = dcpn_workspace_goal(l->w, fmax(f->settings.tol, tol));
    struct effort effort = dcpn_effort_of(&f->settings, f->plan, goal);
    effort.is_near = !is_few(l);
    if (steps > 0) {
        effort.steps = steps;
        effort.sweeps = LOWER_FEW_SWEEPS;
    }
    struct descent d = dcpn_descend(l->w->algorithm, &effort, &f->watch);
    double time_s = dcpn_clock_s() - f->watch.started_at;
    double passes = dcpn_passes_of(f->levels.all, dcpn_levels_touched(&f->levels));
    const struct ending ending = {l->w, &d, goal, time_s, passes};
    l->end = dcpn_result_of(&ending);
    l->passes += passes;
    l->time_s += time_s;
    l->spent += d.work;
}

static int is_cut(const struct lowering *l)
{
    return l->spent > l->budget || l->end.outcome == DCPN_INTERRUPTED || l->end.outcome == DCPN_MAX_TIME;
}

/* Sets x of the workspace from a vector with one number per column of the plan. give_to_all does the reverse. */
static void take_from_all(struct lowering *l, const double *all)
{
    struct algorithm *a = l->f->levels.all->algorithm;
    dcpn_copy(a->objective.size, all, a->point.x);
    if (is_few(l)) dcpn_workspace_take_from(l->w, l->f->levels.all);
}

static void give_to_all(struct lowering *l, double *all)
{
    struct algorithm *a = l->f->levels.all->algorithm;
    if (is_few(l)) dcpn_workspace_give_to(l->w, l->f->levels.all);
    dcpn_copy(a->objective.size, a->point.x, all);
}

/* Finds the l1 solution, argmin f + c |x|_1, starting from the last one that was found. */
static void relax(struct lowering *l)
{
    struct algorithm *a = l->w->algorithm;
    struct penalty *h = &a->objective.penalty;
    take_from_all(l, l->relaxed);
    h->first_only = 1;
    descend(l, LOWER_RELAXED, 0);
    h->first_only = 0;
    give_to_all(l, l->relaxed);
    l->is_crowded = !l->is_thorough && (double)l->end.nonzeros >= LOWER_CROWDED * a->objective.counted_rows;
}

/* Adds the work done since the last call to the work of the point. */
static void account(struct lowering *l, dcpn_path_point *point)
{
    point->fit.passes += l->passes;
    point->fit.time_s += l->time_s;
    l->passes = l->time_s = 0.0;
}

static int is_lower(const struct lowering *l, const dcpn_path_point *point)
{
    double F = point->fit.objective;
    return l->end.outcome == DCPN_CONVERGED && l->end.objective < F - LOWER_BY * fabs(F);
}

/* Confirms the end of the last descent on all columns. Either it is stationary there and `all` stands at it, or
 * *is_good is 0. */
static dcpn_status confirm(struct lowering *l, int *is_good)
{
    struct fitting *f = l->f;
    *is_good = 1;
    for (int round = 0; round < LOWER_ROUNDS && is_few(l); round++) {
        int has_list;
        struct descent d = {.outcome = l->end.outcome,
                            .steps = l->end.iterations,
                            .inner = l->end.inner_iterations,
                            .trials = l->end.line_search_trials};
        DCPN_TRY(dcpn_batch_confirm(f, l->end.stationarity_goal, is_good, &has_list));
        const struct ending ending = {f->levels.all, &d, l->end.stationarity_goal, l->end.time_s, l->end.passes};
        if (*is_good) l->end = dcpn_result_of(&ending);
        if (*is_good) return DCPN_OK;
        if (!has_list) l->w = f->levels.all;
        descend(l, 0.0, 0);
        *is_good = l->end.outcome == DCPN_CONVERGED;
        if (!*is_good) return DCPN_OK;
    }
    *is_good = !is_few(l);
    return DCPN_OK;
}

static dcpn_status keep_if_lower(struct lowering *l, dcpn_path_point *point)
{
    struct fitting *f = l->f;
    double lambda = point->lambda;
    l->is_lower = is_lower(l, point);
    if (l->is_lower) DCPN_TRY(confirm(l, &l->is_lower));
    l->is_lower = l->is_lower && is_lower(l, point);
    l->has_found |= l->is_lower;
    if (l->is_lower) {
        DCPN_TRY(dcpn_fitting_replace(f, point, &l->end));
        set_lambda(l, lambda); /* of another workspace, perhaps */
    }
    account(l, point);
    return DCPN_OK;
}

/* Descends from the l1 solution in stages, each closer than the one before, as long as F is not much higher than at
 * the point. */
static dcpn_status from_l1(struct lowering *l, dcpn_path_point *point)
{
    const struct {
        double tol;
        int64_t steps;
        double worth; /* of F */
    } stages[] = {{LOWER_LOOSE, LOWER_FEW_STEPS, LOWER_FAR}, {LOWER_LOOSE, 0, LOWER_NEAR}, {0.0, 0, 0.0}};
    set_lambda(l, point->lambda);
    relax(l);
    l->is_lower = 0;
    for (size_t k = 0; k < sizeof stages / sizeof *stages && !is_cut(l) && !l->is_crowded; k++) {
        descend(l, stages[k].tol, stages[k].steps);
        if (!(l->end.objective < (1.0 + stages[k].worth) * point->fit.objective)) break;
    }
    if (!l->is_crowded) return keep_if_lower(l, point);
    account(l, point);
    return DCPN_OK;
}

/* Do two points have the same features with about the same coefficients? Then a descent from one, at the lambda of
 * the other, leads to the other. */
static int is_same_basin(const dcpn_path *path, const dcpn_path_point *a, const dcpn_path_point *b)
{
    if (a->fit.nonzeros != b->fit.nonzeros) return 0;
    for (int64_t i = a->first, k = b->first; i < a->first + a->fit.nonzeros; i++, k++) {
        double x = path->value_of[i], y = path->value_of[k];
        if (path->index[i] != path->index[k] || fabs(x - y) > LOWER_ALIKE * fabs(y)) return 0;
    }
    return 1;
}

/* Has a descent from this neighbour been made before? The path itself has gone down from each point to the next and
 * need not do so again. */
static int is_tried(struct lowering *l, const dcpn_path_point *neighbour, const dcpn_path_point *point)
{
    int64_t *above = &l->above[point - l->f->path->points];
    if (neighbour > point) return 0;
    int is_known = *above == neighbour->first;
    *above = neighbour->first;
    return is_known;
}

static dcpn_status from_neighbour(struct lowering *l, const dcpn_path_point *neighbour, dcpn_path_point *point)
{
    l->is_lower = 0;
    if (is_tried(l, neighbour, point) || is_same_basin(l->f->path, neighbour, point)) return DCPN_OK;
    set_lambda(l, point->lambda);
    dcpn_fitting_start_at(l->f, neighbour, l->w);
    descend(l, 0.0, 0);
    return keep_if_lower(l, point);
}

/* Moves single coordinates where that lowers F, and descends again, as long as the certificate of the end counts
 * such moves. */
static dcpn_status from_moves(struct lowering *l, dcpn_path_point *point)
{
    struct workspace *w = l->w;
    struct algorithm *a = w->algorithm;
    set_lambda(l, point->lambda);
    dcpn_fitting_start_at(l->f, point, w);
    descend(l, 0.0, 0);
    for (int round = 0; round < LOWER_MOST_MOVES && l->end.escape > 0 && !is_cut(l); round++) {
        if (!dcpn_moves_make(&w->moves, &a->objective, &a->point, w->look, l->end.stationarity_goal)) break;
        descend(l, 0.0, 0);
    }
    return keep_if_lower(l, point);
}

static int is_convex(const struct lowering *l, int64_t k)
{
    return l->like->points[k].is_locally_convex == 1;
}

/* Goes down the path: tries the l1 solution at every few lambdas, and follows each lower end to the next lambdas. */
static dcpn_status sweep_down(struct lowering *l)
{
    dcpn_path_point *points = l->f->path->points;
    int64_t count = l->f->path->count, every = count > LOWER_TRIALS ? count / LOWER_TRIALS : 1;
    for (int64_t k = l->first - l->first % every; k <= l->last && !is_cut(l); k++) {
        if (is_convex(l, k)) continue;
        if (l->is_lower && k > 0) DCPN_TRY(from_neighbour(l, &points[k - 1], &points[k]));
        int was_lower = l->is_lower;
        if (points[k].fit.escape > 0 && !is_cut(l)) DCPN_TRY(from_moves(l, &points[k]));
        was_lower |= l->is_lower;
        if ((k % every == 0 || k + 1 == count) && !is_cut(l) && !l->is_crowded) DCPN_TRY(from_l1(l, &points[k]));
        l->is_lower |= was_lower;
    }
    return DCPN_OK;
}

/* Is more than one basin known? That is so if a lower end was found, or if F is known to be concave somewhere. */
static int has_basins(const struct lowering *l)
{
    return l->has_found || l->like->points[l->f->path->count - 1].is_locally_convex == 0;
}

/* Is F lower at the coefficients of the point below? Asking this costs no descent. */
static int is_lower_below(struct lowering *l, const dcpn_path_point *below, const dcpn_path_point *point)
{
    struct algorithm *a = l->w->algorithm;
    set_lambda(l, point->lambda);
    dcpn_fitting_start_at(l->f, below, l->w);
    dcpn_point_evaluate(&a->objective, &a->point);
    return a->point.value < (1.0 - LOWER_BY) * point->fit.objective;
}

/* Goes along the path and descends at each lambda from its neighbour. On the way up that is the point below, with
 * large coefficients of few features, which a path from above finds late; then it goes down again. */
static dcpn_status sweep(struct lowering *l, int64_t step)
{
    dcpn_path_point *points = l->f->path->points;
    int64_t from = step < 0 ? l->last - 1 : l->first + 1;
    for (int64_t k = from; k >= l->first && k <= l->last && !is_cut(l); k += step) {
        int is_worth_it = !is_convex(l, k);
        int is_first = k == 0 || points[k].fit.nonzeros == 0; /* a path begins without features */
        if (!is_worth_it && step < 0 && !is_first) is_worth_it = is_lower_below(l, &points[k + 1], &points[k]);
        if (is_worth_it) DCPN_TRY(from_neighbour(l, &points[k - step], &points[k]));
    }
    return DCPN_OK;
}

static int is_small(const struct fitting *f)
{
    return dcpn_problem_counted_entries(f->plan->problem) < LOWER_SMALL;
}

/* The work that the search may take, which is the same with every service: LOWER_MOST_PASSES over the matrix for each
 * lambda, less what the path itself has taken. It may take more if the path took much, or if A is small. */
static double work_left(const struct fitting *f)
{
    const dcpn_path *path = f->path;
    double pass = 2.0 * (double)f->levels.all->algorithm->objective.design.A->entries;
    double own = 0.0, all = (double)path->count * pass;
    for (int64_t k = 0; k < path->count; k++) own += f->walk.work[k];
    if (path->kind == DCPN_PATH_SEARCHED) return fmax(LOWER_MOST_PASSES * all, own); /* one of several paths */
    if (is_small(f)) return LOWER_MOST_PASSES_SMALL * all;
    return fmax(LOWER_MOST_PASSES * all - own, own > all * LOWER_MANY_PASSES ? LOWER_MORE * own : 0.0);
}

/* Sets the points that are looked at: all of them or, in a fold, those from the first to the last at which the search
 * of all data has found something. Returns 0 if there are none. */
static int choose_points(struct lowering *l)
{
    const dcpn_path *like = l->like;
    l->first = 0;
    l->last = l->f->path->count - 1;
    if (like == l->f->path || like->kind != DCPN_PATH_SEARCHED) return 1;
    const dcpn_path *local = like - 1;
    int64_t first = -1, last = -1;
    for (int64_t k = 0; k <= l->last && k < local->count; k++) {
        if (!(like->points[k].fit.objective < local->points[k].fit.objective)) continue;
        first = first < 0 ? k : first;
        last = k;
    }
    l->first = first;
    l->last = last;
    return first >= 0;
}

static dcpn_status search_up_and_down(struct lowering *l)
{
    DCPN_TRY(sweep_down(l));
    if (has_basins(l)) DCPN_TRY(sweep(l, -1));
    return has_basins(l) && (l->is_thorough || l->f->batch) ? sweep(l, 1) : DCPN_OK;
}

static dcpn_status choose_workspace(struct lowering *l)
{
    int has_list = 0;
    if (l->f->batch) DCPN_TRY(dcpn_batch_list_near(l->f, &has_list));
    l->w = has_list ? l->f->levels.few : l->f->levels.all;
    return DCPN_OK;
}

dcpn_status dcpn_path_search(struct fitting *f, const dcpn_path *like)
{
    dcpn_context *context = f->request->context;
    const dcpn_path *path = f->path;
    int64_t size = f->levels.all->algorithm->objective.size;
    struct lowering l = {.f = f, .like = like ? like : path};
    if (!choose_points(&l)) return DCPN_OK;
    l.relaxed = dcpn_allocate(context, (size_t)size, sizeof *l.relaxed);
    l.above = dcpn_allocate(context, (size_t)path->count, sizeof *l.above);
    dcpn_status status = l.relaxed && l.above ? choose_workspace(&l) : DCPN_MEMORY;
    if (l.relaxed) dcpn_fill(size, 0.0, l.relaxed);
    for (int64_t k = 0; l.above && k < path->count; k++) l.above[k] = k > 0 ? path->points[k - 1].first : -1;
    l.is_thorough = is_small(f) && path->kind != DCPN_PATH_SEARCHED;
    l.budget = work_left(f);
    if (status == DCPN_OK) status = search_up_and_down(&l);
    if (dcpn_path_is_cut(f, l.end.outcome)) f->path->end = DCPN_PATH_INTERRUPTED;
    dcpn_free(context, l.relaxed);
    dcpn_free(context, l.above);
    return status;
}
