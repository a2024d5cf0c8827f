/* SPDX-License-Identifier: BSD-3-Clause */
/* A problem whose rows are dealt out to ranks, and what they find. */
#ifndef DCPN_TESTS_RANKS_SCENE_H
#define DCPN_TESTS_RANKS_SCENE_H

#include "support/thread_ranks.h"

enum { ROWS = 3500, FEATURES = 60 };

/* How rows go to ranks: in ranges of about one length; mostly to the first; one rank with none; like cards. */
enum dealing { EVEN, UNEVEN, WITH_AN_EMPTY_ONE, DEALT, DEALINGS };

struct scene {
    double dense[ROWS * FEATURES], y[ROWS], weight[ROWS], offset[ROWS];
    int is_sparse, has_weights;
    int empty;            /* columns behind each, of sparse data */
    const char *grouping; /* of groups of five features; NULL: none */
    enum dealing dealing;
    int size;
    dcpn_settings settings;
    const dcpn_cv_options *validation; /* NULL: a fit */
    struct {
        const char *file; /* a checkpoint; NULL: none */
        int is_resumed;
        int64_t
            stops_at; /* the last rank wishes to end after so many steps, or fits of a cross-validation; 0: it does
                       * not */
        int64_t *seen; /* the steps or fits that it has seen; NULL: nobody asks */
    } saved;
};

struct outcome {
    uint64_t digest; /* of all numbers of a cross-validation, or of all scores of many classes */
    double coefficients[FEATURES], intercept, objective, stationarity;
    int64_t iterations, nonzeros, rows;
};

struct part {
    double *dense, *values, y[ROWS], weight[ROWS], offset[ROWS];
    int64_t *pointers, fold[ROWS]; /* by the number of the row in the whole */
    int32_t *indices;
    int64_t rows, entries;
};

struct run {
    const struct scene *scene;
    struct outcome outcomes[MOST_THREAD_RANKS];
    char sentences[MOST_THREAD_RANKS][300];
};

/* Numbers; two classes; 4: many of them. */
void draw_scene(struct scene *scene, int classes);
/* The rows of a rank; -1: all. */
struct part *take_part(const struct scene *scene, int rank);
void drop_part(struct part *part);
/* What the scene asks for, on these rows. */
dcpn_status fit_part(dcpn_context *context, const struct scene *scene, const struct part *part,
                     struct outcome *outcome);
/* The work of a rank; user is a run. */
dcpn_status fit_on_rank(dcpn_context *context, int rank, void *user);
/* One process with exact sums, which has to succeed. */
void fit_alone(struct scene *scene, dcpn_settings settings, struct outcome *outcome);

#endif
