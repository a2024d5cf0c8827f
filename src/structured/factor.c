/* SPDX-License-Identifier: BSD-3-Clause */
/* X = C D with sparse codes: codes and atoms in turn, each block to its minimum, until neither can be moved.
 *
 *     repeat   c_ik <- argmin of F over it alone, for all rows i and atoms k        codes.c
 *              d_k  <- argmin of F over it alone in its set, for all atoms          atoms.c
 *
 * F falls with every move. It is not convex in both, whatever the penalty: the end is a point at which no block can be
 * improved, and the certificate has a number for each of the two. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/context.h"
#include "base/interrupt.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "structured/factoring.h"
#include "structured/transposed.h"

enum { DEFAULT_ATOMS = 10 };

/* X or its transpose, so that its rows are what gets codes. */
struct source {
    struct transposed view;
    const dcpn_matrix *X;
};

static void take_source(const dcpn_matrix *X, int of_columns, struct source *source)
{
    source->X = X;
    if (!of_columns) return;
    dcpn_matrix_transposed(&source->view, X);
    source->X = &source->view.base;
}

/* Computes |x_i|^2 of the rows of X, or of its columns if these get codes. */
static dcpn_status measure(dcpn_context *context, const dcpn_matrix *X, int of_columns, double *norms2)
{
    int64_t other = of_columns ? X->rows : X->columns;
    int64_t *index = dcpn_allocate(context, (size_t)other, sizeof *index);
    double *value = dcpn_allocate(context, (size_t)other, sizeof *value);
    if (!index || !value) {
        dcpn_free(context, index);
        dcpn_free(context, value);
        return DCPN_MEMORY;
    }
    dcpn_fill(other, 1.0, value);
    for (int64_t j = 0; of_columns && j < X->columns; j++) norms2[j] = X->ops->column_curvature(X, j, value);
    for (int64_t i = 0; !of_columns && i < X->rows; i++)
        norms2[i] = dcpn_dot(X->ops->row(X, i, index, value), value, value);
    dcpn_free(context, index);
    dcpn_free(context, value);
    return DCPN_OK;
}

/* ---- one call ---- */

struct goals {
    double codes, atoms, little; /* little: a change of F, as a share of it, that ends the work as well; 0: none */
};

static struct goals goals_of(const struct factoring *f, const dcpn_settings *s)
{
    int by_change = strcmp(s->stop, "relative-change") == 0;
    double scale = dcpn_penalty_reference_slope(&f->penalty);
    for (int64_t i = 0; !(scale > 0.0) && i < f->count; i++) scale = fmax(scale, sqrt(f->norms2[i]));
    return (struct goals){by_change ? 0.0 : s->tol * scale, by_change ? 0.0 : s->tol,
                          by_change ? s->relative_tol : 0.0};
}

