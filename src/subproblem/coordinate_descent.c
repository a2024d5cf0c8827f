/* SPDX-License-Identifier: BSD-3-Clause */
/* Coordinate descent on the quadratic model: with q_j = v_j + (Hd)_j,
 *     x_j + d_j <- soft(x_j + d_j - q_j / H_jj, c_j / H_jj)
 * in turn. A sweep over all coordinates is followed by sweeps over those in use, until they are solved. */
#include <math.h>

#include "subproblem/subproblem.h"

static const double STRICTER = 0.3;

struct coordinate_descent {
    struct subsolver subsolver;
    int64_t *in_use;
};

static const char *refusal(const struct metric_ops *metric, const struct loss *loss, int separable_penalty)
{
    if (!separable_penalty) return "coordinate-descent needs a separable penalty; use fista or forward-backward";
    if (!metric->can_walk(loss))
        return "coordinate-descent needs the diagonal of the Hessian, which this f does not give; use fista or "
               "forward-backward";
    return NULL;
}

static void layout(struct subsolver *subsolver, struct arena *arena)
{
    ((struct coordinate_descent *)subsolver)->in_use = dcpn_arena_integers(arena, subsolver->size);
}

static void prepare(struct subsolver *subsolver)
{
    (void)subsolver;
}

/* How far 0 is from q_j + dh1_j, with q_j = v_j + (Hd)_j. */
static double violation_at(const struct quadratic_model *model, int64_t j, double y, double q)
{
    double c = model->h1->c[j];
    return y == 0.0 ? fmax(fabs(q) - c, 0.0) : fabs(q + copysign(c, y));
}

/* Minimises over coordinate j; returns its violation before. */
static double minimize_coordinate(const struct quadratic_model *model, int64_t j, double *d)
{
    struct metric *H = model->H;
    double y = model->x[j] + d[j], q = model->v[j] + H->ops->walk_product(H, d, j);
    double violation = violation_at(model, j, y, q);
    if (violation == 0.0) return 0.0;
    double curvature = H->ops->diagonal(H, j);
    double moved = dcpn_soft_threshold(y - q / curvature, model->h1->c[j] / curvature) - model->x[j];
    if (moved != d[j]) {
        H->ops->walk_move(H, j, moved - d[j]);
        d[j] = moved;
    }
    return violation;
}

/* The largest violation at d, which stays. */
static double measure_all(const struct quadratic_model *model, const double *d)
{
    double largest = 0.0;
    for (int64_t j = 0; j < model->size; j++) {
        double q = model->v[j] + model->H->ops->walk_product(model->H, d, j);
        largest = fmax(largest, violation_at(model, j, model->x[j] + d[j], q));
    }
    return largest;
}

static double sweep_all(struct coordinate_descent *solver, const struct quadratic_model *model, double *d,
                        int64_t *count)
{
    double largest = 0.0;
    *count = 0;
    for (int64_t j = 0; j < model->size; j++) {
        largest = fmax(largest, minimize_coordinate(model, j, d));
        if (d[j] != 0.0 || model->x[j] + d[j] != 0.0) solver->in_use[(*count)++] = j;
    }
    return largest;
}

static double sweep_in_use(const struct coordinate_descent *solver, const struct quadratic_model *model, double *d,
                           int64_t count)
{
    double largest = 0.0;
    for (int64_t i = 0; i < count; i++) largest = fmax(largest, minimize_coordinate(model, solver->in_use[i], d));
    return largest;
}

/* The violations of one sweep are those of many points, each coordinate at its turn, and with correlated columns they
 * can be far below that of the last point. So a measurement without moves has the last word; if it says no, the sweeps
 * before the next one have to do better. */
static int64_t solve(struct subsolver *subsolver, const struct quadratic_model *model, double tolerance,
                     int64_t max_iterations, double *d)
{
    struct coordinate_descent *solver = (struct coordinate_descent *)subsolver;
    int64_t sweeps = 0, count;
    double enough = tolerance;
    model->H->ops->walk_start(model->H, d);
    while (sweeps < max_iterations) {
        sweeps++;
        double violation = sweep_all(solver, model, d, &count);
        if (violation == 0.0) break;
        while (violation > enough && sweeps < max_iterations) {
            sweeps++;
            violation = sweep_in_use(solver, model, d, count);
        }
        if (sweeps >= max_iterations || !(measure_all(model, d) > tolerance)) break;
        enough *= STRICTER;
    }
    return sweeps;
}

const struct subsolver_ops dcpn_subsolver_coordinate_descent = {
    .name = "coordinate-descent",
    .formula = "x_j + d_j <- soft(x_j + d_j - q_j / H_jj, c_j / H_jj), q = v + H d",
    .state_size = sizeof(struct coordinate_descent),
    .refusal = refusal,
    .layout = layout,
    .prepare = prepare,
    .solve = solve,
};
