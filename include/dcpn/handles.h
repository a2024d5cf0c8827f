/* SPDX-License-Identifier: BSD-3-Clause */
/* For bindings: settings and results by name, so that no program depends on the layout of a struct, which grows. */
#ifndef DCPN_HANDLES_H
#define DCPN_HANDLES_H

#include "cv.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One number or text. Flags and outcomes are counts; a count is also given as `real`. */
typedef struct dcpn_value {
    dcpn_setting_kind kind;
    double real;
    int64_t count;
    const char *text; /* of a choice; it belongs to what was asked */
} dcpn_value;

/* Settings that the library keeps, with the defaults of a fit or, for_paths, of paths. They go wherever a
 * `const dcpn_settings *` does. The functions that set take only these, check kind and range, and copy texts; settings are
 * named like options, "max-iter". */
DCPN_API dcpn_status dcpn_settings_new(dcpn_context *context, int for_paths, dcpn_settings **settings);
DCPN_API void dcpn_settings_free(dcpn_settings *settings);
DCPN_API dcpn_status dcpn_settings_set_real(dcpn_settings *settings, const char *option, double value);
DCPN_API dcpn_status dcpn_settings_set_count(dcpn_settings *settings, const char *option, int64_t value);
DCPN_API dcpn_status dcpn_settings_set_choice(dcpn_settings *settings, const char *option, const char *word);
/* Reads a setting of any settings. 0: there is no such setting. */
DCPN_API int dcpn_settings_get(const dcpn_settings *settings, const char *option, dcpn_value *value);

/* A field of dcpn_result by its name, "objective". 0: there is no such field. */
DCPN_API int dcpn_result_get(const dcpn_result *result, const char *field, dcpn_value *value);

/* How many paths there are, and how many points one of them has. */
DCPN_API int64_t dcpn_paths_count(const dcpn_paths *paths);
DCPN_API int64_t dcpn_paths_points(const dcpn_paths *paths, int64_t path);
/* Of all paths: "rows", "features", "weight", "null_deviance", "time_s". Of a path: "penalty", "varying", "value",
 * "lambda_max", "end". Of a point: "lambda", "intercept", "deviance", "convexity" and the fields of its result. 0: there is no
 * such path, point or field. */
DCPN_API int dcpn_paths_get(const dcpn_paths *paths, const char *field, dcpn_value *value);
DCPN_API int dcpn_paths_get_of_path(const dcpn_paths *paths, int64_t path, const char *field, dcpn_value *value);
DCPN_API int dcpn_paths_get_of_point(const dcpn_paths *paths, int64_t path, int64_t point, const char *field,
                                     dcpn_value *value);
/* The coefficients of a path as a matrix by columns, features x points: `pointers` has room for points + 1 numbers, `indices`
 * and `values` for as many as the last pointer says, and may be NULL to ask for the pointers first. */
DCPN_API dcpn_status dcpn_paths_csc(const dcpn_paths *paths, int64_t path, int64_t *pointers, int64_t *indices,
                                    double *values);

/* "folds", "seed", "is_complete", "compares", "measure" and "rule" (their names), "time_s". 0: there is no such field. */
DCPN_API int dcpn_cv_get(const dcpn_cv *cv, const char *field, dcpn_value *value);
DCPN_API const dcpn_paths *dcpn_cv_paths(const dcpn_cv *cv);
/* The point that a rule chose: "min", "1se" or that of the cross-validation, which NULL stands for. 0: none was. */
DCPN_API int dcpn_cv_chosen(const dcpn_cv *cv, const char *rule, int64_t *path, int64_t *point, double *mean, double *se);
/* What the measure that chooses came to at a point, over the folds; 0: there is no such point. */
DCPN_API int dcpn_cv_at(const dcpn_cv *cv, int64_t path, int64_t point, double *mean, double *se);

#ifdef __cplusplus
}
#endif
#endif
