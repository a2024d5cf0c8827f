/* SPDX-License-Identifier: BSD-3-Clause */
/* A fitted model: sparse coefficients, what they were fitted with, and how the fit ended. */
#ifndef DCPN_MODEL_H
#define DCPN_MODEL_H

#include "solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Read by names (handles.h). */
typedef struct dcpn_model dcpn_model;

DCPN_API dcpn_status dcpn_model_new(const dcpn_solver *solver, int index_base, dcpn_model **model);
DCPN_API void dcpn_model_free(dcpn_model *model);
/* A model of coefficients that come from elsewhere: `settings` (NULL: the defaults) say its loss and penalty, and the
 * point was never fitted (DCPN_NOT_RUN). index ascends from 0, below `features`. classes, the negative one first, are
 * wanted by a loss for classes, and must be NULL for others. */
DCPN_API dcpn_status dcpn_model_from_arrays(dcpn_context *context, const dcpn_settings *settings, int64_t features,
                                            int64_t count, const int64_t *index, const double *value, double intercept,
                                            const double *classes, dcpn_model **model);
/* Copies from the data that the model was fitted to the names of the features, of the column of labels and of the
 * classes, and the values that stand for missing ones. */
DCPN_API dcpn_status dcpn_model_set_names(dcpn_model *model, const dcpn_dataset *data);

/* Keeps a copy of the names of several responses; NULL: they have none. dcpn_model_set_names takes these away. */
DCPN_API dcpn_status dcpn_model_set_responses(dcpn_model *model, const char *const *names);

/* Keeps a copy of the groups of the problem that the model was fitted to; NULL: there were none. */
DCPN_API dcpn_status dcpn_model_set_groups(dcpn_model *model, const dcpn_groups *groups);

/* Keeps a copy of the words of the command line, which the file then names. */
DCPN_API dcpn_status dcpn_model_set_command(dcpn_model *model, const char *const *words, int64_t count);

/* Writes the model as JSON; the file appears complete or not at all, and "-" is standard output. A model with a loss
 * or penalty of your own is refused, because no file could say what it means. */
DCPN_API dcpn_status dcpn_model_write(const dcpn_model *model, const char *path);
/* Makes the text that dcpn_model_write writes and dcpn_results_parse reads. Free it with dcpn_free. */
DCPN_API dcpn_status dcpn_model_json(const dcpn_model *model, char **text);
DCPN_API dcpn_status dcpn_model_read(dcpn_context *context, const char *path, dcpn_model **model);
/* Says which of the models in a file of paths or of a cross-validation is meant. */
typedef struct dcpn_selection {
    /* "min" or "1se": what the cross-validation chose, on the path of the penalty and the value if these are given;
     * NULL: the rule that its file names */
    const char *rule;
    int has_lambda, has_value;
    double lambda;       /* between two lambdas: interpolated if F is convex, else the nearer one; within six digits of
                          * one of the path, as tables print it: that one */
    const char *penalty; /* of the path; NULL: any */
    double value;        /* of theta, a or gamma, if it varies from path to path */
} dcpn_selection;
/* Reads a model from any of the three kinds of files; dcpn_model_read does the same with nothing selected. */
DCPN_API dcpn_status dcpn_model_read_at(dcpn_context *context, const char *path, const dcpn_selection *selection,
                                        dcpn_model **model);
/* Writes the model file of LIBLINEAR, which dcpn_model_read reads too. It holds coefficients and labels, and nothing
 * of the fit. Labels that are not whole numbers are refused. */
DCPN_API dcpn_status dcpn_model_write_liblinear(const dcpn_model *model, const char *path);
/* Makes one line of JSON with the `fit` object of the model. Free it with dcpn_free. */
DCPN_API dcpn_status dcpn_model_fit_json(const dcpn_model *model, char **text);

/* The number of features in use. With one score a row it is the number of coefficients that are not 0. */
DCPN_API int64_t dcpn_model_count_features(const dcpn_model *model);
/* Makes the model one of more features, whose coefficients are 0. */
DCPN_API dcpn_status dcpn_model_widen(dcpn_model *model, int64_t features);

/* score_i = intercept + a_i'x (+ offset_i; offset may be NULL). Columns beyond the model's features are refused. Of
 * several scores a row, those of the first class come first, then those of the second, and so on: the field "scores"
 * says how many of a row. */
DCPN_API dcpn_status dcpn_model_scores(const dcpn_model *model, const dcpn_matrix *A, const double *offset,
                                       double *scores);
/* Likewise, with `count` offsets a row: 1, or one for each score, those of the first score of all rows first. */
DCPN_API dcpn_status dcpn_model_scores_from(const dcpn_model *model, const dcpn_matrix *A, int64_t count,
                                            const double *offsets, double *scores);
/* The class that a score stands for, or the response with a regression loss, the score itself of most. NaN: the scores
 * of a row stand for one class together. */
DCPN_API double dcpn_model_label(const dcpn_model *model, double score);
/* The labels of many rows from all their scores: with several scores a row the class of the largest one, but with
 * several responses a prediction for each score. */
DCPN_API dcpn_status dcpn_model_labels(const dcpn_model *model, const double *scores, int64_t rows, double *labels);
/* How well scores agree with known labels. NaN: the measure is not defined here, or not for this kind of model. */
typedef struct dcpn_quality {
    int64_t rows;         /* with a label */
    int64_t stranger;     /* the first row whose label is none of the classes: nothing is measured then; -1: none */
    double accuracy, auc; /* of classes; a tie counts half; auc is of two */
    double deviance;      /* of many classes: twice the mean of -log p of their own */
    double mse, r2;       /* of numbers */
} dcpn_quality;
/* With several responses, labels has those of the first one, then those of the second, and so on; mse and r2 are then
 * means over the responses. Rows without a label do not count: those with NaN, and those with 0 where a fit would take
 * it for a missing label (problem.h). Labels are the numbers of the classes of the model; if classes have names,
 * dcpn_dataset_match_classes makes them so. */
DCPN_API dcpn_status dcpn_model_quality(const dcpn_model *model, const double *labels, const double *scores,
                                        int64_t rows, dcpn_quality *quality);
/* Counts the rows of each class, and those among them that are predicted to be of it. Each array has room for one
 * number per class. */
DCPN_API dcpn_status dcpn_model_count_right(const dcpn_model *model, const double *labels, const double *scores,
                                            int64_t rows, int64_t *of_class, int64_t *right);
/* The probability of the positive class. It is refused if the loss has no probabilities. */
DCPN_API dcpn_status dcpn_model_probability(const dcpn_model *model, double score, double *probability);
/* The probabilities of many scores; the two arrays may be the same. With several scores a row they are those of all
 * classes, in the order of the scores. */
DCPN_API dcpn_status dcpn_model_probabilities(const dcpn_model *model, const double *scores, int64_t rows,
                                              double *probabilities);

#ifdef __cplusplus
}
#endif

#ifdef DCPN_LAYOUTS /* within the project */
#include "layout/model.h"
#endif
#endif
