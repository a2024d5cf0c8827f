/* SPDX-License-Identifier: BSD-3-Clause */
/* Lower ends. Where F is not convex a path stays in the basin in which it came, however poor that becomes. So at those
 * lambdas F is descended again, and the lowest end is kept: from where moves of single coordinates lead to; from the l1
 * solution, at every few lambdas; and what is lower there is followed down. Then, from the last lambda up, from the
 * point below, and, where A is small or the columns are few, once more from the point above. Where F is known to be
 * locally convex the path is left as it is, the one that continues the solution without features, unless the point below
 * has coefficients at which F is lower: convex on the features in use says nothing of others. */
#include <math.h>

#include "base/clock.h"
#include "base/vector.h"
#include "solver/null_model.h"
#include "path/path.h"

enum {
    TRIALS = 12,     /* lambdas at which the l1 solution is one of the starts */
    FEW_STEPS = 5,   /* after which a descent that leads nowhere ends, */
    FEW_SWEEPS = 10, /* each on a model that need not be solved well for that */
    MOST_MOVES = 10, /* rounds of them */
    ROUNDS = 5,      /* of longer and longer lists */
    SMALL = 1 << 18, /* entries of A: they stay in a cache */
};
static const double MOST_PASSES = 2.8;           /* a lambda, those of the path itself among them; */
static const double MANY_PASSES = 2.0, MORE = 6; /* from so many of its own on, so many times these; */
static const double MOST_PASSES_SMALL = 100;     /* and where A is small */
static const double RELAXED = 0.1;               /* of the slope: the stationarity of the l1 solutions, */
static const double LOOSE = 0.01;                /* and that at which ends are compared for the first time */
static const double NEAR = 1e-2;                 /* of F: an end that is higher by more than this is not pursued, */
static const double FAR = 0.1;                   /* nor what is higher by this after a few steps */
static const double CROWDED = 0.97;              /* of the rows: so many features of an l1 solution fit anything */
static const double ALIKE = 0.1;                 /* of a coefficient, from one lambda to the next in the same basin */
static const double LOWER = 1e-7;                /* of F: by how much an end has to be lower */

struct lowering {
    dcpn_solver *solver;
    dcpn_path *path;
    const dcpn_path *like;          /* says where F is convex */
    double until;                   /* clock */
    const struct path_check *check; /* NULL: none */
    int64_t *above;                 /* which point above, by its place, each has been descended from already */
    double *relaxed;                /* the l1 solution, one number per feature, and the intercept */
    double passes, time_s;          /* not yet accounted for */
    double spent, budget;           /* passes: not many times what the path itself has taken */
    int is_lower;                   /* what was found last, */
    int has_found;                  /* and anything so far */
    int is_thorough; /* A is small as given, not just on a list of columns: whatever may lead lower is tried */
    int is_crowded;  /* l1 solutions have too many features, here and further down */
};

