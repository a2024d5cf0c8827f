/* SPDX-License-Identifier: BSD-3-Clause */
/* What settings, options, results, models and data sets hold, by name, so that no program depends on the layout of a
 * struct that may grow: one that was compiled with these headers goes on with later versions of the library. What
 * layouts remain in the other headers are those of what a program hands over, and of what never grows;
 * tests/abi/table.txt has recorded all of them. */
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

/* Settings with the defaults of a fit or, with for_paths, those that `dcpn path` and `dcpn cv` start with, as is usual
 * where lambda is chosen from the data: an intercept, columns on one scale, and a lambda that does not depend on the
 * number of rows. The setters check kind and range and copy texts; those that a model has are not set. Settings are
 * named like options, for example "max-iter". */
DCPN_API dcpn_status dcpn_settings_new(dcpn_context *context, int for_paths, dcpn_settings **settings);
DCPN_API void dcpn_settings_free(dcpn_settings *settings);
DCPN_API dcpn_status dcpn_settings_set_real(dcpn_settings *settings, const char *option, double value);
DCPN_API dcpn_status dcpn_settings_set_count(dcpn_settings *settings, const char *option, int64_t value);
DCPN_API dcpn_status dcpn_settings_set_choice(dcpn_settings *settings, const char *option, const char *word);
/* Sets what a text says of a setting of any kind: "500", "mcp". */
DCPN_API dcpn_status dcpn_settings_set_text(dcpn_settings *settings, const char *option, const char *text);
/* Several at once: "loss=squared penalty=mcp lambda=0.5", separated by blanks. Those before a wrong one are set. */
DCPN_API dcpn_status dcpn_settings_set_all(dcpn_settings *settings, const char *words);
/* Reads a setting. 0: there is no such setting. */
DCPN_API int dcpn_settings_get(const dcpn_settings *settings, const char *option, dcpn_value *value);

/* A field of a result by its name; 0: there is no such field. Real: "objective", F = "loss_value" (f, the ridge term
 * included) + "penalty_value" (h), computed afresh from the final x; "stationarity", max_j |smallest element of grad_j
 * f + dh1_j - dh2_j|, and "stationarity_goal", what it was compared with; "passes", entries of A touched / (2 entries
 * of A); "time_s". Counts: "outcome"; "nonzeros", the intercept aside; "escape", the coefficients of which a move, of
 * that one alone, lowers F for certain, by a bound on the curvature of the loss (-1: not known); "untried", the starts
 * and moves of the search that its budget left out; "iterations", "inner_iterations", "line_search_trials";
 * "safeguards", times the metric had to be kept positive definite by other means than its formula. Texts, what was
 * used, also where the setting was auto: "algorithm", "metric", "subsolver". */
DCPN_API int dcpn_result_get(const dcpn_result *result, const char *field, dcpn_value *value);
/* The same as a number; NaN: there is no such field, or it is a text. */
DCPN_API double dcpn_result_number(const dcpn_result *result, const char *field);
DCPN_API const char *dcpn_result_text(const dcpn_result *result, const char *field); /* NULL: no such text */
DCPN_API dcpn_outcome dcpn_result_outcome(const dcpn_result *result);

/* The number of paths, and the number of points of one of them. */
DCPN_API int64_t dcpn_paths_count(const dcpn_paths *paths);
DCPN_API int64_t dcpn_paths_points(const dcpn_paths *paths, int64_t path);
/* Fields by their names. All paths together have "rows", "features", "scores", "intercepts", "loss", "weight",
 * "null_deviance" (of the intercept and the offset alone) and "time_s". A path has "penalty", "kind" and "end"
 * (enumerations of path.h), "varying" and its "value", "shape_unit" (dcpn_raw_shape) and "lambda_max". A point has
 * "lambda", "intercept", "deviance" (2 times the weighted sum of the losses), "brier", "is_locally_convex" (1, 0, or
 * -1: not known) and "convexity", its margin, "groups" in use, and the fields of its result. 0: there is no such path,
 * point or field. */
DCPN_API int dcpn_paths_get(const dcpn_paths *paths, const char *field, dcpn_value *value);
DCPN_API int dcpn_paths_get_of_path(const dcpn_paths *paths, int64_t path, const char *field, dcpn_value *value);
DCPN_API int dcpn_paths_get_of_point(const dcpn_paths *paths, int64_t path, int64_t point, const char *field,
                                     dcpn_value *value);
