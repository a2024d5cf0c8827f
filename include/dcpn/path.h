/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths: fits down a grid of lambdas, for one penalty or several; cross-validation and stability selection on them. */
#ifndef DCPN_PATH_H
#define DCPN_PATH_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The state that the observer of a path is shown: the iterations of the fit that runs, and how far the whole work
 * is. */
typedef struct dcpn_path_progress {
    const char *penalty;
    double lambda;
    int64_t fold;        /* from 0; -1: all the data */
    int64_t done, total; /* fits; total counts those that an early end may spare */
    dcpn_progress fit;
} dcpn_path_progress;
/* Returns 0 to go on; anything else ends the work soon. With several threads it is called from each, one at a time. */
typedef int dcpn_path_observer(void *user, const dcpn_path_progress *progress);

/* How to fit paths; they are a part of the options of a cross-validation, which are set by names (handles.h). */
typedef struct dcpn_path_options dcpn_path_options;

typedef enum dcpn_path_end {
    DCPN_PATH_ALL,        /* every lambda is done */
    DCPN_PATH_SATURATED,  /* the deviance is explained, or does not fall any more */
    DCPN_PATH_CROWDED,    /* there are more than most_features */
    DCPN_PATH_NOISE,      /* below least_noise any feature of noise alone may come in */
    DCPN_PATH_INTERRUPTED /* by the observer, or by the limit of time */
} dcpn_path_end;

typedef enum dcpn_path_kind {
    DCPN_PATH_AS_SET,   /* fitted as the settings say */
    DCPN_PATH_LOCAL,    /* plain descents, each from the point before */
    DCPN_PATH_SEARCHED, /* the same, and lower ends than those */
    /* A point for each number of features. They are refitted: the penalty's weight is 0 on them, and all others are
     * kept out; lambda is the least at which no further feature enters beside them, or that of the point before. What
     * varies, if anything, is the ridge. */
    DCPN_PATH_BY_SIZE
} dcpn_path_kind;

/* What was fitted, and to what, by names (handles.h). */
typedef struct dcpn_paths dcpn_paths;

/* Fits the paths. If the observer ends them early, that is no failure: the finished points are kept, and the end of
 * the path says so. */
DCPN_API dcpn_status dcpn_paths_fit(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                                    const dcpn_path_options *options, dcpn_paths **paths);
DCPN_API void dcpn_paths_free(dcpn_paths *paths);

/* The number of features in use at a point. With one score a row it is the number of coefficients that are not 0. */
DCPN_API int64_t dcpn_paths_count_features(const dcpn_paths *paths, int64_t path, int64_t point);

/* Makes the model of a point. */
DCPN_API dcpn_status dcpn_paths_model(const dcpn_paths *paths, int64_t path, int64_t point, int index_base,
                                      dcpn_model **model);

/* The smallest lambda at which x = 0 is stationary, the intercept and features of factor 0 fitted. It runs the solver,
 * whose present point becomes that null model, and leaves its lambda there and its start at 0. Where that run ends
 * early, by the observer or a limit, the number is not exact; dcpn_solver_result says so. With smooth-ramp the null
 * model may have the intercept of its convex part (numerics.md). */
DCPN_API dcpn_status dcpn_solver_lambda_max(dcpn_solver *solver, double *lambda_max);

/* What a file says besides: where the data came from and how they call things. All may be 0. */
typedef struct dcpn_provenance {
    const char *file;
    const char *const *command; /* the words of the command line */
    int64_t words;
    int index_base;
    const char *const *feature_names;
    const char *const *class_names;  /* of all classes: negative, positive; or one for each score */
    const char *label_name;          /* of the labels' column */
    const double *fill;              /* what missing values of each feature count as */
    const dcpn_category *categories; /* columns of categories, and their levels */
    int64_t category_count;
    const dcpn_groups *groups; /* of features; NULL: none */
    double read_s;
    const int64_t *gaps; /* how many values of each feature were missing; NULL: not known */
    int64_t reserved[8]; /* 0: room for members of later versions */
} dcpn_provenance;

/* Gives a model what these say instead of what it has: names, values that stand for missing ones, categories, groups
 * and the command. The names of classes come in the order of the model's classes. */
DCPN_API dcpn_status dcpn_model_set_provenance(dcpn_model *model, const dcpn_provenance *from);

/* Writes the paths as JSON (docs/file-formats.md); the file appears complete or not at all, and "-" is standard
 * output. */
DCPN_API dcpn_status dcpn_paths_write(const dcpn_paths *paths, const dcpn_provenance *provenance, const char *path);
/* Makes the text of that file. Free it with dcpn_free. */
DCPN_API dcpn_status dcpn_paths_json(const dcpn_paths *paths, const dcpn_provenance *provenance, char **json);

#ifdef __cplusplus
}
#endif

#ifdef DCPN_LAYOUTS /* within the project */
#include "layout/path.h"
#endif
#endif
