/* SPDX-License-Identifier: BSD-3-Clause */
/* Lower ends. Where F is not convex a path stays in the basin in which it came, however poor that becomes. So at those
 * lambdas F is descended again, and the lowest end is kept: from where moves of single coordinates lead to; from the l1
 * solution, at every few lambdas; and what is lower there is followed down. Then, from the last lambda up, from the
 * point below, and, where A is small, once more from the point above. Where F is known to be locally convex the path is
 * left as it is: there it is the one that continues the solution without features. */
#include <math.h>

#include "base/clock.h"
#include "base/vector.h"
#include "null_model.h"
#include "path.h"

enum { TRIALS = 12, MOST_MOVES = 10, SMALL = 1 << 18 /* entries of A: they stay in a cache */ };
static const double MOST_PASSES = 2.8;           /* a lambda, those of the path itself among them; */
static const double MANY_PASSES = 2.0, MORE = 6; /* from so many of its own on, so many times these; */
static const double MOST_PASSES_SMALL = 100;     /* and where A is small */
static const double RELAXED = 0.1;               /* of the slope: the stationarity of the l1 solutions, */
static const double LOOSE = 0.01;                /* and that at which ends are compared for the first time */
static const double NEAR = 1e-2;                 /* of F: an end that is higher by more than this is not pursued */
static const double ALIKE = 0.1;                 /* of a coefficient, from one lambda to the next in the same basin */
static const double LOWER = 1e-7;                /* of F: by how much an end has to be lower */

struct lowering {
    dcpn_solver *solver;
    dcpn_path *path;
    const dcpn_path *like; /* says where F is convex */
    double until;          /* clock */
    double *relaxed;       /* the l1 solution */
    double *x;             /* a start, on the scale of the data */
    double passes, time_s; /* not yet accounted for */
    double spent, budget;  /* passes: not many times what the path itself has taken */
    int is_lower;          /* what was found last, */
    int has_found;         /* and anything so far */
    int is_thorough;       /* A is small as given, not just on a list of columns: whatever may lead lower is tried */
    int is_crowded;        /* l1 solutions have too many features, here and further down */
};

/* From x, which is where the solver is already if `is_here`. */
static dcpn_status descend(struct lowering *l, const double *x, double tol, int is_here)
{
    dcpn_solver *solver = l->solver;
    double asked = solver->settings.tol;
    dcpn_copy(solver->algorithm->objective.size, x, solver->start);
    solver->knows_gradient = solver->knows_u = is_here;
    solver->settings.tol = fmax(asked, tol);
    solver->settings.max_time_s = fmax(l->until - dcpn_clock_s(), 0.0);
    dcpn_status status = dcpn_solver_run(solver);
    solver->settings.tol = asked;
    l->passes += solver->result.passes;
    l->time_s += solver->result.time_s;
    return status;
}

static int is_cut(const struct lowering *l)
{
    return l->spent > l->budget || l->solver->result.outcome == DCPN_INTERRUPTED ||
           l->solver->result.outcome == DCPN_MAX_TIME;
}

/* argmin f + c |x|_1, from the one before. */
static dcpn_status relax(struct lowering *l)
{
    struct penalty *h = &l->solver->algorithm->objective.penalty;
    h->first_only = 1;
    dcpn_status status = descend(l, l->relaxed, RELAXED, 0);
    h->first_only = 0;
    dcpn_copy(l->solver->algorithm->objective.size, l->solver->algorithm->point.x, l->relaxed);
    l->is_crowded = !l->is_thorough && l->solver->result.nonzeros >= l->solver->algorithm->objective.rows;
    return status;
}

/* What has been done for a point counts as its own. */
static void account(struct lowering *l, dcpn_path_point *point)
{
    point->fit.passes += l->passes;
    point->fit.time_s += l->time_s;
    l->spent += l->passes;
    l->passes = l->time_s = 0.0;
}

static dcpn_status keep_if_lower(struct lowering *l, dcpn_path_point *point)
{
    dcpn_solver *solver = l->solver;
    dcpn_result before = point->fit;
    l->is_lower = solver->result.outcome == DCPN_CONVERGED &&
                  solver->result.objective < before.objective - LOWER * fabs(before.objective);
    l->has_found |= l->is_lower;
    if (l->is_lower) {
        point->fit = solver->result;
        point->fit.passes = before.passes;
        point->fit.time_s = before.time_s;
        point->deviance = dcpn_solver_deviance(solver, solver->algorithm->point.u);
        DCPN_TRY(dcpn_path_keep(solver->context, l->path, point, solver));
    }
    account(l, point);
    return DCPN_OK;
}

static dcpn_status from_l1(struct lowering *l, dcpn_path_point *point)
{
    DCPN_TRY(dcpn_solver_set_lambda(l->solver, point->lambda));
    DCPN_TRY(relax(l));
    if (l->is_crowded) {
        account(l, point);
        l->is_lower = 0;
        return DCPN_OK;
    }
    if (!is_cut(l)) DCPN_TRY(descend(l, l->relaxed, LOOSE, 1));
    int is_near = l->solver->result.objective < (1.0 + NEAR) * point->fit.objective;
    if (!is_cut(l) && is_near) DCPN_TRY(descend(l, l->solver->algorithm->point.x, 0.0, 1));
    return keep_if_lower(l, point);
}

