/* SPDX-License-Identifier: BSD-3-Clause */
/* A fitted model: sparse coefficients, what they were fitted with, and how the fit ended. */
#ifndef DCPN_MODEL_H
#define DCPN_MODEL_H

#include "solver.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dcpn_model {
    dcpn_context *context;
    dcpn_settings settings; /* texts owned by the model */
    int64_t features, nonzeros;
    int index_base; /* added to index when the model is written: the numbers of the input file */
    int64_t scores; /* of a row: 1, or one for each of many classes */
    int64_t *index; /* of the non-zero coefficients, ascending; k features + j is feature j of score k, both from 0 */
    double *value;
    double intercept;   /* of the first score */
    double *intercepts; /* of each score; NULL: there is one */
    double shape_unit; /* in which the settings give theta, a or gamma (dcpn_raw_shape); 0: they are raw */
    int64_t class_count; /* 0: a regression loss */
    double *classes;     /* with one score the negative class, then the positive one; else one for each score, ascending */
    char **class_names;  /* of the classes, if they are texts (classes is then 0, 1, ...); NULL: they are numbers */
    char **names;       /* of the features in index, where the data have names; NULL: none. One block of memory each */
    char *label_name;   /* of the labels' column; NULL: not known */
    double *fill;       /* what the features in index count as where they are missing; NULL: they must not be */
    dcpn_category *categories; /* columns of categories in the data it was fitted to, and their levels; NULL: none */
    int64_t category_count;
    dcpn_groups *groups; /* of features, as the penalty had them; NULL: none, or not known */
    int has_offset;     /* had rows of the fit an offset other than 0? Other rows then want one, too */
    int64_t rows;       /* of the data it was fitted to */
    dcpn_result fit;
    int threads;
    double read_s;
    const char **command; /* the words of the command line that made it; NULL: not known. One block, texts included */
    int64_t command_length;
    char *texts; /* the memory behind the texts of settings and fit */
} dcpn_model;

DCPN_API dcpn_status dcpn_model_new(const dcpn_solver *solver, int index_base, dcpn_model **model);
DCPN_API void dcpn_model_free(dcpn_model *model);
/* A model of coefficients that come from elsewhere: `settings` (NULL: the defaults) say its loss and penalty, and the point
 * was never fitted (DCPN_NOT_RUN). index ascends from 0, below `features`. classes, the negative one first, are wanted by a
 * loss for classes, and must be NULL for others. */
DCPN_API dcpn_status dcpn_model_from_arrays(dcpn_context *context, const dcpn_settings *settings, int64_t features,
                                            int64_t count, const int64_t *index, const double *value, double intercept,
                                            const double *classes, dcpn_model **model);
/* Takes over from the data it was fitted to what the features, the labels' column and the classes are called, and what
 * missing values count as. */
DCPN_API dcpn_status dcpn_model_set_names(dcpn_model *model, const dcpn_dataset *data);

/* Keeps a copy of the groups of the problem that it was fitted to; NULL: there were none. */
DCPN_API dcpn_status dcpn_model_set_groups(dcpn_model *model, const dcpn_groups *groups);

/* Keeps a copy of the words, for the file. */
DCPN_API dcpn_status dcpn_model_set_command(dcpn_model *model, const char *const *words, int64_t count);

/* JSON; the file appears complete or not at all. "-" is standard output or input. A model with a loss or penalty of
 * one's own is refused: the file could not say what it means. */
DCPN_API dcpn_status dcpn_model_write(const dcpn_model *model, const char *path);
/* The text that dcpn_model_write writes, to be freed with dcpn_free; dcpn_results_parse reads it. */
DCPN_API dcpn_status dcpn_model_json(const dcpn_model *model, char **text);
DCPN_API dcpn_status dcpn_model_read(dcpn_context *context, const char *path, dcpn_model **model);
/* Which of the many models in a file of paths or of a cross-validation. */
typedef struct dcpn_selection {
    /* "min" or "1se": what the cross-validation chose, on the path of the penalty and the value if these are given; NULL:
     * the rule that its file names */
    const char *rule;
    int has_lambda, has_value;
    double lambda;       /* between two lambdas: interpolated if F is convex, else the nearer one; within six digits of
                          * one of the path, as tables print it: that one */
    const char *penalty; /* of the path; NULL: any */
    double value;        /* of theta, a or gamma, if it varies from path to path */
} dcpn_selection;
/* Reads a model from any of the three kinds of files; dcpn_model_read is this one with nothing selected. */
DCPN_API dcpn_status dcpn_model_read_at(dcpn_context *context, const char *path, const dcpn_selection *selection,
                                        dcpn_model **model);
/* The text format of LIBLINEAR, which dcpn_model_read reads too: coefficients and labels, nothing of the fit. Labels
 * that are no whole numbers are refused. */
DCPN_API dcpn_status dcpn_model_write_liblinear(const dcpn_model *model, const char *path);
/* The `fit` object of the model as one line of JSON, to be freed with dcpn_free. */
DCPN_API dcpn_status dcpn_model_fit_json(const dcpn_model *model, char **text);

/* How many features are in use: with one score a row as many as coefficients. */
DCPN_API int64_t dcpn_model_count_features(const dcpn_model *model);
/* Features that its data lacked: their coefficients are 0. */
DCPN_API dcpn_status dcpn_model_widen(dcpn_model *model, int64_t features);

/* score_i = intercept + a_i'x (+ offset_i; offset may be NULL). Columns beyond the model's features are refused. Of several
 * scores a row, those of the first class come first, then those of the second, and so on: model->scores numbers a row. */
DCPN_API dcpn_status dcpn_model_scores(const dcpn_model *model, const dcpn_matrix *A, const double *offset,
                                       double *scores);
/* The class of a score; the score itself for a regression loss. NaN: the model has several scores a row. */
DCPN_API double dcpn_model_label(const dcpn_model *model, double score);
/* The labels of many rows, from all their scores: the class of the largest one. */
DCPN_API dcpn_status dcpn_model_labels(const dcpn_model *model, const double *scores, int64_t rows, double *labels);
/* How good scores are on rows with known labels; NaN: not defined, or not of this kind of model. */
typedef struct dcpn_quality {
    int64_t rows;         /* with a label */
    int64_t stranger;     /* the first row whose label is none of the classes: nothing is measured then; -1: none */
    double accuracy, auc; /* of classes; a tie counts half; auc is of two */
    double deviance;      /* of many classes: twice the mean of -log p of their own */
    double mse, r2;       /* of numbers */
} dcpn_quality;
/* A row whose label is NaN has none; so has one with a 0 where a fit would take it for none (problem.h). Labels are the
 * numbers of the model's classes: dcpn_dataset_match_classes makes them so where classes have names. */
DCPN_API dcpn_status dcpn_model_quality(const dcpn_model *model, const double *labels, const double *scores,
                                        int64_t rows, dcpn_quality *quality);
/* How many rows are of each class, and how many of them are called so: room for a number for each class. */
DCPN_API dcpn_status dcpn_model_count_right(const dcpn_model *model, const double *labels, const double *scores,
                                            int64_t rows, int64_t *of_class, int64_t *right);
/* Probability of the positive class; fails where the loss has none. */
DCPN_API dcpn_status dcpn_model_probability(const dcpn_model *model, double score, double *probability);
/* Probabilities of many scores; both arrays may be one. Where a row has several scores, they are those of all classes,
 * numbered likewise. */
DCPN_API dcpn_status dcpn_model_probabilities(const dcpn_model *model, const double *scores, int64_t rows,
                                              double *probabilities);

#ifdef __cplusplus
}
#endif
#endif
