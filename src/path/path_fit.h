/* SPDX-License-Identifier: BSD-3-Clause */
/* The fitting of paths from inside: path.c, and path_ahead.c, which does several lambdas at once. */
#ifndef DCPN_SRC_PATH_FIT_H
#define DCPN_SRC_PATH_FIT_H

#include "path/path.h"

struct fitting {
    dcpn_context *context;
    const dcpn_problem *problem;
    const dcpn_path_options *options;
    dcpn_paths *paths;
    const dcpn_paths *like; /* its penalties, values and lambdas; NULL: those of the options */
    int64_t fold;           /* for the observer */
    dcpn_solver *whole;     /* of the present penalty, on all columns */
    dcpn_solver *solver;    /* the one that fits the next point: that, or one on a short list of columns */
    int has_moved;          /* it is at the last point, but knows nothing of it */
    double *lambdas;        /* of the present path */
    int64_t lambda_count;
    double *here, *there;  /* the last point, and that of the path before at the same lambda; with their intercepts */
    double *earlier;       /* the point before `here` */
    double *u;             /* rows */
    struct screen *screen; /* of the present penalty's solver; NULL: it has no active set */
    struct ahead *ahead;   /* of the present penalty; NULL: one lambda at a time */
    double *deviation;     /* of the columns, one per feature; NULL: they are not standardised */
    struct convexity convexity;
    double started_at;
    int64_t done, total;
    int is_stopped;
};

/* path.c: what the solvers tell the observer of the path. */
int dcpn_path_observe(void *user, const dcpn_progress *progress);
/* The next point, by f->solver, from the last one, from that of the path `before` or, unless NULL, from `start`,
 * a point of this path. */
dcpn_status dcpn_path_fit_point(struct fitting *f, const dcpn_path *before, const dcpn_path_point *start,
                                dcpn_path *path);
/* Is the last point really the last: the fitting was told to end, or the model is saturated? */
int dcpn_path_is_over(const struct fitting *f, const dcpn_path *path);

/* path_start.c: the solver's point is the last one, and what was the last one is the earlier one. */
void dcpn_path_note_point(struct fitting *f);
/* The start of point k: beyond the last point, or the solution at the same lambda one path nearer to the convex end. */
void dcpn_path_choose_start(struct fitting *f, const dcpn_path *before, int64_t k);
/* From now on another solver fits, from the last point on. */
void dcpn_path_move(struct fitting *f, dcpn_solver *solver, const dcpn_path *path);

/* path_ahead.c: leaves f->ahead NULL where it does not pay. */
dcpn_status dcpn_ahead_new(struct fitting *f);
void dcpn_ahead_free(struct fitting *f);
/* At least one point more, each with its certificate. There is one already. */
dcpn_status dcpn_ahead_fit(struct fitting *f, dcpn_path *path);
/* dcpn_path_lower on the columns that have come near to mattering. */
dcpn_status dcpn_ahead_lower(struct fitting *f, const dcpn_path *like, dcpn_path *path);

#endif
