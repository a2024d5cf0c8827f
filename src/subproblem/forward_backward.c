/* SPDX-License-Identifier: BSD-3-Clause */
/* The paper's forward-backward iteration on the quadratic model:
 *     y <- prox_{h1/L}(y - grad g(y)/L),  y = x + d,  grad g = v + H d,
 * from the previous solution, with L estimated along the way. */
#include "base/vector.h"
#include "subproblem/prox_step.h"

struct forward_backward {
    struct subsolver subsolver;
    struct prox_step step;
    double *Hd;
};

static void layout(struct subsolver *subsolver, struct arena *arena)
{
    struct forward_backward *solver = (struct forward_backward *)subsolver;
    dcpn_prox_step_layout(&solver->step, subsolver->size, arena);
    solver->Hd = dcpn_arena_doubles(arena, subsolver->size);
}

static void prepare(struct subsolver *subsolver)
{
    ((struct forward_backward *)subsolver)->step.L = 0.0;
}

static void state_of(struct subsolver *subsolver, struct state *state)
{
    DCPN_STATE(state, ((struct forward_backward *)subsolver)->step.L);
}

static int64_t solve(struct subsolver *subsolver, const struct quadratic_model *model, double tolerance,
                     int64_t max_iterations, double *d)
{
    struct forward_backward *solver = (struct forward_backward *)subsolver;
    int64_t k = 0;
    dcpn_prox_step_begin(&solver->step, model);
    model->H->ops->apply(model->H, d, solver->Hd);
    while (k < max_iterations) {
        double residual = dcpn_prox_step_take(&solver->step, model, d, solver->Hd);
        dcpn_axpy(model->size, 1.0, solver->step.s, d);
        dcpn_axpy(model->size, 1.0, solver->step.Hs, solver->Hd);
        k++;
        if (!(residual > tolerance)) break;
        solver->step.L = dcpn_prox_step_estimate(&solver->step);
    }
    return k;
}

const struct subsolver_ops dcpn_subsolver_forward_backward = {
    .name = "forward-backward",
    .formula = "y <- prox_{h1/L}(y - grad g(y)/L), L from |H s| / |s|",
    .state_size = sizeof(struct forward_backward),
    .layout = layout,
    .prepare = prepare,
    .solve = solve,
    .state = state_of,
};
