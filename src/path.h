/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths from inside: what cross-validation and the files share with them. */
#ifndef DCPN_SRC_PATH_H
#define DCPN_SRC_PATH_H

#include "dcpn/path.h"
#include "local_convexity.h"
#include "solver.h"

/* Paths with room for `count` of them, and the texts of the settings copied. */
dcpn_status dcpn_paths_new(dcpn_context *context, const dcpn_settings *settings, int64_t count, dcpn_paths **paths);

/* The parameter in which a penalty's shape varies: "theta", "a" or "gamma"; NULL: none. */
const char *dcpn_varying_parameter(const char *penalty);

/* Follows one path after another through given points: what the folds of a cross-validation need. `like` says which;
 * keep is called with each fit. is_stopped may be asked at any time. */
struct path_follower {
    dcpn_context *context;
    const dcpn_problem *problem;
    dcpn_observer *observer;
    void *user;
    dcpn_status (*keep)(void *user, int64_t path, int64_t point, const dcpn_solver *solver);
};
dcpn_status dcpn_follow_paths(const struct path_follower *follower, const dcpn_paths *like);

#endif
