/* SPDX-License-Identifier: BSD-3-Clause */
/* What runs change of a solver, as words; and the solver as it was when it had been made, for runs that are saved or go on. */
#include <string.h>

#include "transduction/start.h"
#include "working_set/candidates.h"
#include "solver/solver.h"
#include "working_set/wide.h"

size_t dcpn_solver_state_words(const dcpn_solver *solver)
{
    size_t words = 0;
    for (int k = 0; k < solver->state_count; k++) words += solver->states[k].size / sizeof(uint64_t);
    return words;
}

void dcpn_solver_copy_states(const dcpn_solver *solver, uint64_t *words)
{
    for (int k = 0; k < solver->state_count; k++) {
        memcpy(words, solver->states[k].memory, solver->states[k].size);
        words += solver->states[k].size / sizeof *words;
    }
}

dcpn_status dcpn_solver_keep_as_made(dcpn_solver *solver)
{
    solver->as_made = dcpn_allocate(solver->context, dcpn_solver_state_words(solver), sizeof *solver->as_made);
    if (!solver->as_made) return DCPN_MEMORY;
    dcpn_solver_copy_states(solver, solver->as_made);
    return DCPN_OK;
}

void dcpn_solver_forget(dcpn_solver *solver)
{
    const uint64_t *words = solver->as_made;
    dcpn_short_list_free(solver);
    dcpn_wide_free(solver);
    for (int k = 0; k < solver->state_count; k++) {
        memcpy(solver->states[k].memory, words, solver->states[k].size);
        words += solver->states[k].size / sizeof *words;
    }
    solver->arena.used = solver->work_from;
    solver->arena.is_zero = 0;
    dcpn_solver_lay_out_work(solver);
    dcpn_solver_renew(solver);
    dcpn_annealer_forget(solver);
    solver->slope_at_0 = -1.0;
    solver->knows_gradient = solver->knows_u = 0;
}
