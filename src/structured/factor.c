/* SPDX-License-Identifier: BSD-3-Clause */
/* X = C D with sparse codes: codes and atoms in turn, each block to its minimum, until neither can be moved.
 *
 *     repeat   c_ik <- argmin of F over it alone, for all rows i and atoms k        codes.c
 *              d_k  <- argmin of F over it alone in its set, for all atoms          atoms.c
 *
 * With batches the codes of some rows at a time (factor_batches.c). F falls with every move. It is not convex in both,
 * whatever the penalty: the end is a point at which no block can be improved, and the certificate has a number for
 * each of the two. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/context.h"
#include "base/interrupt.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "settings/registry.h"
#include "structured/factoring.h"

enum { DEFAULT_ATOMS = 10 };

/* ---- one call ---- */

/* Computes F and the violations at (C, D). The products with C must be those of the last step. */
static void look(struct factoring *f, dcpn_factors *made)
{
    dcpn_codes_look(f);
    made->loss_value = dcpn_factoring_loss(f);
    made->penalty_value = dcpn_factoring_penalty(f);
    made->of_atoms.value = dcpn_factoring_atom_penalty(f);
    made->objective = made->loss_value + made->penalty_value + made->of_atoms.value;
    made->codes_end.violation = dcpn_codes_violation(f);
    made->atoms_end.violation = dcpn_atoms_violation(f);
}

/* Improves the codes, then the atoms. If the end is asked for while codes are improved, they are kept as they are;
 * each of them is complete at any time. */
static void step(struct factoring *f, double codes_goal, double violation)
{
    dcpn_codes_minimize(f, fmax(codes_goal, FACTOR_CODES_SHARE * violation), FACTOR_CODES_SWEEPS);
    if (dcpn_is_interrupted(f->context)) return;
    dcpn_atoms_look(f);
    dcpn_atoms_renew(f);
    dcpn_atoms_improve(f);
}

static dcpn_status descend(struct factoring *f, const dcpn_settings *s, const dcpn_factor_options *options,
                           double started_at, dcpn_factors *made)
{
    const struct factor_goals goals = dcpn_factor_goals_of(f, s);
    double before = HUGE_VAL;
    made->codes_end.goal = goals.codes;
    made->atoms_end.goal = goals.atoms;
    for (made->iterations = 0;; made->iterations++) {
        look(f, made);
        if (!isfinite(made->objective))
            return dcpn_fail(f->context, DCPN_DATA, "the objective is not finite; are the data scaled sensibly?");
        if (dcpn_factor_should_end(f->context, s, options, &goals, before, started_at, made)) return DCPN_OK;
        before = made->objective;
        step(f, goals.codes, made->codes_end.violation);
    }
}

/* ---- what is handed out ---- */

static dcpn_status give_codes(const struct factoring *f, dcpn_factors *made)
{
    int64_t total = dcpn_count_nonzeros(f->count * f->atoms, f->C), used = 0;
    made->codes.first = dcpn_allocate(f->context, (size_t)f->count + 1, sizeof *made->codes.first);
    made->codes.index = dcpn_allocate(f->context, (size_t)total, sizeof *made->codes.index);
    made->codes.value = dcpn_allocate(f->context, (size_t)total, sizeof *made->codes.value);
    if (!made->codes.first || !made->codes.index || !made->codes.value) return DCPN_MEMORY;
    for (int64_t i = 0; i < f->count; i++) {
        made->codes.first[i] = used;
        for (int64_t k = 0; k < f->atoms; k++) {
            if (f->C[i * f->atoms + k] == 0.0) continue;
            made->codes.index[used] = k;
            made->codes.value[used++] = f->C[i * f->atoms + k];
        }
    }
    made->codes.first[f->count] = used;
    return DCPN_OK;
}

/* What atoms and codes are, the codes of all rows being in C. */
static dcpn_status give(struct factoring *f, dcpn_factors *made)
{
    DCPN_TRY(dcpn_factor_give_atoms(f, made));
    return give_codes(f, made);
}

static void describe(const struct factoring *f, const dcpn_factor_options *options, dcpn_factors *made)
{
    const dcpn_penalty_shape *shape = &f->penalty.shape;
    *made = (dcpn_factors){.context = f->context,
                           .count = f->count,
                           .length = f->length,
                           .atoms = f->atoms,
                           .of_columns = options->of_columns != 0,
                           .nonnegative_codes = options->nonnegative_codes != 0,
                           .nonnegative_atoms = options->nonnegative_atoms != 0,
                           .penalty = {.name = f->penalty.ops->name,
                                       .lambda = f->penalty.base_lambda,
                                       .theta = shape->theta,
                                       .a = shape->a,
                                       .gamma = shape->gamma,
                                       .p = shape->p,
                                       .eps = shape->eps,
                                       .ridge = f->ridge[0]}};
    if (options->atom_lambda > 0.0)
        made->of_atoms = (dcpn_atom_terms){.name = f->of_atoms.ops->name, .lambda = options->atom_lambda,
                                            .theta = f->of_atoms.shape.theta};
}

