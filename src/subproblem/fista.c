/* SPDX-License-Identifier: BSD-3-Clause */
/* FISTA (Beck and Teboulle) on the quadratic model, with the momentum forgotten whenever it points uphill
 * (O'Donoghue and Candes). H times the extrapolated point follows from H times the last two, so an iteration costs one
 * product, as without momentum. */
#include <math.h>

#include "base/tuning.h"
#include "base/vector.h"
#include "subproblem/prox_step.h"

struct fista {
    struct subsolver subsolver;
    struct prox_step step;
    double *d_before, *Hd_before, *Hd; /* of the last two iterates */
    double *e, *He;                    /* the extrapolated point */
};

static void layout(struct subsolver *subsolver, struct arena *arena)
{
    struct fista *solver = (struct fista *)subsolver;
    dcpn_prox_step_layout(&solver->step, subsolver->size, arena);
    solver->d_before = dcpn_arena_doubles(arena, subsolver->size);
    solver->Hd_before = dcpn_arena_doubles(arena, subsolver->size);
    solver->Hd = dcpn_arena_doubles(arena, subsolver->size);
    solver->e = dcpn_arena_doubles(arena, subsolver->size);
    solver->He = dcpn_arena_doubles(arena, subsolver->size);
}

static void prepare(struct subsolver *subsolver)
{
    ((struct fista *)subsolver)->step.L = 0.0;
}

/* The new iterate e + s replaces d, which becomes d_before. Returns s'(new - old), negative if the momentum points
 * uphill: the gradient mapping is -L s. */
static double advance(struct fista *solver, int64_t size, double *d)
{
    double agreement = 0.0;
    for (int64_t j = 0; j < size; j++) {
        double next = solver->e[j] + solver->step.s[j];
        agreement += solver->step.s[j] * (next - d[j]);
        solver->d_before[j] = d[j];
        solver->Hd_before[j] = solver->Hd[j];
        d[j] = next;
        solver->Hd[j] = solver->He[j] + solver->step.Hs[j];
    }
    return agreement;
}

static void state_of(struct subsolver *subsolver, struct state *state)
{
    DCPN_STATE(state, ((struct fista *)subsolver)->step.L);
}

static int64_t solve(struct subsolver *subsolver, const struct quadratic_model *model, double tolerance,
                     int64_t max_iterations, double *d)
{
    struct fista *solver = (struct fista *)subsolver;
    int64_t k = 0, size = model->size;
    double momentum = 1.0, beta = 0.0;
    solver->step.L *= FISTA_RELAXATION;
    dcpn_prox_step_begin(&solver->step, model);
    model->H->ops->apply(model->H, d, solver->Hd);
    dcpn_copy(size, d, solver->d_before);
    dcpn_copy(size, solver->Hd, solver->Hd_before);
    while (k++ < max_iterations) {
        dcpn_extrapolate(size, beta, d, solver->d_before, solver->e);
        dcpn_extrapolate(size, beta, solver->Hd, solver->Hd_before, solver->He);
        double residual = dcpn_prox_step_take(&solver->step, model, solver->e, solver->He);
        if (advance(solver, size, d) < 0.0) momentum = 1.0;
        if (!(residual > tolerance)) return k;
        double next = 0.5 * (1.0 + sqrt(1.0 + 4.0 * momentum * momentum));
        beta = (momentum - 1.0) / next;
        momentum = next;
    }
    return max_iterations;
}

const struct subsolver_ops dcpn_subsolver_fista = {
    .name = "fista",
    .formula = "accelerated proximal gradient with restart",
    .state_size = sizeof(struct fista),
    .layout = layout,
    .prepare = prepare,
    .solve = solve,
    .state = state_of,
};