/* From x, which is where the solver is already if `is_here`, by so many steps at most (0: as many as are asked for). */
static dcpn_status descend(struct lowering *l, const double *x, double tol, int64_t steps, int is_here)
{
    dcpn_solver *solver = l->solver;
    double asked = solver->settings.tol;
    int64_t most = solver->settings.max_iter;
    dcpn_copy(solver->algorithm->objective.size, x, solver->start);
    solver->knows_gradient = solver->knows_u = is_here;
    solver->settings.tol = fmax(asked, tol);
    solver->settings.max_iter = steps > 0 && steps < most ? steps : most;
    solver->settings.max_time_s = fmax(l->until - dcpn_clock_s(), 0.0);
    int64_t inner = dcpn_solver_limit_inner(solver, 0);
    dcpn_solver_limit_inner(solver, steps > 0 && inner > FEW_SWEEPS ? FEW_SWEEPS : inner);
    dcpn_status status = dcpn_solver_run(solver);
    dcpn_solver_limit_inner(solver, inner);
    solver->settings.tol = asked;
    solver->settings.max_iter = most;
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
    struct algorithm *a = l->solver->algorithm;
    struct penalty *h = &a->objective.penalty;
    const int64_t *column = l->solver->compact.column;
    int64_t features = a->objective.features, all = dcpn_solver_features(l->solver);
    for (int64_t k = 0; k < a->objective.size; k++)
        l->solver->start[k] = l->relaxed[k == features ? all : column ? column[k] : k];
    h->first_only = 1;
    dcpn_status status = descend(l, l->solver->start, RELAXED, 0, 0);
    h->first_only = 0;
    for (int64_t k = 0; k < a->objective.size; k++)
        l->relaxed[k == features ? all : column ? column[k] : k] = a->point.x[k];
    l->is_crowded = !l->is_thorough && (double)l->solver->result.nonzeros >= CROWDED * (double)a->objective.rows;
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

static int is_lower(const struct lowering *l, const dcpn_path_point *point)
{
    const dcpn_result *end = &l->solver->result;
    return end->outcome == DCPN_CONVERGED && end->objective < point->fit.objective - LOWER * fabs(point->fit.objective);
}

/* The point that the solver is at, good on all columns or, in *is_good, not. */
static dcpn_status confirm(struct lowering *l, dcpn_path_point *found, int *is_good)
{
    *is_good = 1;
    found->fit = l->solver->result;
    if (!l->check) return DCPN_OK;
    for (int round = 0; round < ROUNDS; round++) {
        DCPN_TRY(l->check->look(l->check->user, found, &l->solver, is_good));
        if (*is_good) return DCPN_OK;
        DCPN_TRY(descend(l, l->solver->start, 0.0, 0, 0));
        found->fit = l->solver->result;
        if (found->fit.outcome != DCPN_CONVERGED) return DCPN_OK;
    }
    return DCPN_OK;
}

static dcpn_status keep_if_lower(struct lowering *l, dcpn_path_point *point)
{
    dcpn_path_point found = *point;
    l->is_lower = is_lower(l, point);
    if (l->is_lower) DCPN_TRY(confirm(l, &found, &l->is_lower));
    l->has_found |= l->is_lower;
    if (l->is_lower) {
        if (found.is_locally_convex == 1) { /* it was: that of this one is not known, and there are others */
            found.is_locally_convex = 0;
            found.convexity = NAN;
        }
        found.fit.passes = point->fit.passes;
        found.fit.time_s = point->fit.time_s;
        found.deviance = dcpn_solver_deviance(l->solver, l->solver->algorithm->point.u);
        DCPN_TRY(dcpn_path_keep(l->solver->context, l->path, &found, l->solver));
        *point = found;
    }
    account(l, point);
    return DCPN_OK;
}

/* More and more closely, as long as what comes of it is not much higher than the point. */
static dcpn_status from_l1(struct lowering *l, dcpn_path_point *point)
{
    const struct {
        double tol;
        int64_t steps;
        double worth; /* of F */
    } stages[] = {{LOOSE, FEW_STEPS, FAR}, {LOOSE, 0, NEAR}, {0.0, 0, 0.0}};
    DCPN_TRY(dcpn_solver_set_lambda(l->solver, point->lambda));
    DCPN_TRY(relax(l));
    l->is_lower = 0;
    for (size_t k = 0; k < sizeof stages / sizeof *stages && !is_cut(l) && !l->is_crowded; k++) {
        DCPN_TRY(descend(l, l->solver->algorithm->point.x, stages[k].tol, stages[k].steps, 1));
        if (!(l->solver->result.objective < (1.0 + stages[k].worth) * point->fit.objective)) break;
    }
    if (!l->is_crowded) return keep_if_lower(l, point);
    account(l, point);
    return DCPN_OK;
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

/* The path itself has come down, from each point to the next, and does not have to do it again. */
static int is_tried(struct lowering *l, const dcpn_path_point *neighbour, const dcpn_path_point *point)
{
    int64_t *above = &l->above[point - l->path->points];
    if (neighbour > point) return 0;
    int is_known = *above == neighbour->first;
    *above = neighbour->first;
    return is_known;
}

static dcpn_status from_neighbour(struct lowering *l, const dcpn_path_point *neighbour, dcpn_path_point *point)
{
    dcpn_solver *solver = l->solver;
    l->is_lower = 0;
    if (is_tried(l, neighbour, point) || is_same_basin(l->path, neighbour, point)) return DCPN_OK;
    DCPN_TRY(dcpn_solver_set_lambda(solver, point->lambda));
    dcpn_path_start_at(l->path, neighbour, solver);
    DCPN_TRY(descend(l, solver->start, 0.0, 0, 0));
    return keep_if_lower(l, point);
}

/* Moves of single coordinates that pay, as long as the point's certificate counts any, and what follows from them. */
static dcpn_status from_moves(struct lowering *l, dcpn_path_point *point)
{
    dcpn_solver *solver = l->solver;
    struct algorithm *a = solver->algorithm;
    DCPN_TRY(dcpn_solver_set_lambda(solver, point->lambda));
    dcpn_path_start_at(l->path, point, solver);
    DCPN_TRY(descend(l, solver->start, 0.0, 0, 0));
    for (int round = 0; round < MOST_MOVES && solver->result.escape > 0 && !is_cut(l); round++) {
        if (!dcpn_moves_make(&solver->escape, &a->objective, &a->point, solver->result.stationarity_goal)) break;
        DCPN_TRY(descend(l, a->point.x, 0.0, 0, 0));
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

/* Is F lower at the coefficients of the point below? That costs no descent. */
static dcpn_status look_below(struct lowering *l, const dcpn_path_point *below, const dcpn_path_point *point,
                              int *is_lower)
{
    struct algorithm *a = l->solver->algorithm;
    DCPN_TRY(dcpn_solver_set_lambda(l->solver, point->lambda));
    dcpn_path_start_at(l->path, below, l->solver);
    dcpn_copy(a->objective.size, l->solver->start, a->point.x);
    dcpn_point_evaluate(&a->objective, &a->point);
    *is_lower = a->point.value < (1.0 - LOWER) * point->fit.objective;
    return DCPN_OK;
}

/* Up the path, each from the point below: large coefficients of few features, which a path from above finds late; and
 * down again. */
static dcpn_status sweep(struct lowering *l, int64_t step)
{
    dcpn_path_point *points = l->path->points;
    int64_t count = l->path->count;
    for (int64_t k = step < 0 ? count - 2 : 1; k >= 0 && k < count && !is_cut(l); k += step) {
        int is_worth_it = !is_convex(l, k);
        int is_first = k == 0 || points[k].fit.nonzeros == 0; /* a path begins without features */
        if (!is_worth_it && step < 0 && !is_first) DCPN_TRY(look_below(l, &points[k + 1], &points[k], &is_worth_it));
        if (is_worth_it) DCPN_TRY(from_neighbour(l, &points[k - step], &points[k]));
    }
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

dcpn_status dcpn_path_lower(dcpn_solver *solver, const dcpn_path *like, double until, const struct path_check *check,
                            dcpn_path *path)
{
    dcpn_context *context = solver->context; /* the solver may be replaced */
    int64_t features = dcpn_solver_features(solver);
    struct lowering l = {.solver = solver, .path = path, .like = like ? like : path, .until = until, .check = check};
    l.relaxed = dcpn_allocate(context, (size_t)features + 1, sizeof *l.relaxed);
    l.above = dcpn_allocate(context, (size_t)path->count, sizeof *l.above);
    dcpn_status status = l.relaxed && l.above ? DCPN_OK : DCPN_MEMORY;
    if (l.relaxed) dcpn_fill(features + 1, 0.0, l.relaxed);
    for (int64_t k = 0; l.above && k < path->count; k++) l.above[k] = k > 0 ? path->points[k - 1].first : -1;
    l.is_thorough = (double)solver->problem->A->entries < SMALL * solver->share;
    l.budget = passes_left(solver, path);
    if (status == DCPN_OK) status = sweep_down(&l);
    if (status == DCPN_OK && has_basins(&l)) status = sweep(&l, -1);
    if (status == DCPN_OK && has_basins(&l) && (l.is_thorough || check)) status = sweep(&l, 1);
    dcpn_free(context, l.relaxed);
    dcpn_free(context, l.above);
    return status;
}
