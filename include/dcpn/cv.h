/* SPDX-License-Identifier: BSD-3-Clause */
/* Cross-validation and stability selection: which penalty, which lambda, which features. */
#ifndef DCPN_CV_H
#define DCPN_CV_H

#include "path.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { DCPN_MEASURES = 3 }; /* of one loss */

/* A member that is 0 stands for its default. */
typedef struct dcpn_cv_options {
    dcpn_path_options path;
    int64_t folds;          /* 0: 10, or as many as rows with a label */
    int64_t repeats;        /* how many times folds are drawn, which takes as many times as long; 0: once */
    const int64_t *fold_of; /* of each row, from 0 to folds - 1, each of them used; without a label: any; NULL: drawn */
    uint64_t seed;          /* of the folds and the subsamples */
    int is_unstratified;    /* folds are drawn without regard to the classes */
    const char *measure;    /* that chooses; NULL: "deviance" */
    /* "min" the best mean; "1se" the fewest features within a standard error of it; "paired" the fewest among the best
     * points of the paths that the folds, one by one, do not tell from the best of all; "earned" the least -2 log
     * likelihood of the rows held out + 2 features; "aic", "bic", "ebic" and "gic" the least of these criteria, which
     * do not look at the folds; "kept" the most features up to path.features_kept, which goes without saying where that
     * is set. NULL: "1se"; of a comparison "gic" with the loss logistic, unless the folds tell that it errs more often,
     * "earned" with squared, "paired" with others, and "min" if it relaxes or if gic could choose few features alone */
    const char *rule;
    int64_t most_features; /* of what a criterion may choose; 0: n / (log d log log n) */
    /* Instead of one penalty, a few of them and of their shapes: l1, and mcp with gamma 3 and 1.5 in units of the
     * problem, by plain descents and by search, and the best model of each number of features, refitted. A few things
     * among the options of the paths that are not set are set to go with that, and to a loss of classes a ridge. With
     * groups l1 and mcp are compared as they are; with rows without a label it is the penalty of the settings alone. */
    int compares;
    int relaxes; /* the choice is among models of which the features are refitted without the penalty
                  * (path.is_by_size) */
    int64_t subsamples; /* of the stability selection; 0: none is made */
    double share;       /* of the rows in a subsample; 0: 0.5 */
    double threshold;   /* share of the subsamples from which on a feature is stable; 0: 0.75 */
    /* The path of a fold ends when the measure has been clearly worse than its best for so many lambdas in a row; 0: a
     * fifth of the grid, and never where `lambdas` are given; negative: never. A point that not all folds reach has no
     * mean. */
    int64_t patience;
} dcpn_cv_options;

typedef struct dcpn_cv_choice {
    int64_t path, point; /* -1: nothing could be chosen */
    double mean, se;
} dcpn_cv_choice;

/* How often each feature is selected, at any lambda down to the chosen one, when only a share of the rows is seen. */
typedef struct dcpn_stability {
    int64_t subsamples;
    double share, threshold;
    int64_t path, points; /* what was fitted: the first `points` lambdas of this path */
    double mean_selected; /* q: of features, or where the problem has groups of groups and of features in none */
    double bound;  /* q^2 / ((2 threshold - 1) p): wrong ones among the stable, in expectation, at most; p: there are */
    int64_t pairs; /* of subsamples that share no row; 0: each is drawn by itself */
    double
        sharper_bound; /* by pairs (docs/choosing.md), of those that are selected no more often than q / p; NaN: not
                        * known */
    int64_t count;  /* features selected at least once */
    int64_t *index; /* ascending */
    double *frequency;
    int64_t unconverged;     /* fits */
    int64_t groups;          /* of the problem; 0 also with grouping entry */
    double *group_frequency; /* how often any feature of each is selected; NULL: there are no groups */
} dcpn_stability;

/* What the fits without its fold say of each row, at the points that the rules chose; of repeated folds the first. */
typedef struct dcpn_held_out {
    int64_t rows;
    int64_t *fold; /* of each row; -1: none, since its label is not known */
    double *label; /* of two classes -1 or 1, of many their position from 0; NaN: not known */
    double *weight;
    /* By the rules min, 1se and the one asked for, with intercept and offset; NaN in rows of no fold. Of many classes
     * the position of the one that is predicted. */
    double *score[3];
} dcpn_held_out;

/* Where the folds come from. */
typedef struct dcpn_cv_draw {
    int64_t repeats; /* each row is held out so many times; the folds of one repeat stand side by side */
    uint64_t seed;
    int is_stratified, is_drawn;
} dcpn_cv_draw;

