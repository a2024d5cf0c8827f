/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields of knockoffs, of intervals and of factors by their names. */
#include <stddef.h>
#include <string.h>

#include "dcpn/factor.h"
#include "dcpn/inference.h"
#include "model/fields.h"

/* ---- knockoffs ---- */

int dcpn_knockoffs_get(const dcpn_knockoffs *knockoffs, const char *field, dcpn_value *value)
{
#define FIELD(NAME, TYPE) {#NAME, TYPE, offsetof(dcpn_knockoffs, NAME)}
#define OF_LAW(NAME, TYPE) {#NAME, TYPE, offsetof(dcpn_knockoffs, law.NAME)}
    static const struct field fields[] = {
        FIELD(kind, TEXT),       FIELD(statistic, TEXT),   FIELD(distance, TEXT),    FIELD(fdr, REAL),
        FIELD(copies, COUNT),    FIELD(draws, COUNT),      FIELD(is_lenient, WHOLE), FIELD(seed, COUNT),
        FIELD(rows, COUNT),      FIELD(features, COUNT),   FIELD(count, COUNT),      FIELD(lambda, REAL),
        FIELD(threshold, REAL),  OF_LAW(shrinkage, REAL),  OF_LAW(extra_rows, COUNT), OF_LAW(constant, COUNT),
        OF_LAW(correlation, REAL), FIELD(time_s, REAL)};
#undef FIELD
#undef OF_LAW
    return dcpn_find_field(fields, COUNT_OF(fields), field, knockoffs, value);
}

int64_t dcpn_knockoffs_chosen(const dcpn_knockoffs *knockoffs, const int64_t **index)
{
    if (!knockoffs) return 0;
    if (index) *index = knockoffs->index;
    return knockoffs->count;
}

const double *dcpn_knockoffs_measure(const dcpn_knockoffs *knockoffs, const char *measure)
{
    if (!knockoffs || !measure) return NULL;
    if (strcmp(measure, "win") == 0) return knockoffs->win;
    if (strcmp(measure, "frequency") == 0) return knockoffs->frequency;
    return strcmp(measure, "evidence") == 0 ? knockoffs->evidence : NULL;
}

/* ---- intervals ---- */

int dcpn_intervals_get(const dcpn_intervals *intervals, const char *field, dcpn_value *value)
{
#define FIELD(NAME, TYPE) {#NAME, TYPE, offsetof(dcpn_intervals, NAME)}
    static const struct field fields[] = {FIELD(method, TEXT),    FIELD(loss, TEXT),      FIELD(level, REAL),
                                          FIELD(rows, COUNT),     FIELD(features, COUNT), FIELD(deviation, REAL),
                                          FIELD(selected, COUNT), FIELD(count, COUNT),    FIELD(time_s, REAL)};
#undef FIELD
    return dcpn_find_field(fields, COUNT_OF(fields), field, intervals, value);
}

int dcpn_intervals_get_of(const dcpn_intervals *intervals, int64_t interval, const char *field, dcpn_value *value)
{
#define FIELD(NAME, TYPE) {#NAME, TYPE, offsetof(dcpn_interval, NAME)}
    static const struct field fields[] = {FIELD(feature, COUNT),  FIELD(estimate, REAL), FIELD(error, REAL),
                                          FIELD(low, REAL),       FIELD(high, REAL),     FIELD(statistic, REAL),
                                          FIELD(p_value, REAL),   FIELD(beside, COUNT)};
#undef FIELD
    int is_there = intervals && interval >= 0 && interval < intervals->count;
    return dcpn_find_field(fields, COUNT_OF(fields), field, is_there ? &intervals->of[interval] : NULL, value);
}

/* ---- factors ---- */

int dcpn_factors_get(const dcpn_factors *factors, const char *field, dcpn_value *value)
{
#define FIELD(NAME, TYPE) {#NAME, TYPE, offsetof(dcpn_factors, NAME)}
    static const struct field fields[] = {FIELD(count, COUNT),
                                          FIELD(length, COUNT),
                                          FIELD(atoms, COUNT),
                                          FIELD(of_columns, WHOLE),
                                          FIELD(nonnegative_codes, WHOLE),
                                          FIELD(nonnegative_atoms, WHOLE),
                                          FIELD(objective, REAL),
                                          FIELD(loss_value, REAL),
                                          FIELD(penalty_value, REAL),
                                          {"codes_violation", REAL, offsetof(dcpn_factors, codes_end.violation)},
                                          {"codes_goal", REAL, offsetof(dcpn_factors, codes_end.goal)},
                                          {"atoms_violation", REAL, offsetof(dcpn_factors, atoms_end.violation)},
                                          {"atoms_goal", REAL, offsetof(dcpn_factors, atoms_end.goal)},
                                          FIELD(unexplained, REAL),
                                          FIELD(iterations, COUNT),
                                          FIELD(outcome, WHOLE),
                                          FIELD(time_s, REAL),
                                          {"penalty", TEXT, offsetof(dcpn_factors, penalty.name)}};
#undef FIELD
    return dcpn_find_field(fields, COUNT_OF(fields), field, factors, value);
}

const double *dcpn_factors_atoms(const dcpn_factors *factors)
{
    return factors ? factors->atom : NULL;
}

int64_t dcpn_factors_code(const dcpn_factors *factors, int64_t code, const int64_t **index, const double **value)
{
    if (!factors || code < 0 || code >= factors->count) return 0;
    const int64_t *first = factors->codes.first + code;
    if (index) *index = factors->codes.index + *first;
    if (value) *value = factors->codes.value + *first;
    return first[1] - first[0];
}
