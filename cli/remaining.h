/* SPDX-License-Identifier: BSD-3-Clause */
/* How much time paths and cross-validations have left. Points at small lambdas take far longer than those at large
 * ones, and folds end their paths early, so the share of fits that are done says little. What is known is how long each
 * point of the paths on all the data has taken; a fold takes a share of that, which is guessed until folds have been
 * seen. */
#ifndef DCPN_CLI_REMAINING_H
#define DCPN_CLI_REMAINING_H

#include <dcpn/cv.h>

enum { DCPN_CLI_FOLDS_SEEN = 64, DCPN_CLI_USUAL_LAMBDAS = 100 };

/* The work that follows the paths on all the data. If all members are 0, it is not known, and every fit is taken to
 * last as long. */
struct work_ahead {
    int64_t folds, subsamples;
    int64_t lambdas;  /* the most that a path has */
    int threads;      /* folds that are fitted at the same time */
    double fold_time; /* guess: the time of a fold as a share of that of the paths on all the data */
    double subsample_time; /* guess: that of a subsample as a share of that of a fold */
};

/* That of a cross-validation. penalty: of the settings; groups compare fewer penalties, along longer paths. */
struct work_ahead dcpn_cli_work_ahead(const dcpn_cv_options *options, int64_t rows, int has_groups, const char *penalty,
                                      int threads);

struct fold_seen {
    int64_t fold, done; /* done: fits of this fold */
    double since_s;     /* when the last of them was done */
    double lambda;      /* of the fit that ran last */
    int is_searching;   /* for lower ends, up and down the path */
};

struct remaining {
    struct work_ahead ahead;
    double *reached_s; /* when so many fits to all the data were done */
    int64_t count, capacity;
    int64_t points; /* fits to all the data; 0: they are not done */
    int64_t total;  /* when the folds began */
    double whole_s; /* the time of the paths on all the data */
    int64_t last_fold;
    struct fold_seen whole; /* the paths on all the data */
    struct fold_seen seen[DCPN_CLI_FOLDS_SEEN];
    double sampled_s; /* when the subsamples began; 0: they have not */
    int64_t sampled_from;
};

/* Seconds left; NaN: not known. elapsed_s: since the first call. */
double dcpn_cli_remaining(struct remaining *remaining, double elapsed_s, const dcpn_path_progress *progress);
void dcpn_cli_remaining_free(struct remaining *remaining);

#endif