/* Computes F and the violations at (C, D). The products with C must be those of the last step. */
static void look(struct factoring *f, dcpn_factors *made)
{
    dcpn_codes_look(f);
    made->loss_value = dcpn_factoring_loss(f);
    made->penalty_value = dcpn_factoring_penalty(f);
    made->objective = made->loss_value + made->penalty_value;
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

static int is_stationary(const dcpn_factors *made, const struct goals *goals)
{
    return made->iterations > 0 && made->codes_end.violation <= goals->codes &&
           made->atoms_end.violation <= goals->atoms;
}

/* Returns 1 if the work is to end, and sets how it ended. */
static int should_end(dcpn_context *context, const dcpn_settings *s, const dcpn_factor_options *options,
                      const struct goals *goals, double before, double started_at, dcpn_factors *made)
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

static dcpn_status descend(struct factoring *f, const dcpn_settings *s, const dcpn_factor_options *options,
                           double started_at, dcpn_factors *made)
{
    const struct goals goals = goals_of(f, s);
    double before = HUGE_VAL;
    made->codes_end.goal = goals.codes;
    made->atoms_end.goal = goals.atoms;
    for (made->iterations = 0;; made->iterations++) {
        look(f, made);
        if (!isfinite(made->objective))
            return dcpn_fail(f->context, DCPN_DATA, "the objective is not finite; are the data scaled sensibly?");
        if (should_end(f->context, s, options, &goals, before, started_at, made)) return DCPN_OK;
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

static dcpn_status give(const struct factoring *f, dcpn_factors *made)
{
    double norm2 = 0.0;
    for (int64_t i = 0; i < f->count; i++) norm2 += f->norms2[i];
    made->unexplained = norm2 > 0.0 ? 2.0 * made->loss_value / norm2 : 0.0;
    made->atom = dcpn_allocate(f->context, (size_t)(f->atoms * f->length), sizeof *made->atom);
    if (!made->atom) return DCPN_MEMORY;
    dcpn_copy(f->atoms * f->length, f->D, made->atom);
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
                                       .eps = shape->eps}};
}

static dcpn_status check(dcpn_context *context, const dcpn_settings *s, const dcpn_factor_options *options)
{
    DCPN_TRY(dcpn_settings_check(context, s));
    if (options->atoms < 0)
        return dcpn_fail(context, DCPN_USAGE, "atoms: found %lld, expected at least 1", (long long)options->atoms);
    return DCPN_OK;
}

/* Finds a start for penalties that are not convex: the end with l1, as a fit of one vector does. Such penalties
 * leave large codes alone, and atoms that began wrong stay wrong: begun from rows of X, MCP found 6 of 50 planted
 * atoms, while l1 found 42. */
static dcpn_status start_by_l1(struct factoring *f, const dcpn_settings *s, double started_at, dcpn_factors *made)
{
    const dcpn_penalty_ops *chosen = f->penalty.ops;
    const dcpn_factor_options nobody = {0};
    dcpn_settings rough = *s;
    if (chosen->convex) return DCPN_OK;
    rough.tol = fmax(s->tol, FACTOR_START_TOL);
    f->penalty.ops = &dcpn_penalty_l1;
    dcpn_penalty_prepare(&f->penalty);
    dcpn_status status = descend(f, &rough, &nobody, started_at, made);
    f->penalty.ops = chosen;
    dcpn_penalty_prepare(&f->penalty);
    return status;
}

static dcpn_status run(struct factoring *f, const dcpn_matrix *X, const dcpn_settings *s,
                       const dcpn_factor_options *options, double started_at, dcpn_factors *made)
{
    DCPN_TRY(dcpn_refuse_infinite_penalty(f->context, &f->penalty));
    DCPN_TRY(measure(f->context, X, options->of_columns, f->norms2));
    if (options->start)
        DCPN_TRY(dcpn_factoring_start_at(f, options->start));
    else
        dcpn_factoring_start(f, options->seed);
    describe(f, options, made);
    DCPN_TRY(start_by_l1(f, s, started_at, made));
    DCPN_TRY(descend(f, s, options, started_at, made));
    DCPN_TRY(give(f, made));
    made->time_s = dcpn_clock_s() - started_at;
    return DCPN_OK;
}

dcpn_status dcpn_factors_fit(dcpn_context *context, const dcpn_matrix *X, const dcpn_settings *settings,
                             const dcpn_factor_options *options, dcpn_factors **factors)
{
    const dcpn_settings standard = dcpn_settings_default();
    dcpn_factor_options asked = options ? *options : (dcpn_factor_options){0};
    struct source source;
    struct factoring f = {0};
    double started_at = dcpn_clock_s();
    DCPN_NEED(context, context, X, factors);
    *factors = NULL;
    if (!settings) settings = &standard;
    DCPN_TRY(check(context, settings, &asked));
    if (asked.atoms == 0) asked.atoms = DEFAULT_ATOMS;
    take_source(X, asked.of_columns, &source);
    dcpn_factors *made = dcpn_allocate(context, 1, sizeof *made);
    if (!made) return DCPN_MEMORY;
    *made = (dcpn_factors){.context = context};
    dcpn_status status = dcpn_factoring_new(context, source.X, settings, &asked, &f);
    if (status == DCPN_OK) status = run(&f, X, settings, &asked, started_at, made);
    dcpn_factoring_free(&f);
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
    dcpn_free(factors->context, factors->codes.first);
    dcpn_free(factors->context, factors->codes.index);
    dcpn_free(factors->context, factors->codes.value);
    dcpn_free(factors->context, factors);
}

/* ---- other rows ---- */

static dcpn_status check_rows(const dcpn_factors *factors, const dcpn_matrix *X)
{
    if (factors->of_columns)
        return dcpn_fail(factors->context, DCPN_USAGE,
                         "codes of other rows: found factors whose codes belong to features, expected codes of rows");
    if (X->columns == factors->length) return DCPN_OK;
    return dcpn_fail(factors->context, DCPN_DATA,
                     "codes of other rows: found %lld columns, expected %lld as the atoms have", (long long)X->columns,
                     (long long)factors->length);
}

dcpn_status dcpn_factors_codes(const dcpn_factors *factors, const dcpn_matrix *X, double *codes)
{
    DCPN_NEED(NULL, factors);
    DCPN_NEED(factors->context, X, codes);
    DCPN_TRY(check_rows(factors, X));
    dcpn_settings settings = dcpn_settings_default();
    settings.penalty = factors->penalty.name;
    settings.lambda = factors->penalty.lambda;
    settings.shape_units = "raw";
    settings.theta = factors->penalty.theta, settings.a = factors->penalty.a, settings.gamma = factors->penalty.gamma;
    settings.p = factors->penalty.p, settings.eps = factors->penalty.eps;
    const dcpn_factor_options options = {.atoms = factors->atoms, .nonnegative_codes = factors->nonnegative_codes};
    struct factoring f = {0};
    dcpn_status status = dcpn_factoring_new(factors->context, X, &settings, &options, &f);
    if (status == DCPN_OK) {
        dcpn_copy(f.atoms * f.length, factors->atom, f.D);
        dcpn_codes_look(&f);
        dcpn_codes_minimize(&f, factors->codes_end.goal, FACTOR_NEW_CODES_SWEEPS);
        status = dcpn_refuse_interrupted(factors->context, "making codes");
        dcpn_copy(f.count * f.atoms, f.C, codes);
    }
    dcpn_factoring_free(&f);
    return status;
}
