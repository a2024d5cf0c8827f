/* SPDX-License-Identifier: BSD-3-Clause */
/* For bindings: settings and results by name, so that no program depends on the layout of a struct that may grow. */
#ifndef DCPN_HANDLES_H
#define DCPN_HANDLES_H

#include "cv.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A number or a text. Flags and outcomes are counts, and a count is given as `real`, too. */
typedef struct dcpn_value {
    dcpn_setting_kind kind;
    double real;
    int64_t count;
    const char *text; /* of a choice; it belongs to what was asked */
} dcpn_value;

/* Settings that the library allocates, with the defaults of a fit or, with for_paths, of paths. They can be passed
 * wherever a `const dcpn_settings *` is expected. The setters below take only such settings; they check kind and
 * range and copy texts. Settings are named like options, for example "max-iter". */
DCPN_API dcpn_status dcpn_settings_new(dcpn_context *context, int for_paths, dcpn_settings **settings);
DCPN_API void dcpn_settings_free(dcpn_settings *settings);
DCPN_API dcpn_status dcpn_settings_set_real(dcpn_settings *settings, const char *option, double value);
DCPN_API dcpn_status dcpn_settings_set_count(dcpn_settings *settings, const char *option, int64_t value);
DCPN_API dcpn_status dcpn_settings_set_choice(dcpn_settings *settings, const char *option, const char *word);
/* Reads a setting of any settings. 0: there is no such setting. */
DCPN_API int dcpn_settings_get(const dcpn_settings *settings, const char *option, dcpn_value *value);

/* A field of dcpn_result by its name, "objective". 0: there is no such field. */
DCPN_API int dcpn_result_get(const dcpn_result *result, const char *field, dcpn_value *value);

/* The number of paths, and the number of points of one of them. */
DCPN_API int64_t dcpn_paths_count(const dcpn_paths *paths);
DCPN_API int64_t dcpn_paths_points(const dcpn_paths *paths, int64_t path);
/* Fields by their names. All paths together have "rows", "features", "weight", "null_deviance" and "time_s"; a path has
 * "penalty", "varying", "value", "lambda_max" and "end"; a point has "lambda", "intercept", "deviance", "convexity" and
 * the fields of its result. 0: there is no such path, point or field. */
DCPN_API int dcpn_paths_get(const dcpn_paths *paths, const char *field, dcpn_value *value);
DCPN_API int dcpn_paths_get_of_path(const dcpn_paths *paths, int64_t path, const char *field, dcpn_value *value);
DCPN_API int dcpn_paths_get_of_point(const dcpn_paths *paths, int64_t path, int64_t point, const char *field,
                                     dcpn_value *value);
/* The coefficients of a path as a compressed matrix by columns, features x points. `pointers` has room for points +
 * 1 numbers. `indices` and `values` have room for as many as the last pointer says; they may be NULL in a first call
 * that asks for the pointers alone. */
DCPN_API dcpn_status dcpn_paths_csc(const dcpn_paths *paths, int64_t path, int64_t *pointers, int64_t *indices,
                                    double *values);

/* "folds", "seed", "is_complete", "compares", "measure" and "rule" (their names), "time_s". 0: there is no such
 * field. */
DCPN_API int dcpn_cv_get(const dcpn_cv *cv, const char *field, dcpn_value *value);
DCPN_API const dcpn_paths *dcpn_cv_paths(const dcpn_cv *cv);
/* The point that a rule chose: "min", "1se" or the rule of the cross-validation, which NULL stands for. Returns 0 if
 * none was chosen. */
DCPN_API int dcpn_cv_chosen(const dcpn_cv *cv, const char *rule, int64_t *path, int64_t *point, double *mean,
                            double *se);
/* The mean over the folds, at a point, of the measure that chooses, and its standard error. Returns 0 if there is no
 * such point. */
DCPN_API int dcpn_cv_at(const dcpn_cv *cv, int64_t path, int64_t point, double *mean, double *se);

#ifdef __cplusplus
}
#endif
#endif