static dcpn_status check(dcpn_context *context, const dcpn_settings *s, const dcpn_factor_options *options)
{
    DCPN_TRY(dcpn_settings_check(context, s));
    if (options->atoms < 0)
        return dcpn_fail(context, DCPN_USAGE, "atoms: found %lld, expected at least 1", (long long)options->atoms);
    if (options->batch < 0)
        return dcpn_fail(context, DCPN_USAGE, "batch: found %lld rows, expected at least 1", (long long)options->batch);
    if (options->batch > 0 && options->of_columns)
        return dcpn_fail(context, DCPN_USAGE,
                         "batch: found codes of features, whose atoms are as long as there are rows; expected codes of "
                         "rows");
    if (!(options->atom_lambda >= 0.0) || !isfinite(options->atom_lambda))
        return dcpn_fail(context, DCPN_USAGE, "lambda of atoms: found %g, expected a finite number of at least 0",
                         options->atom_lambda);
    if (options->atom_penalty && !dcpn_find_penalty(options->atom_penalty))
        return dcpn_fail(context, DCPN_USAGE, "penalty of atoms: found '%s', expected the name of a penalty",
                         options->atom_penalty);
    return DCPN_OK;
}

/* Finds a start for penalties that are not convex: the end with l1, as a fit of one vector does. Such penalties
 * leave large codes alone, and atoms that began wrong stay wrong: begun from rows of X, MCP found 6 of 50 planted
 * atoms, while l1 found 42. */
static dcpn_status start_by_l1(struct factoring *f, struct batches *batches, const dcpn_settings *s, double started_at,
                               dcpn_factors *made)
{
    const dcpn_penalty_ops *chosen = f->penalty.ops;
    const dcpn_factor_options nobody = {0};
    dcpn_settings rough = *s;
    if (chosen->convex) return DCPN_OK;
    rough.tol = fmax(s->tol, FACTOR_START_TOL);
    f->penalty.ops = &dcpn_penalty_l1;
    dcpn_penalty_prepare(&f->penalty);
    dcpn_status status = batches ? dcpn_batches_descend(batches, &rough, &nobody, started_at, made)
                                 : descend(f, &rough, &nobody, started_at, made);
    f->penalty.ops = chosen;
    dcpn_penalty_prepare(&f->penalty);
    return status;
}

static dcpn_status at_once(struct factoring *f, const dcpn_settings *s, const dcpn_factor_options *options,
                           double started_at, dcpn_factors *made)
{
    if (!options->start) DCPN_TRY(start_by_l1(f, NULL, s, started_at, made));
    DCPN_TRY(descend(f, s, options, started_at, made));
    return give(f, made);
}

static dcpn_status by_batches(struct factoring *f, const dcpn_settings *s, const dcpn_factor_options *options,
                              double started_at, dcpn_factors *made)
{
    struct batches *batches;
    DCPN_TRY(dcpn_batches_new(f, options, &batches));
    dcpn_status status = options->start ? DCPN_OK : start_by_l1(f, batches, s, started_at, made);
    if (status == DCPN_OK) status = dcpn_batches_descend(batches, s, options, started_at, made);
    if (status == DCPN_OK) status = dcpn_batches_give(batches, made);
    dcpn_batches_free(batches);
    return status;
}

static dcpn_status run(struct factoring *f, const struct factor_source *source, const dcpn_settings *s,
                       const dcpn_factor_options *options, double started_at, dcpn_factors *made)
{
    DCPN_TRY(dcpn_refuse_infinite_penalty(f->context, &f->penalty));
    DCPN_TRY(dcpn_refuse_infinite_penalty(f->context, &f->of_atoms));
    DCPN_TRY(dcpn_factor_source_measure(f->context, source, f->norms2));
    if (options->start)
        DCPN_TRY(dcpn_factoring_start_at(f, options->start));
    else
        dcpn_factoring_start(f, options->seed);
    describe(f, options, made);
    DCPN_TRY((options->batch > 0 ? by_batches : at_once)(f, s, options, started_at, made));
    made->time_s = dcpn_clock_s() - started_at;
    return DCPN_OK;
}

dcpn_status dcpn_factors_fit(dcpn_context *context, const dcpn_matrix *X, const dcpn_settings *settings,
                             const dcpn_factor_options *options, dcpn_factors **factors)
{
    const dcpn_settings standard = dcpn_settings_default();
    dcpn_factor_options asked = options ? *options : (dcpn_factor_options){0};
    struct factor_source source;
    struct factoring f = {0};
    double started_at = dcpn_clock_s();
    DCPN_NEED(context, context, X, factors);
    *factors = NULL;
    if (!settings) settings = &standard;
    DCPN_TRY(check(context, settings, &asked));
    if (asked.atoms == 0) asked.atoms = DEFAULT_ATOMS;
    dcpn_factors *made = dcpn_allocate(context, 1, sizeof *made);
    if (!made) return DCPN_MEMORY;
    *made = (dcpn_factors){.context = context};
    f.context = context;
    dcpn_status status = dcpn_factor_source_take(context, X, asked.of_columns, &source);
    if (status == DCPN_OK && source.has_gaps && asked.batch > 0)
        status = dcpn_fail(context, DCPN_USAGE,
                           "batch: found missing entries, for which all rows are needed at once; leave out the batch, "
                           "or fill them in");
    if (status == DCPN_OK) status = dcpn_factoring_new(context, &source, settings, &asked, &f);
    if (status == DCPN_OK) status = run(&f, &source, settings, &asked, started_at, made);
    dcpn_factoring_free(&f);
    dcpn_factor_source_free(context, &source);
    if (status == DCPN_OK)
        *factors = made;
    else
        dcpn_factors_free(made);
    return status;
}

void dcpn_factors_free(dcpn_factors *factors)
{
    if (!factors) return;
    dcpn_free(factors->context, factors->atom);
    dcpn_free(factors->context, factors->of_atoms.multiplier);
    dcpn_free(factors->context, factors->codes.first);
    dcpn_free(factors->context, factors->codes.index);
    dcpn_free(factors->context, factors->codes.value);
    dcpn_free(factors->context, factors);
}
