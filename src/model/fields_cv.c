/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields of cross-validations by their names: what was chosen, the stability selection, the rows held out. */
#include <stddef.h>
#include <string.h>

#include "dcpn/handles.h"
#include "model/fields.h"

int dcpn_cv_get(const dcpn_cv *cv, const char *field, dcpn_value *value)
{
    static const struct field fields[] = {
        {"folds", COUNT, offsetof(dcpn_cv, folds)},       {"folds_done", COUNT, offsetof(dcpn_cv, ending.folds_done)},
        {"seed", COUNT, offsetof(dcpn_cv, draw.seed)},    {"is_complete", WHOLE, offsetof(dcpn_cv, ending.is_complete)},
        {"compares", WHOLE, offsetof(dcpn_cv, compares)}, {"time_s", REAL, offsetof(dcpn_cv, ending.time_s)},
    };
    if (cv && field && value && strcmp(field, "measure") == 0) {
        *value = (dcpn_value){.kind = DCPN_KIND_CHOICE, .text = cv->measured.names[cv->measured.chooses]};
        return 1;
    }
    if (cv && field && value && strcmp(field, "rule") == 0) {
        *value = (dcpn_value){.kind = DCPN_KIND_CHOICE, .text = cv->choice.rule};
        return 1;
    }
    return dcpn_find_field(fields, COUNT_OF(fields), field, cv, value);
}

const dcpn_paths *dcpn_cv_paths(const dcpn_cv *cv)
{
    return cv ? cv->paths : NULL;
}

int dcpn_cv_chosen(const dcpn_cv *cv, const char *rule, int64_t *path, int64_t *point, double *mean, double *se)
{
    const dcpn_cv_choice *choice = cv ? dcpn_cv_choice_by(cv, rule) : NULL;
    if (!choice) return 0;
    if (path) *path = choice->path;
    if (point) *point = choice->point;
    if (mean) *mean = choice->mean;
    if (se) *se = choice->se;
    return choice->path >= 0;
}

int dcpn_cv_at(const dcpn_cv *cv, int64_t path, int64_t point, double *mean, double *se)
{
    if (!cv || point < 0 || point >= dcpn_paths_points(cv->paths, path)) return 0;
    int64_t at = (cv->first[path] + point) * DCPN_MEASURES + cv->measured.chooses;
    if (mean) *mean = cv->mean[at];
    if (se) *se = cv->se[at];
    return 1;
}

int64_t dcpn_cv_best(const dcpn_cv *cv, int64_t path, const char *rule)
{
    if (!cv || !rule || path < 0 || path >= cv->paths->count) return -1;
    if (strcmp(rule, "min") == 0) return cv->best[path];
    return strcmp(rule, "1se") == 0 ? cv->one_se[path] : -1;
}

int dcpn_cv_stability_get(const dcpn_cv *cv, const char *field, dcpn_value *value)
{
#define FIELD(NAME, TYPE)                                                                                              \
    {                                                                                                                  \
#NAME, TYPE, offsetof(dcpn_stability, NAME)                                                                    \
    }
    static const struct field fields[] = {
        FIELD(subsamples, COUNT),   FIELD(share, REAL),  FIELD(threshold, REAL),    FIELD(path, COUNT),
        FIELD(points, COUNT),       FIELD(bound, REAL),  FIELD(mean_selected, REAL), FIELD(pairs, COUNT),
        FIELD(sharper_bound, REAL), FIELD(count, COUNT), FIELD(unconverged, COUNT), FIELD(groups, COUNT)};
#undef FIELD
    return dcpn_find_field(fields, COUNT_OF(fields), field, cv ? cv->stability : NULL, value);
}

int64_t dcpn_cv_selected(const dcpn_cv *cv, const int64_t **index, const double **frequency)
{
    if (!cv || !cv->stability) return 0;
    if (index) *index = cv->stability->index;
    if (frequency) *frequency = cv->stability->frequency;
    return cv->stability->count;
}

const double *dcpn_cv_stability_of_groups(const dcpn_cv *cv)
{
    return cv && cv->stability ? cv->stability->group_frequency : NULL;
}

int64_t dcpn_cv_held_out(const dcpn_cv *cv, const int64_t **fold, const double **label, const double **weight)
{
    const dcpn_held_out *held = cv ? cv->held_out : NULL;
    if (!held) return 0;
    if (fold) *fold = held->fold;
    if (label) *label = held->label;
    if (weight) *weight = held->weight;
    return held->rows;
}

const double *dcpn_cv_held_out_scores(const dcpn_cv *cv, const char *rule)
{
    if (!cv || !cv->held_out) return NULL;
    if (!rule || strcmp(rule, cv->choice.rule) == 0) return cv->held_out->score[2];
    if (strcmp(rule, "min") == 0) return cv->held_out->score[0];
    return strcmp(rule, "1se") == 0 ? cv->held_out->score[1] : NULL;
}