typedef struct dcpn_cv_measures {
    int count;
    const char *names[DCPN_MEASURES];
    int chooses; /* the position of the one that chooses */
} dcpn_cv_measures;

/* What was chosen, over all paths. */
typedef struct dcpn_cv_choices {
    dcpn_cv_choice min, sparse; /* by the rules min and 1se */
    const char *rule;           /* the one that was asked for, */
    dcpn_cv_choice chosen;      /* and what it has chosen */
} dcpn_cv_choices;

typedef struct dcpn_cv_ending {
    /* 0: the observer or the limit of time has ended it early. If at least two folds were done, they choose, and there
     * is no stability; without a choice it cannot be written to a file. */
    int is_complete;
    int64_t folds_done; /* the others have DCPN_NOT_RUN at every point and count nowhere */
    double time_s;
} dcpn_cv_ending;

typedef struct dcpn_cv {
    dcpn_context *context;
    dcpn_paths *paths; /* fits to all the data */
    int64_t folds;     /* of all repeats */
    dcpn_cv_draw draw;
    int64_t *sizes;  /* rows of each fold */
    double *weights; /* sum of the row weights of each fold */
    dcpn_cv_measures measured;
    int64_t *first;         /* path v has the points first[v] ... first[v + 1] - 1 in what follows */
    double *value;          /* [(point * DCPN_MEASURES + measure) * folds + fold]; NaN: not defined or not reached */
    double *mean, *se;      /* [point * DCPN_MEASURES + measure]; NaN: not defined, or not complete */
    dcpn_outcome *outcome;  /* [point * folds + fold]; DCPN_NOT_RUN: the path of the fold ended before */
    int64_t *nonzeros;      /* likewise */
    int64_t *best, *one_se; /* for each path its own two points; -1: none */
    dcpn_cv_choices choice;
    int compares;
    dcpn_stability *stability; /* NULL: none, or ended early */
    dcpn_cv_ending ending;
    dcpn_held_out *held_out; /* NULL: nothing was chosen, or the file has none */
} dcpn_cv;

/* Fits the paths to all the data, then the same lambdas without each fold in turn, each fold on one thread of the
 * context. Rows without a label are in no fold: every fit has all of them, and only rows with a label are left out
 * and measured. Your own allocator must allow calls from several threads if the context has more than one. */
DCPN_API dcpn_status dcpn_cv_run(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                                 const dcpn_cv_options *options, dcpn_cv **cv);
DCPN_API void dcpn_cv_free(dcpn_cv *cv);
/* The share of the features in use at a point that is expected to be independent of the response and of all that
 * matters is at most about this (docs/choosing.md); with orthonormal groups, that of the groups. NaN: not known for the
 * loss, the penalty, columns that are not standardised or groups that are not orthonormal. */
DCPN_API double dcpn_paths_mfdr(const dcpn_paths *paths, int64_t path, int64_t point);
/* The choice of a rule: min, 1se or the one that was asked for, which NULL stands for too. Returns NULL for any
 * other rule. */
DCPN_API const dcpn_cv_choice *dcpn_cv_choice_by(const dcpn_cv *cv, const char *rule);
/* The meaning of a rule, as a sentence without its full stop; NULL: there is no such rule. */
DCPN_API const char *dcpn_cv_rule_meaning(const char *rule);
/* The names of the rules, for k = 0, 1, ...; NULL: there are no more. */
DCPN_API const char *dcpn_cv_rule_at(int k);
/* Writes the cross-validation as JSON. folds_file names the file that the folds came from; NULL: they were drawn. */
DCPN_API dcpn_status dcpn_cv_write(const dcpn_cv *cv, const dcpn_provenance *provenance, const char *folds_file,
                                   const char *path);
/* Makes the text that dcpn_cv_write writes. Free it with dcpn_free. */
DCPN_API dcpn_status dcpn_cv_json(const dcpn_cv *cv, const dcpn_provenance *provenance, const char *folds_file,
                                  char **json);

/* Draws folds as a cross-validation would: each row gets a number from 0 to folds - 1. With strata, which may be
 * NULL, the rows of each stratum, those with the same number, are spread evenly over the folds, whatever that number
 * is; a row whose stratum is NaN is in no fold and gets -1. */
DCPN_API dcpn_status dcpn_folds_draw(dcpn_context *context, const double *strata, int64_t rows, int64_t folds,
                                     uint64_t seed, int64_t *fold_of);

#ifdef __cplusplus
}
#endif
#endif
