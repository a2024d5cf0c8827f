/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the fit at the next lambda starts. For a convex penalty that is beyond the last point: between two lambdas at
 * which a feature enters or leaves, a path of l1 with the squared loss is a straight line in lambda, and with another one
 * nearly so. What changes slowly in a descent, along directions in which F is flat, is what the line foresees best. */
#include "base/vector.h"
#include "path/path_fit.h"

static const double MOST_AHEAD = 2.0; /* of the way between the last two points */

/* F at the start of the solver, with its present penalty. */
static double value_at_start(dcpn_solver *solver)
{
    struct algorithm *a = solver->algorithm;
    dcpn_copy(a->objective.size, solver->start, a->point.x);
    dcpn_point_evaluate(&a->objective, &a->point);
    return a->point.value;
}

void dcpn_path_move(struct fitting *f, dcpn_solver *solver, const dcpn_path *path)
{
    f->solver = solver;
    f->has_moved = 1;
    if (solver == f->whole && f->screen) f->screen->is_known = 0;
    dcpn_path_start_at(path, &path->points[path->count - 1], solver);
    dcpn_copy(solver->algorithm->objective.size, solver->start, solver->algorithm->point.x);
}

void dcpn_path_note_point(struct fitting *f)
{
    const struct algorithm *a = f->solver->algorithm;
    double *earlier = f->here;
    f->here = f->earlier;
    f->earlier = earlier;
    dcpn_copy(a->objective.size, a->point.x, f->here);
}

/* How far beyond the last point the next one lies, as a share of the way between the last two; 0: nobody knows. */
static double way_ahead(const struct fitting *f, int64_t k)
{
    const struct objective *F = &f->solver->algorithm->objective;
    int is_convex = !dcpn_penalty_has_h2(&F->penalty) && !dcpn_loss_has_phi2(&F->loss);
    if (k < 2 || !is_convex || !f->paths->settings.extrapolate) return 0.0;
    double way = f->lambdas[k - 2] - f->lambdas[k - 1], ahead = f->lambdas[k - 1] - f->lambdas[k];
    return ahead <= MOST_AHEAD * way && way > 0.0 ? ahead / way : 0.0;
}

/* A coefficient does not go beyond 0 on the way, nor beyond its bounds. */
static void extrapolate(struct fitting *f, double ahead)
{
    const struct objective *F = &f->solver->algorithm->objective;
    double *start = f->solver->start;
    for (int64_t j = 0; j < F->size; j++) {
        start[j] = f->here[j] == 0.0 ? 0.0 : f->here[j] + ahead * (f->here[j] - f->earlier[j]);
        if (j < F->features && start[j] * f->here[j] < 0.0) start[j] = 0.0;
        start[j] = dcpn_penalty_clamp(&F->penalty, j, start[j]);
    }
    f->solver->knows_gradient = f->solver->knows_u = 0;
}

static void choose_one_of_two(struct fitting *f, const dcpn_path *before, int64_t k)
{
    int knows_gradient = f->solver->knows_gradient;
    f->solver->knows_u = 0;
    double value_here = value_at_start(f->solver);
    dcpn_path_start_at(before, &before->points[k], f->solver);
    if (value_at_start(f->solver) <= value_here) return;
    dcpn_copy(f->solver->algorithm->objective.size, f->here, f->solver->start);
    f->solver->knows_gradient = knows_gradient; /* looking at values has left the gradients alone */
}

/* Without features the last point has gone to where the loss is flat; there the next one would see none either. */
static int is_lost(const struct fitting *f, int64_t k)
{
    const struct objective *F = &f->solver->algorithm->objective;
    return k > 0 && f->whole->null_is_flat && dcpn_count_nonzeros(F->features, f->here) == 0;
}

void dcpn_path_choose_start(struct fitting *f, const dcpn_path *before, int64_t k)
{
    int lost = is_lost(f, k), is_there = !f->has_moved && !lost; /* at the null model, or the last point */
    if (lost) f->here[f->solver->algorithm->objective.features] = f->whole->null_intercept;
    double ahead = is_there ? way_ahead(f, k) : 0.0;
    dcpn_copy(f->solver->algorithm->objective.size, f->here, f->solver->start);
    f->solver->knows_gradient = f->solver->knows_u = is_there;
    f->has_moved = 0;
    if (before && k < before->count)
        choose_one_of_two(f, before, k);
    else if (ahead > 0.0)
        extrapolate(f, ahead);
}
