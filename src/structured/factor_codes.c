/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes of other rows, the atoms being known; of factors of columns, scores on components. */
#include <math.h>

#include "base/context.h"
#include "base/interrupt.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "structured/factoring.h"

/* How many numbers of a row the factors explain. */
static int64_t length_of(const dcpn_factors *factors)
{
    return factors->of_columns ? factors->count : factors->length;
}

static dcpn_status check_rows(const dcpn_factors *factors, const dcpn_matrix *X)
{
    if (X->columns == length_of(factors)) return DCPN_OK;
    return dcpn_fail(factors->context, DCPN_DATA,
                     "codes of other rows: found %lld columns, expected %lld as the atoms have", (long long)X->columns,
                     (long long)length_of(factors));
}

/* The penalty of a code, none of a score. */
static dcpn_settings settings_of(const dcpn_factors *factors)
{
    dcpn_settings settings = dcpn_settings_default();
    const dcpn_code_penalty *p = &factors->penalty;
    settings.penalty = factors->of_columns ? "l1" : p->name;
    settings.lambda = factors->of_columns ? 0.0 : p->lambda;
    settings.ridge = factors->of_columns ? 0.0 : p->ridge;
    settings.shape_units = "raw";
    settings.theta = p->theta, settings.a = p->a, settings.gamma = p->gamma, settings.p = p->p, settings.eps = p->eps;
    return settings;
}

/* The codes of columns, by components. */
static void take_components(const dcpn_factors *factors, struct factoring *f)
{
    dcpn_fill(f->atoms * f->length, 0.0, f->D);
    for (int64_t j = 0; j < factors->count; j++)
        for (int64_t e = factors->codes.first[j]; e < factors->codes.first[j + 1]; e++)
            f->D[factors->codes.index[e] * f->length + j] = factors->codes.value[e];
    if (factors->of_atoms.multiplier) dcpn_copy(f->atoms, factors->of_atoms.multiplier, f->ridge);
}

/* A score has no penalty to measure its slope by: that of a score of 0 does as well. */
static double goal_of(const dcpn_factors *factors, const struct factoring *f)
{
    double largest = 0.0;
    for (int64_t k = 0; k < f->count * f->atoms; k++) largest = fmax(largest, fabs(f->Q[k]));
    return factors->of_columns ? FACTOR_SCORES_SHARE * largest : factors->codes_end.goal;
}

static dcpn_status make(const dcpn_factors *factors, struct factoring *f, double *codes)
{
    if (factors->of_columns)
        take_components(factors, f);
    else
        dcpn_copy(f->atoms * f->length, factors->atom, f->D);
    dcpn_codes_look(f);
    dcpn_codes_minimize(f, goal_of(factors, f), FACTOR_NEW_CODES_SWEEPS);
    DCPN_TRY(dcpn_refuse_interrupted(factors->context, "making codes"));
    dcpn_copy(f->count * f->atoms, f->C, codes);
    return DCPN_OK;
}

dcpn_status dcpn_factors_codes(const dcpn_factors *factors, const dcpn_matrix *X, double *codes)
{
    DCPN_NEED(NULL, factors);
    DCPN_NEED(factors->context, X, codes);
    DCPN_TRY(check_rows(factors, X));
    const dcpn_settings settings = settings_of(factors);
    const dcpn_factor_options options = {.atoms = factors->atoms,
                                         .nonnegative_codes = factors->of_columns ? factors->nonnegative_atoms
                                                                                  : factors->nonnegative_codes};
    struct factor_source source;
    struct factoring f = {.context = factors->context};
    dcpn_status status = dcpn_factor_source_take(factors->context, X, 0, &source);
    if (status == DCPN_OK) status = dcpn_factoring_new(factors->context, &source, &settings, &options, &f);
    if (status == DCPN_OK) status = make(factors, &f, codes);
    dcpn_factoring_free(&f);
    dcpn_factor_source_free(factors->context, &source);
    return status;
}