/* A field of a point as a number; NaN: there is none. */
DCPN_API double dcpn_paths_number(const dcpn_paths *paths, int64_t path, int64_t point, const char *field);
/* Where there are several intercepts ("intercepts" of the paths): those of each point, one point after another; NULL:
 * there is one. */
DCPN_API const double *dcpn_paths_intercepts(const dcpn_paths *paths, int64_t path);
/* The coefficients of a path as a compressed matrix by columns, features x points. `pointers` has room for points +
 * 1 numbers. `indices` and `values` have room for as many as the last pointer says; they may be NULL in a first call
 * that asks for the pointers alone. */
DCPN_API dcpn_status dcpn_paths_csc(const dcpn_paths *paths, int64_t path, int64_t *pointers, int64_t *indices,
                                    double *values);

/* "folds", of all repeats, and "folds_done"; "seed"; "is_complete", 0: ended early, and at least two folds done choose;
 * "compares"; "measure" and "rule", the names of those that choose; "time_s". 0: there is no such field. */
DCPN_API int dcpn_cv_get(const dcpn_cv *cv, const char *field, dcpn_value *value);
DCPN_API const dcpn_paths *dcpn_cv_paths(const dcpn_cv *cv);
/* The point that a rule chose: "min", "1se" or the rule of the cross-validation, which NULL stands for. Returns 0 if
 * none was chosen. */
DCPN_API int dcpn_cv_chosen(const dcpn_cv *cv, const char *rule, int64_t *path, int64_t *point, double *mean,
                            double *se);
/* The mean over the folds, at a point, of the measure that chooses, and its standard error. Returns 0 if there is no
 * such point. */
DCPN_API int dcpn_cv_at(const dcpn_cv *cv, int64_t path, int64_t point, double *mean, double *se);

/* The best point of one path, by the rule "min" or "1se"; -1: there is none. */
DCPN_API int64_t dcpn_cv_best(const dcpn_cv *cv, int64_t path, const char *rule);
/* How often each feature is selected, at any lambda down to the chosen one, when only a share of the rows is seen. 0:
 * there was no stability selection, or there is no such field: "subsamples", "share", "threshold"; "path" and "points",
 * the lambdas of it that were fitted; "mean_selected"; "bound" of the wrong ones among the stable, in expectation, and
 * "sharper_bound", by "pairs" of subsamples that share no row (docs/choosing.md); "count" of features selected at least
 * once; "unconverged" fits; "groups" of the problem. */
DCPN_API int dcpn_cv_stability_get(const dcpn_cv *cv, const char *field, dcpn_value *value);
/* How many features were selected at least once, which, and how often. */
DCPN_API int64_t dcpn_cv_selected(const dcpn_cv *cv, const int64_t **index, const double **frequency);
/* The share of the subsamples in which any feature of each group is selected; NULL: there are no groups. */
DCPN_API const double *dcpn_cv_stability_of_groups(const dcpn_cv *cv);
/* What the fits without its fold say of each row, of repeated folds the first: the number of rows; the fold of each,
 * -1: none, since its label is not known; its label, of two classes -1 or 1, of many their position from 0; its weight.
 * 0: nothing was chosen, or the file has none. */
DCPN_API int64_t dcpn_cv_held_out(const dcpn_cv *cv, const int64_t **fold, const double **label, const double **weight);
/* The scores of these rows at the point that a rule chose (NULL: that of the cross-validation), with intercept and
 * offset; NaN in rows of no fold. Of many classes the position of the one that is predicted. */
DCPN_API const double *dcpn_cv_held_out_scores(const dcpn_cv *cv, const char *rule);

