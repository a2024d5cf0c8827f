/* SPDX-License-Identifier: BSD-3-Clause */
/* For bindings: settings, options, models, data and results by name, so that no program depends on the layout of a
 * struct that may grow. Structs of the other headers may have more members in another version, those that the library
 * makes at their end; a program that keeps to functions of handles and numbers need not be compiled again for it, until
 * a function itself changes. tests/abi/table.txt has recorded all of them. */
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

/* Options of paths and of cross-validations that the library allocates, each at its default. They are named like the
 * members of dcpn_cv_options and of its `path`, whose most_features is "path_most_features". They can be passed
 * wherever a `const dcpn_cv_options *` is expected, and dcpn_cv_options_path where it is a `const dcpn_path_options *`.
 * The setters below take only such options; they check names and kinds, and copy texts and arrays. Flags are counts. */
DCPN_API dcpn_status dcpn_cv_options_new(dcpn_context *context, dcpn_cv_options **options);
DCPN_API void dcpn_cv_options_free(dcpn_cv_options *options);
DCPN_API dcpn_status dcpn_cv_options_set_real(dcpn_cv_options *options, const char *member, double value);
DCPN_API dcpn_status dcpn_cv_options_set_count(dcpn_cv_options *options, const char *member, int64_t value);
DCPN_API dcpn_status dcpn_cv_options_set_text(dcpn_cv_options *options, const char *member, const char *text);
/* Arrays with their lengths: of "lambdas" (which a lambda_count that is set later replaces by a grid) and "values", of
 * "fold_of", one for each row, and of "penalties". */
DCPN_API dcpn_status dcpn_cv_options_set_reals(dcpn_cv_options *options, const char *member, const double *values,
                                               int64_t count);
DCPN_API dcpn_status dcpn_cv_options_set_counts(dcpn_cv_options *options, const char *member, const int64_t *values,
                                                int64_t count);
DCPN_API dcpn_status dcpn_cv_options_set_texts(dcpn_cv_options *options, const char *member, const char *const *texts,
                                               int64_t count);
DCPN_API dcpn_status dcpn_cv_options_set_observer(dcpn_cv_options *options, dcpn_path_observer *observer, void *user);
DCPN_API const dcpn_path_options *dcpn_cv_options_path(const dcpn_cv_options *options);

/* "features", "nonzeros", "scores", "classes", "rows", "index_base", "has_offset", "intercept", "shape_unit",
 * "label_name", and the fields of the result. 0: there is no such field. */
DCPN_API int dcpn_model_get(const dcpn_model *model, const char *field, dcpn_value *value);
DCPN_API const dcpn_settings *dcpn_model_settings(const dcpn_model *model);
/* The coefficients that are not 0, as the model has them: how many, and where they and their positions are. */
DCPN_API int64_t dcpn_model_coefficients(const dcpn_model *model, const int64_t **index, const double **value);
DCPN_API const double *dcpn_model_intercepts(const dcpn_model *model); /* of each score */
/* Class number k: its number, and its name, NULL where it has none. 0: there is no such class. */
DCPN_API int dcpn_model_class(const dcpn_model *model, int64_t k, double *number, const char **name);
/* The name of the feature of coefficient number k; NULL: it has none. */
DCPN_API const char *dcpn_model_name(const dcpn_model *model, int64_t k);

/* "rows", "features", "index_base", "label_count", "label_name", "id_name", "format". 0: there is no such field. */
DCPN_API int dcpn_dataset_get(const dcpn_dataset *data, const char *field, dcpn_value *value);
DCPN_API const dcpn_matrix *dcpn_dataset_matrix(const dcpn_dataset *data);
DCPN_API const double *dcpn_dataset_labels(const dcpn_dataset *data); /* of each row */
/* Names; NULL: there is none. Labels that are texts are numbers from 0, which dcpn_dataset_label_text has texts of. */
DCPN_API const char *dcpn_dataset_feature_name(const dcpn_dataset *data, int64_t feature);
DCPN_API const char *dcpn_dataset_label_text(const dcpn_dataset *data, int64_t number);
DCPN_API const char *dcpn_dataset_row_name(const dcpn_dataset *data, int64_t row);
/* How many values of the feature were missing. */
DCPN_API int64_t dcpn_dataset_gaps(const dcpn_dataset *data, int64_t feature);

#ifdef __cplusplus
}
#endif
#endif
