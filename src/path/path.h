/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths from inside: what cross-validation and the files share with them. */
#ifndef DCPN_SRC_PATH_H
#define DCPN_SRC_PATH_H

#include "dcpn/path.h"
#include "path/local_convexity.h"
#include "solver/solver.h"

/* Paths with room for `count` of them, and the texts of the settings copied. */
dcpn_status dcpn_paths_new(dcpn_context *context, const dcpn_settings *settings, int64_t count, dcpn_paths **paths);

/* Copies the first points of a path with so many intercepts each, and what is known of all of them; what `to` had is
 * freed. */
dcpn_status dcpn_path_copy(dcpn_context *context, const dcpn_path *from, int64_t count, int64_t each, dcpn_path *to);
void dcpn_path_free_points(dcpn_context *context, dcpn_path *path);

/* Coefficients for point number k, which are x as the plan has them. */
dcpn_status dcpn_path_keep(dcpn_context *context, dcpn_path *path, int64_t k, dcpn_path_point *point,
                           const struct plan *plan, const double *x);

/* path_plan.c: paths without points, one for each penalty and value, each with its settings; all options are
 * checked. */
dcpn_status dcpn_paths_plan(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                            const dcpn_path_options *options, dcpn_paths **paths);
/* How many lambdas are asked for, or the default. */
int64_t dcpn_path_lambda_count(const dcpn_path_options *options);
/* The parameter in which the shape of a penalty varies, the problem's own or the one of that name: "theta", "a" or
 * "gamma"; NULL: none. */
const char *dcpn_varying_parameter(const dcpn_problem *problem, const char *penalty);

/* Called after every point of a path: has it enough of them? Returns how many points the path keeps and ends with,
 * or 0 to go on. It must be a function of the points alone. */
typedef int64_t dcpn_end_path(void *user, const dcpn_path *path);

/* Fits the penalties, values and lambdas of `like` to another problem, a fold of a cross-validation. Of the options
 * only the observer counts. The result says nothing about the data, lambda_max or local convexity. */
struct like_request {
    const dcpn_paths *like;
    const dcpn_path_options *options;
    int64_t fold;      /* what the observer is told */
    double started_at; /* from when on the limit of time counts */
    struct journal_stream stream;
    dcpn_end_path *end_path; /* NULL: every lambda is wanted */
    void *user;
};
dcpn_status dcpn_paths_fit_like(dcpn_context *context, const dcpn_problem *problem, const struct like_request *request,
                                dcpn_paths **paths);
/* Fits paths with a journal that the caller has opened. */
dcpn_status dcpn_paths_fit_by(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                              const dcpn_path_options *options, const struct journal_stream *stream,
                              dcpn_paths **paths);
/* Makes the key of such paths. A checkpoint can be resumed only if its key is the same. */
dcpn_status dcpn_paths_key(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                           const dcpn_path_options *options, struct journal_key *key);
/* Opens the journal that the options ask for; NULL if they ask for none. */
dcpn_status dcpn_paths_journal(dcpn_context *context, const dcpn_path_options *options, const struct journal_key *key,
                               struct journal **journal);
/* by_size.c: the largest number of features d among which n rows can tell those that matter from noise, n / (log d
 * log log n). */
int64_t dcpn_usual_most_features(double rows, double features);
/* Counts the distinct features among ascending numbers, where feature j of score k has the number k features + j. */
int64_t dcpn_count_distinct(const int64_t *index, int64_t count, int64_t features);
/* x of a point, one number per feature and score, on the scale of the data. */
void dcpn_path_expand(const dcpn_path *path, const dcpn_path_point *point, int64_t numbers, double *x);
/* The intercepts of a point of the path, of which each point has so many. */
const double *dcpn_path_intercepts(const dcpn_path *path, const dcpn_path_point *point, int64_t each);
#endif
