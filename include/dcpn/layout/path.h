/* SPDX-License-Identifier: BSD-3-Clause */
/* The structs behind the handles of path.h, which only the project itself sees: they may grow in any version. */
#ifndef DCPN_LAYOUT_PATH_H
#define DCPN_LAYOUT_PATH_H

#include "../path.h"

/* A member that is 0 stands for its default. */
struct dcpn_path_options {
    const double *lambdas; /* NULL: a grid of `lambda_count` from lambda_max down, even in the logarithm */
    int64_t lambda_count;  /* 0: 100 */
    /* least lambda / lambda_max; 0: 1e-4 if there are more rows than features, else 1e-2, of K > 2 classes 2e-2 / K */
    double min_ratio;
    const char *const *penalties; /* several, instead of that of the settings; NULL: that one */
    int64_t penalty_count;
    /* The second dimension: values of theta, a or gamma, whichever the penalty has, instead of that of the settings;
     * one of your own has the one that is its `parameters` (extend.h). They are taken in descending order, from the
     * convex end; NULL: none. Penalties without the parameter ignore it. */
    const double *values;
    int64_t value_count;
    /* A penalty that is not convex has two paths: the one on which lower ends are searched for comes after the plain
     * descents that it starts from. Only where the setting `global` is auto. */
    int is_twofold;
    /* One path more, behind the others: of each number of features the best model among those of the other paths,
     * refitted without the penalty. Groups with a norm are in it as a whole. Not with latent groups or trees, bounds or
     * rows without a label. */
    int is_by_size;
    int64_t
        features_kept; /* up to so many the sets of is_by_size are searched for better ones, feature by feature; 0:
                        * not */
    const double *refit_ridges; /* behind the path of is_by_size one more for each of these numbers above 0, which a 0
                                 * ends: the same sets, refitted with that ridge; NULL: none */
    /* A path ends after a point with more of them, with four times as many where the penalty is convex, which keeps
     * more that do not matter; 0: never. */
    int64_t most_features;
    /* A path ends after a lambda below so many standard deviations of the slope along a feature of noise alone, half
     * as many where the penalty is convex; 0: never. Only of standardised columns, one score a row, plain sums. */
    double least_noise;
    double saturation;       /* a path ends after a deviance explained above this; 0: 0.999; 1 or more: never */
    int64_t convexity_limit; /* features in use up to which local convexity is looked at; 0: 200; negative: never */
    dcpn_path_observer *observer;
    void *user;
    /* The finished fits are saved to a file every so many seconds, and at an early end; NULL: they are not. Fits of
     * folds and subsamples are among them. */
    const char *checkpoint;
    double checkpoint_every_s;
    /* Goes on from such a file, and ends with the bytes that the work would have ended with: the same version, problem,
     * settings and options, but for limits, or it is refused; NULL: from the beginning. */
    const char *resume;
};

typedef struct dcpn_path_point {
    double lambda;
    double intercept;      /* of the first score */
    int64_t first;         /* its coefficients are index[first ...], value[first ...] of the path, */
    dcpn_result fit;       /* fit.nonzeros of them */
    double deviance;       /* 2 times the weighted sum of the losses, whatever the scale */
    double brier;          /* mean square of 0 or 1 less the probability; NaN: there is none, or not known */
    int is_locally_convex; /* 1, 0, or -1: not known */
    double convexity;      /* its margin; NaN: not known */
    int64_t groups;        /* in use, of those with a penalty */
} dcpn_path_point;

/* What has a term of the penalty each: groups, and features in none. */
typedef struct dcpn_path_groups {
    int64_t count;  /* 0: the problem has no groups; -1: it has some, and no more is known, as of paths from a file */
    int64_t *size;  /* features that the fit has of each; directions where it is made orthonormal */
    double *weight; /* of lambda */
} dcpn_path_groups;

typedef struct dcpn_path {
    dcpn_settings settings; /* with the penalty and the value of this path; texts borrowed from the paths */
    dcpn_path_kind kind;
    const char *varying; /* NULL: nothing */
    double value;        /* of what varies, in the units of the settings */
    double shape_unit;   /* in which theta, a or gamma is given (dcpn_raw_shape); 0: they are raw */
    double lambda_max;   /* the smallest lambda at which x = 0, the intercept fitted, is stationary; with rows
                          * without labels and annealing also for the labelled rows alone, with which that begins */
    dcpn_path_end end;
    int64_t count;
    dcpn_path_point *points; /* by descending lambda */
    int64_t *index;          /* of the non-zero coefficients of all points, one point after another; as in a model */
    double *value_of;        /* their values, on the scale of the data */
    int64_t used, room;      /* of these two arrays */
    double *
        intercepts; /* where there are several: those of each point, one point after another; NULL: there is one
                     * score */
} dcpn_path;

/* Which parts are the caller's, and not those that the settings name. It is not written to a file. */
typedef struct dcpn_own_parts {
    int loss, penalty;
} dcpn_own_parts;

/* Standard deviations of the columns of all features in use at some point; none unless they were standardised. */
typedef struct dcpn_deviations {
    int64_t count, *index;
    double *value;
} dcpn_deviations;

/* What was fitted, and to what. */
struct dcpn_paths {
    dcpn_context *context;
    dcpn_settings settings; /* texts owned */
    int64_t rows, features, entries;
    int is_dense;
    double weight;        /* sum of the row weights */
    double positives;     /* weight of the positive class; NaN where there is none */
    double null_deviance; /* of the intercept and the offset alone */
    int64_t scores;       /* of a row; as in a model, */
    dcpn_classes labels;  /* like these, but that they have no names here */
    int has_offset;       /* of the rows, as in a model */
    dcpn_own_parts own;
    int64_t count;
    dcpn_path *paths;
    dcpn_path_groups groups;
    int threads;
    double time_s;
    char *texts;
    dcpn_deviations deviations;
};

#endif