/* The same features with about the same coefficients: a descent from the one at the lambda of the other leads there. */
static int is_same_basin(const dcpn_path *path, const dcpn_path_point *a, const dcpn_path_point *b)
{
    if (a->fit.nonzeros != b->fit.nonzeros) return 0;
    for (int64_t i = a->first, k = b->first; i < a->first + a->fit.nonzeros; i++, k++) {
        double x = path->value_of[i], y = path->value_of[k];
        if (path->index[i] != path->index[k] || fabs(x - y) > ALIKE * fabs(y)) return 0;
    }
    return 1;
}

static dcpn_status from_neighbour(struct lowering *l, const dcpn_path_point *neighbour, dcpn_path_point *point)
{
    dcpn_solver *solver = l->solver;
    l->is_lower = 0;
    if (is_same_basin(l->path, neighbour, point)) return DCPN_OK;
    DCPN_TRY(dcpn_solver_set_lambda(solver, point->lambda));
    dcpn_path_expand(l->path, neighbour, dcpn_solver_features(solver), l->x);
    DCPN_TRY(dcpn_solver_set_start(solver, l->x, neighbour->intercept));
    DCPN_TRY(descend(l, solver->start, 0.0, 0));
    return keep_if_lower(l, point);
}

/* Moves of single coordinates that pay, as long as the point's certificate counts any, and what follows from them. */
static dcpn_status from_moves(struct lowering *l, dcpn_path_point *point)
{
    dcpn_solver *solver = l->solver;
    struct algorithm *a = solver->algorithm;
    DCPN_TRY(dcpn_solver_set_lambda(solver, point->lambda));
    dcpn_path_expand(l->path, point, dcpn_solver_features(solver), l->x);
    DCPN_TRY(dcpn_solver_set_start(solver, l->x, point->intercept));
    DCPN_TRY(descend(l, solver->start, 0.0, 0));
    for (int round = 0; round < MOST_MOVES && solver->result.escape > 0 && !is_cut(l); round++) {
        if (!dcpn_escape_move(&solver->escape, &a->objective, &a->point, solver->result.stationarity_goal)) break;
        DCPN_TRY(descend(l, a->point.x, 0.0, 0));
    }
    return keep_if_lower(l, point);
}

static int is_convex(const struct lowering *l, int64_t k)
{
    return l->like->points[k].is_locally_convex == 1;
}

/* Down the path: the l1 solutions, and what is lower is followed. */
static dcpn_status sweep_down(struct lowering *l)
{
    dcpn_path_point *points = l->path->points;
    int64_t count = l->path->count, every = count > TRIALS ? count / TRIALS : 1;
    for (int64_t k = 0; k < count && !is_cut(l); k++) {
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

/* There are others than the path's: one was found, or F is known to be concave somewhere. */
static int has_basins(const struct lowering *l)
{
    return l->has_found || l->like->points[l->path->count - 1].is_locally_convex == 0;
}

/* Up the path, each from the point below: large coefficients of few features, which a path from above finds late; and
 * down again. */
static dcpn_status sweep(struct lowering *l, int64_t step)
{
    dcpn_path_point *points = l->path->points;
    int64_t count = l->path->count;
    for (int64_t k = step < 0 ? count - 2 : 1; k >= 0 && k < count && !is_cut(l); k += step)
        if (!is_convex(l, k)) DCPN_TRY(from_neighbour(l, &points[k - step], &points[k]));
    return DCPN_OK;
}

/* Up to MOST_PASSES a lambda with those of the path itself; where these are many, or A is small, more. */
static double passes_left(const dcpn_solver *solver, const dcpn_path *path)
{
    double own = 0.0, count = (double)path->count;
    for (int64_t k = 0; k < path->count; k++) own += path->points[k].fit.passes;
    if (solver->problem->A->entries < SMALL) return MOST_PASSES_SMALL * count;
    return fmax(MOST_PASSES * count - own, own > count * MANY_PASSES ? MORE * own : 0.0);
}

dcpn_status dcpn_path_lower(dcpn_solver *solver, const dcpn_path *like, double until, dcpn_path *path)
{
    int64_t size = solver->algorithm->objective.size, features = dcpn_solver_features(solver);
    struct lowering l = {.solver = solver, .path = path, .like = like ? like : path, .until = until};
    l.relaxed = dcpn_allocate(solver->context, (size_t)size, sizeof *l.relaxed);
    l.x = dcpn_allocate(solver->context, (size_t)features, sizeof *l.x);
    dcpn_status status = l.relaxed && l.x ? DCPN_OK : DCPN_MEMORY;
    if (l.relaxed) dcpn_fill(size, 0.0, l.relaxed);
    l.is_thorough = (double)solver->problem->A->entries < SMALL * solver->share;
    l.budget = passes_left(solver, path);
    if (status == DCPN_OK) status = sweep_down(&l);
    if (status == DCPN_OK && has_basins(&l)) status = sweep(&l, -1);
    if (status == DCPN_OK && has_basins(&l) && l.is_thorough) status = sweep(&l, 1);
    dcpn_free(solver->context, l.relaxed);
    dcpn_free(solver->context, l.x);
    return status;
}
