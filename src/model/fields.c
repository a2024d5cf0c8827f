/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields of results, paths and cross-validations by their names. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/context.h"
#include "base/vector.h"
#include "dcpn/handles.h"

enum field_type { REAL, COUNT, WHOLE, TEXT }; /* WHOLE: an int, flags and enumerations too */

struct field {
    const char *name;
    enum field_type type;
    size_t offset;
};

static int read_field(const struct field *field, const void *from, dcpn_value *value)
{
    const void *at = (const char *)from + field->offset;
    *value = (dcpn_value){.kind = DCPN_KIND_COUNT};
    switch (field->type) {
    case REAL:
        *value = (dcpn_value){.kind = DCPN_KIND_REAL, .real = *(const double *)at};
        return 1;
    case TEXT:
        *value = (dcpn_value){.kind = DCPN_KIND_CHOICE, .text = *(const char *const *)at};
        return 1;
    case COUNT:
        value->count = *(const int64_t *)at;
        break;
    case WHOLE:
        value->count = *(const int *)at;
        break;
    }
    value->real = (double)value->count;
    return 1;
}

static int find_field(const struct field *fields, size_t count, const char *name, const void *from, dcpn_value *value)
{
    if (!from || !name || !value) return 0;
    for (size_t k = 0; k < count; k++)
        if (strcmp(fields[k].name, name) == 0) return read_field(&fields[k], from, value);
    return 0;
}

#define COUNT_OF(ARRAY) (sizeof(ARRAY) / sizeof *(ARRAY))

int dcpn_result_get(const dcpn_result *result, const char *field, dcpn_value *value)
{
#define FIELD(NAME, TYPE)                                                                                              \
    {                                                                                                                  \
#NAME, TYPE, offsetof(dcpn_result, NAME)                                                                       \
    }
    static const struct field fields[] = {FIELD(outcome, WHOLE),
                                          FIELD(objective, REAL),
                                          FIELD(loss_value, REAL),
                                          FIELD(penalty_value, REAL),
                                          FIELD(stationarity, REAL),
                                          FIELD(stationarity_goal, REAL),
                                          FIELD(nonzeros, COUNT),
                                          FIELD(escape, COUNT),
                                          FIELD(untried, COUNT),
                                          FIELD(iterations, COUNT),
                                          FIELD(inner_iterations, COUNT),
                                          FIELD(line_search_trials, COUNT),
                                          FIELD(safeguards, COUNT),
                                          FIELD(passes, REAL),
                                          FIELD(time_s, REAL),
                                          FIELD(algorithm, TEXT),
                                          FIELD(metric, TEXT),
                                          FIELD(subsolver, TEXT)};
#undef FIELD
    return find_field(fields, COUNT_OF(fields), field, result, value);
}

/* ---- paths ---- */

int64_t dcpn_paths_count(const dcpn_paths *paths)
{
    return paths ? paths->count : 0;
}

static const dcpn_path *path_at(const dcpn_paths *paths, int64_t path)
{
    return paths && path >= 0 && path < paths->count ? &paths->paths[path] : NULL;
}

int64_t dcpn_paths_points(const dcpn_paths *paths, int64_t path)
{
    const dcpn_path *at = path_at(paths, path);
    return at ? at->count : 0;
}

int dcpn_paths_get(const dcpn_paths *paths, const char *field, dcpn_value *value)
{
#define FIELD(NAME, TYPE)                                                                                              \
    {                                                                                                                  \
#NAME, TYPE, offsetof(dcpn_paths, NAME)                                                                        \
    }
    static const struct field fields[] = {FIELD(rows, COUNT), FIELD(features, COUNT), FIELD(weight, REAL),
                                          FIELD(null_deviance, REAL), FIELD(time_s, REAL)};
#undef FIELD
    return find_field(fields, COUNT_OF(fields), field, paths, value);
}

int dcpn_paths_get_of_path(const dcpn_paths *paths, int64_t path, const char *field, dcpn_value *value)
{
#define FIELD(NAME, TYPE)                                                                                              \
    {                                                                                                                  \
#NAME, TYPE, offsetof(dcpn_path, NAME)                                                                         \
    }
    static const struct field fields[] = {{"penalty", TEXT, offsetof(dcpn_path, settings.penalty)},
                                          FIELD(varying, TEXT),
                                          FIELD(value, REAL),
                                          FIELD(lambda_max, REAL),
                                          FIELD(end, WHOLE)};
#undef FIELD
    return find_field(fields, COUNT_OF(fields), field, path_at(paths, path), value);
}

static const dcpn_path_point *point_at(const dcpn_paths *paths, int64_t path, int64_t point)
{
    const dcpn_path *at = path_at(paths, path);
    return at && point >= 0 && point < at->count ? &at->points[point] : NULL;
}

int dcpn_paths_get_of_point(const dcpn_paths *paths, int64_t path, int64_t point, const char *field, dcpn_value *value)
{
#define FIELD(NAME, TYPE)                                                                                              \
    {                                                                                                                  \
#NAME, TYPE, offsetof(dcpn_path_point, NAME)                                                                   \
    }
    static const struct field fields[] = {FIELD(lambda, REAL), FIELD(intercept, REAL), FIELD(deviance, REAL),
                                          FIELD(convexity, REAL)};
#undef FIELD
    const dcpn_path_point *at = point_at(paths, path, point);
    return find_field(fields, COUNT_OF(fields), field, at, value) ||
           dcpn_result_get(at ? &at->fit : NULL, field, value);
}

dcpn_status dcpn_paths_csc(const dcpn_paths *paths, int64_t path, int64_t *pointers, int64_t *indices, double *values)
{
    DCPN_NEED(NULL, paths);
    DCPN_NEED(paths->context, pointers);
    const dcpn_path *from = path_at(paths, path);
    if (!from) return dcpn_fail(paths->context, DCPN_USAGE, "paths: there is no path %lld", (long long)path);
    pointers[0] = 0;
    for (int64_t k = 0; k < from->count; k++) {
        int64_t count = from->points[k].fit.nonzeros, first = from->points[k].first;
        pointers[k + 1] = pointers[k] + count;
        for (int64_t i = 0; indices && i < count; i++) indices[pointers[k] + i] = from->index[first + i];
        if (values) dcpn_copy(count, from->value_of + first, values + pointers[k]);
    }
    return DCPN_OK;
}

/* ---- cross-validation ---- */

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
    return find_field(fields, COUNT_OF(fields), field, cv, value);
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
    if (!cv || !point_at(cv->paths, path, point)) return 0;
    int64_t at = (cv->first[path] + point) * DCPN_MEASURES + cv->measured.chooses;
    if (mean) *mean = cv->mean[at];
    if (se) *se = cv->se[at];
    return 1;
}
