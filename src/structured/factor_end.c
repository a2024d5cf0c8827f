/* SPDX-License-Identifier: BSD-3-Clause */
/* When a factorisation ends, and what is handed out then. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/context.h"
#include "base/interrupt.h"
#include "base/vector.h"
#include "structured/factoring.h"

struct factor_goals dcpn_factor_goals_of(const struct factoring *f, const dcpn_settings *s)
{
    int by_change = strcmp(s->stop, "relative-change") == 0;
    double scale = dcpn_penalty_reference_slope(&f->penalty);
    for (int64_t i = 0; !(scale > 0.0) && i < f->count; i++) scale = fmax(scale, sqrt(f->norms2[i]));
    return (struct factor_goals){by_change ? 0.0 : s->tol * scale, by_change ? 0.0 : s->tol,
                          by_change ? s->relative_tol : 0.0};
}

static int is_stationary(const dcpn_factors *made, const struct factor_goals *goals)
{
    return made->iterations > 0 && made->codes_end.violation <= goals->codes &&
           made->atoms_end.violation <= goals->atoms;
}

int dcpn_factor_should_end(dcpn_context *context, const dcpn_settings *s, const dcpn_factor_options *options,
                           const struct factor_goals *goals, double before, double started_at, dcpn_factors *made)
{
    double fell = before - made->objective;
    double worst = fmax(made->codes_end.violation, made->atoms_end.violation);
    int is_calm = goals->little > 0.0 && made->iterations > 0 && fell <= goals->little * fabs(made->objective);
    int is_told = options->observer && options->observer(options->user, made->iterations, made->objective, worst);
    made->outcome = is_stationary(made, goals)                     ? DCPN_CONVERGED
                    : is_calm                                      ? DCPN_RELATIVE_CHANGE
                    : is_told || dcpn_is_interrupted(context)      ? DCPN_INTERRUPTED
                    : made->iterations >= s->max_iter              ? DCPN_MAX_ITERATIONS
                    : dcpn_clock_s() - started_at >= s->max_time_s ? DCPN_MAX_TIME
                                                                   : DCPN_NOT_RUN;
    return made->outcome != DCPN_NOT_RUN;
}

dcpn_status dcpn_factor_give_atoms(struct factoring *f, dcpn_factors *made)
{
    double norm2 = 0.0;
    for (int64_t i = 0; i < f->count; i++) norm2 += f->norms2[i];
    made->unexplained = norm2 > 0.0 ? 2.0 * made->loss_value / norm2 : 0.0;
    made->atom = dcpn_allocate(f->context, (size_t)(f->atoms * f->length), sizeof *made->atom);
    made->of_atoms.multiplier = dcpn_allocate(f->context, (size_t)f->atoms, sizeof *made->of_atoms.multiplier);
    if (!made->atom || !made->of_atoms.multiplier) return DCPN_MEMORY;
    dcpn_copy(f->atoms * f->length, f->D, made->atom);
    for (int64_t k = 0; k < f->atoms; k++) made->of_atoms.multiplier[k] = dcpn_atom_multiplier(f, k);
    return DCPN_OK;
}
