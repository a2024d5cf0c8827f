/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields of results, paths and cross-validations by their names. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/context.h"
#include "base/vector.h"
#include "dcpn/handles.h"
#include "model/fields.h"

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
    return dcpn_find_field(fields, COUNT_OF(fields), field, result, value);
}

double dcpn_result_number(const dcpn_result *result, const char *field)
{
    dcpn_value value;
    return dcpn_result_get(result, field, &value) && value.kind != DCPN_KIND_CHOICE ? value.real : (double)NAN;
}

const char *dcpn_result_text(const dcpn_result *result, const char *field)
{
    dcpn_value value;
    return dcpn_result_get(result, field, &value) ? value.text : NULL;
}

dcpn_outcome dcpn_result_outcome(const dcpn_result *result)
{
    return result ? result->outcome : DCPN_NOT_RUN;
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
    static const struct field fields[] = {FIELD(rows, COUNT),
                                          FIELD(features, COUNT),
                                          FIELD(scores, COUNT),
                                          {"loss", TEXT, offsetof(dcpn_paths, settings.loss)},
                                          FIELD(weight, REAL),
                                          FIELD(null_deviance, REAL),
                                          FIELD(time_s, REAL)};
#undef FIELD
    if (paths && field && value && strcmp(field, "intercepts") == 0) {
        *value = (dcpn_value){.kind = DCPN_KIND_COUNT};
        value->count = dcpn_intercept_count(paths->scores, &paths->labels);
        value->real = (double)value->count;
        return 1;
    }
    return dcpn_find_field(fields, COUNT_OF(fields), field, paths, value);
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
                                          FIELD(shape_unit, REAL),
                                          FIELD(kind, WHOLE),
                                          FIELD(end, WHOLE)};
#undef FIELD
    return dcpn_find_field(fields, COUNT_OF(fields), field, path_at(paths, path), value);
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
                                          FIELD(brier, REAL),  FIELD(convexity, REAL), FIELD(groups, COUNT),
                                          FIELD(is_locally_convex, WHOLE)};
#undef FIELD
    const dcpn_path_point *at = point_at(paths, path, point);
    return dcpn_find_field(fields, COUNT_OF(fields), field, at, value) ||
           dcpn_result_get(at ? &at->fit : NULL, field, value);
}

double dcpn_paths_number(const dcpn_paths *paths, int64_t path, int64_t point, const char *field)
{
    dcpn_value value;
    int is_there = dcpn_paths_get_of_point(paths, path, point, field, &value);
    return is_there && value.kind != DCPN_KIND_CHOICE ? value.real : (double)NAN;
}

const double *dcpn_paths_intercepts(const dcpn_paths *paths, int64_t path)
{
    const dcpn_path *at = path_at(paths, path);
    return at ? at->intercepts : NULL;
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
