/* SPDX-License-Identifier: BSD-3-Clause */
/* The structs behind the handles of cv.h, which only the project itself sees: they may grow in any version. */
#ifndef DCPN_LAYOUT_CV_H
#define DCPN_LAYOUT_CV_H

#include "../cv.h"

enum { DCPN_MEASURES = 3 }; /* of one loss */

/* A member that is 0 stands for its default. */
struct dcpn_cv_options {
    dcpn_path_options path;
    int64_t folds;          /* 0: 10, or as many as rows with a label */
    int64_t repeats;        /* how many times folds are drawn, which takes as many times as long; 0: once */
    const int64_t *fold_of; /* of each row, from 0 to folds - 1, each of them used; without a label: any; NULL: drawn */
    uint64_t seed;          /* of the folds and the subsamples */
    int is_unstratified;    /* folds are drawn without regard to the classes */
    const char *measure;    /* that chooses; NULL: "deviance" */
    /* "min" the best mean; "1se" the fewest features within a standard error of it; "paired" the fewest among the best
     * points of the paths that the folds, one by one, do not tell from the best of all; "convex" the best mean among
     * paths of convex penalties; "earned" the least -2 log likelihood of the rows held out + 2 features; "aic", "bic",
     * "ebic" and "gic" the least of these criteria, which do not look at the folds; "sized" the features of "gic" with
     * the ridge of the best mean; "kept" the most features up to path.features_kept, which goes without saying where
     * that is set. NULL: "1se"; of a comparison "sized" with the loss logistic, "earned" with squared, either unless
     * the folds tell that "convex" predicts better, "paired" with others, "convex" of two classes in very few rows, and
     * "min" if it relaxes */
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
};

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

struct dcpn_cv {
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
};

/* The choice of a rule: min, 1se or the one that was asked for, which NULL stands for too. Returns NULL for any
 * other rule. */
const dcpn_cv_choice *dcpn_cv_choice_by(const dcpn_cv *cv, const char *rule);

#endif
