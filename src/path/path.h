/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths from inside: what cross-validation and the files share with them. */
#ifndef DCPN_SRC_PATH_H
#define DCPN_SRC_PATH_H

#include "dcpn/path.h"
#include "path/local_convexity.h"
#include "solver/solver.h"

/* Paths with room for `count` of them, and the texts of the settings copied. */
dcpn_status dcpn_paths_new(dcpn_context *context, const dcpn_settings *settings, int64_t count, dcpn_paths **paths);

/* The coefficients and the intercept that the solver is at, for the point that the path has next. */
dcpn_status dcpn_path_keep(dcpn_context *context, dcpn_path *path, dcpn_path_point *point, const dcpn_solver *solver);

/* path_plan.c: paths without points, one for each penalty and value, each with its settings; all options are checked. */
dcpn_status dcpn_paths_plan(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                            const dcpn_path_options *options, dcpn_paths **paths);
/* As many lambdas as are asked for, or the default. */
int64_t dcpn_path_lambda_count(const dcpn_path_options *options);
/* The parameter in which the shape of a penalty varies, the problem's own or the one of that name: "theta", "a" or
 * "gamma"; NULL: none. */
const char *dcpn_varying_parameter(const dcpn_problem *problem, const char *penalty);

/* The same penalties, values and lambdas as those of `like`, on another problem: the folds of a cross-validation. Of the
 * options only the observer counts; fold is what it is told. The limit of time counts from started_at on. Nothing is said of the data, of lambda_max and of local
 * convexity. */
dcpn_status dcpn_paths_fit_like(dcpn_context *context, const dcpn_problem *problem, const dcpn_paths *like,
                                const dcpn_path_options *options, int64_t fold, double started_at,
                                dcpn_paths **paths);
/* What columns that a solver leaves out say of the end of its run, which would become this point: it is stationary on all
 * columns, or the solver is replaced by one that has more of them and whose start is that end. */
struct path_check {
    dcpn_status (*look)(void *user, dcpn_path_point *point, dcpn_solver **solver, int *is_good);
    void *user;
};
/* path_lower.c: at the lambdas at which F is not known to be locally convex, on this path or the one of `like`, unless
 * NULL, the lower of the end that is there and those of other descents. Ends in time. check: NULL if the solver is on all
 * columns. */
dcpn_status dcpn_path_lower(dcpn_solver *solver, const dcpn_path *like, double until, const struct path_check *check,
                            dcpn_path *path);
/* x of a point, one number per feature, on the scale of the data. */
void dcpn_path_expand(const dcpn_path *path, const dcpn_path_point *point, int64_t features, double *x);
/* A start of the solver from a point. */
void dcpn_path_start_at(const dcpn_path *path, const dcpn_path_point *point, dcpn_solver *solver);

#endif