/* Options of paths and of cross-validations, each at its default, which 0 stands for, too. dcpn_cv_options_path hands
 * them to dcpn_paths_fit. The setters check names and kinds, and copy texts and arrays. Flags are counts.
 *
 * Of paths:
 * "lambdas"          reals, descending; else a grid of "lambda_count" (count, 100) from lambda_max down
 * "min_ratio"        least lambda / lambda_max; 0: 1e-4 if there are more rows than features, else 1e-2, of K > 2
 *                    classes 2e-2 / K
 * "penalties"        texts: several, instead of that of the settings
 * "values"           reals: of theta, a or gamma, whichever the penalty has (one of your own: its `parameters`),
 *                    instead of that of the settings; taken in descending order, from the convex end
 * "is_twofold"       a penalty that is not convex has two paths: plain descents, and behind it the one on which lower
 *                    ends are searched for. Only where the setting `global` is auto
 * "is_by_size"       one path more: of each number of features the best model among those of the other paths, refitted
 *                    without the penalty. Not with latent groups or trees, bounds or rows without a label
 * "features_kept"    up to so many the sets of is_by_size are searched for better ones; 0: not
 * "path_most_features" a path ends after a point with more of them, with four times as many where the penalty is convex
 * "least_noise"      a path ends after a lambda below so many standard deviations of the slope along a feature of noise
 *                    alone, half as many where the penalty is convex. Only of standardised columns, one score a row
 * "saturation"       a path ends after a deviance explained above this; 0: 0.999; 1 or more: never
 * "convexity_limit"  features in use up to which local convexity is looked at; 0: 200; negative: never
 * "checkpoint"       text: the finished fits are saved to this file every "checkpoint_every_s" seconds, and at an early
 *                    end; fits of folds and subsamples are among them
 * "resume"           text: goes on from such a file, and ends with the bytes that the work would have ended with: the
 *                    same version, problem, settings and options, but for limits, or it is refused
 *
 * Of cross-validations:
 * "folds"            0: 10, or as many as rows with a label; "repeats": how many times they are drawn; 0: once
 * "fold_of"          counts: of each row, from 0 to folds - 1, each of them used; without a label: any
 * "seed"             of the folds and the subsamples; "is_unstratified": drawn without regard to the classes
 * "measure"          that chooses; "deviance"
 * "rule"             dcpn_cv_rule_at names them, dcpn_cv_rule_meaning explains them; else "1se", of a comparison
 *                    "sized" with the loss logistic, "earned" with squared, either unless the folds tell that "convex"
 *                    predicts better, "paired" with others, "convex" of two classes in very few rows, and "min" if it
 *                    relaxes
 * "most_features"    of what a criterion may choose; 0: n / (log d log log n)
 * "compares"         instead of one penalty, a few of them and of their shapes: l1, and mcp with gamma 3 and 1.5 in
 *                    units of the problem, by plain descents and by search, and the best model of each number of
 *                    features, refitted. A few options that are not set are set to go with that, and to a loss of
 *                    classes a ridge. With groups l1 and mcp are compared as they are
 * "relaxes"          the choice is among models of which the features are refitted without the penalty (is_by_size)
 * "subsamples"       of the stability selection, 0: none; "share" of the rows in each, 0.5; "threshold", the share of
 *                    them from which on a feature is stable, 0.75
 * "patience"         the path of a fold ends when the measure has been clearly worse than its best for so many lambdas
 *                    in a row; 0: a fifth of the grid, and never where lambdas are given; negative: never */
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

/* "features"; "nonzeros"; "scores" of a row: 1, or one for each of many classes; "intercepts", one for each score, or
 * for each boundary between ordered classes; "classes", 0: labels are numbers;
 * "rows" of the data it was fitted to; "index_base", of the file; "has_offset": had rows of the fit one other than 0?
 * Other rows then want one, too; "intercept"; "shape_unit" (dcpn_raw_shape); "label_name"; and the fields of the
 * result. 0: there is no such field. */
DCPN_API int dcpn_model_get(const dcpn_model *model, const char *field, dcpn_value *value);
/* The same as a number; NaN: there is no such field, or it is a text. */
DCPN_API double dcpn_model_number(const dcpn_model *model, const char *field);
DCPN_API const dcpn_settings *dcpn_model_settings(const dcpn_model *model);
/* The coefficients that are not 0, as the model has them: how many, and where they and their positions are, ascending:
 * k features + j is feature j of score k, both from 0. */
DCPN_API int64_t dcpn_model_coefficients(const dcpn_model *model, const int64_t **index, const double **value);
DCPN_API const double *dcpn_model_intercepts(const dcpn_model *model);
/* Class number k: its number, and its name, NULL where it has none. 0: there is no such class. */
DCPN_API int dcpn_model_class(const dcpn_model *model, int64_t k, double *number, const char **name);
/* The name of the feature of coefficient number k; NULL: it has none. */
DCPN_API const char *dcpn_model_name(const dcpn_model *model, int64_t k);

/* "rows", "features"; "index_base": 0 or 1, the number the file gives to the first feature; "label_count" of labels
 * that are texts; "label_name", "id_name"; "format", that it was read from. 0: there is no such field. */
DCPN_API int dcpn_dataset_get(const dcpn_dataset *data, const char *field, dcpn_value *value);
/* The same as a number; NaN: there is no such field, or it is a text. */
DCPN_API double dcpn_dataset_number(const dcpn_dataset *data, const char *field);
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
