/* SPDX-License-Identifier: BSD-3-Clause */
/* The penalty of a solver, and changes of its lambda and its shape between two runs. */
#include <string.h>

#include "working_set/active_set.h"
#include "solver/solver.h"

dcpn_penalty_shape dcpn_solver_shape(const dcpn_solver *solver)
{
    const dcpn_settings *s = &solver->settings;
    return (dcpn_penalty_shape){s->theta, s->a, s->gamma, s->p, s->eps, solver->problem->penalty_user};
}

/* The penalty is described once for the algorithm, and again for what is within it. */
void dcpn_solver_renew(dcpn_solver *solver)
{
    struct algorithm *layers[] = {solver->algorithm, solver->active_set ? &solver->active_set->algorithm : NULL,
                                  solver->method};
    for (size_t k = 0; k < sizeof layers / sizeof *layers; k++) {
        if (!layers[k]) continue;
        layers[k]->objective.penalty.base_lambda = solver->settings.lambda;
        layers[k]->objective.penalty.shape = dcpn_solver_shape(solver);
    }
    dcpn_penalty_prepare(&solver->algorithm->objective.penalty);
}

static dcpn_status change_settings(dcpn_solver *solver, const dcpn_settings *changed, const char *what)
{
    if (solver->parts.h)
        return dcpn_fail(solver->context, DCPN_USAGE, "%s belongs to a separable penalty; change your own h yourself",
                         what);
    DCPN_TRY(dcpn_solver_refuse_running(solver, what));
    DCPN_TRY(dcpn_settings_check(solver->context, changed));
    solver->settings = *changed;
    dcpn_solver_renew(solver);
    return DCPN_OK;
}

dcpn_status dcpn_solver_set_lambda(dcpn_solver *solver, double lambda)
{
    DCPN_NEED(NULL, solver);
    dcpn_settings changed = solver->settings;
    changed.lambda = lambda;
    return change_settings(solver, &changed, "lambda");
}

dcpn_status dcpn_solver_take_settings(dcpn_solver *solver, const dcpn_settings *settings)
{
    dcpn_settings changed = *settings;
    changed.standardize = solver->settings.standardize;
    return change_settings(solver, &changed, "the penalty");
}

/* Is the setting among those of the penalty, "theta" or "p eps"? A penalty of the caller's own may read what it likes. */
static int has_shape(const dcpn_solver *solver, const char *setting)
{
    size_t length = strlen(setting);
    if (solver->parts.h || solver->problem->penalty) return 1;
    for (const char *word = solver->parts.penalty->parameters; word; word = strchr(word, ' ')) {
        if (*word == ' ') word++;
        if (strncmp(word, setting, length) == 0 && (word[length] == ' ' || !word[length])) return 1;
    }
    return 0;
}

dcpn_status dcpn_solver_set_shape(dcpn_solver *solver, const char *setting, double value)
{
    DCPN_NEED(NULL, solver);
    DCPN_NEED(solver->context, setting);
    dcpn_settings changed = solver->settings;
    const struct {
        const char *name;
        double *field;
    } shape[] = {{"theta", &changed.theta},
                 {"a", &changed.a},
                 {"gamma", &changed.gamma},
                 {"p", &changed.p},
                 {"eps", &changed.eps}};
    if (!has_shape(solver, setting)) {
        const dcpn_penalty_ops *ops = solver->parts.penalty;
        return dcpn_fail(solver->context, DCPN_USAGE, "shape of the penalty %s: found '%s', expected what it has: %s",
                         ops->name, setting, ops->parameters ? ops->parameters : "nothing but lambda");
    }
    for (size_t k = 0; k < sizeof shape / sizeof *shape; k++) {
        if (strcmp(shape[k].name, setting) != 0) continue;
        *shape[k].field = value;
        return change_settings(solver, &changed, setting);
    }
    return dcpn_fail(solver->context, DCPN_USAGE,
                     "shape of the penalty: found '%s', expected theta, a, gamma, p or eps", setting);
}
