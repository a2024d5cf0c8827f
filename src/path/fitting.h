/* SPDX-License-Identifier: BSD-3-Clause */
/* The fitting of paths from inside: path.c goes from point to point; path_point.c fits one; batch.c several lambdas at once, where columns are far
 * too many; path_search.c looks for lower ends along a path. */
#ifndef DCPN_SRC_FITTING_H
#define DCPN_SRC_FITTING_H

#include "path/path.h"
#include "transduction/start.h"

/* What is asked for. */
struct path_request {
    dcpn_context *context;
    const dcpn_problem *problem;
    const dcpn_path_options *options;
    const dcpn_paths *like; /* its penalties, values and lambdas; NULL: those of the options */
    int64_t fold;           /* for the observer */
    double started_at;
    struct journal_stream stream;
    dcpn_end_path *end_path; /* NULL: the path ends by itself */
    void *user;
};

/* Where the fitting of the present path stands. */
struct walk {
    double *lambdas;
    int64_t lambda_count;
    double *here, *earlier; /* the last point, and the one before it, as the plan has them */
    double *space;          /* likewise, or a number for each feature */
    int64_t *index;
    int has_moved;   /* the workspace is at the last point, but knows nothing of it */
    double foreseen; /* sweeps that the next fit will probably take */
    struct null_model null;
};

struct fitting {
    struct path_request *request;
    dcpn_paths *paths;
    dcpn_path *path;             /* the present one */
    struct plan *plan;           /* of the present penalty */
    dcpn_settings settings;      /* with the present lambda and shape */
    struct levels levels;        /* `few` is that of the batches, if there are any */
    struct transduction *transduction;
    struct batch *batch; /* NULL: one lambda at a time */
    struct walk walk;
    struct convexity convexity;
    struct watch watch;
    struct report report;
    double *deviation; /* of the columns, one per feature; NULL: they are not standardised */
    int64_t done, total;
    int is_stopped;
};

/* ---- path_point.c ---- */

/* The penalty of the workspaces is that of a lambda on the present path from now on. */
void dcpn_fitting_set_lambda(struct fitting *f, struct workspace *workspace, double lambda);
/* A descent of a fit begins: its own steps and the limit of time count. */
void dcpn_fitting_begin(struct fitting *f);
/* The next point, on all columns, from the last one, from that of the path `before` or, unless NULL, from `start`, a point
 * of this path. */
dcpn_status dcpn_fit_on_all(struct fitting *f, const dcpn_path *before, const dcpn_path_point *start);
/* The point of `all` is one of the path: its local convexity and its coefficients. */
dcpn_status dcpn_fitting_keep(struct fitting *f, dcpn_path_point *point);
/* Is every lambda searched by itself, and not the path as a whole? */
static inline int dcpn_fitting_searches_always(const struct fitting *f)
{
    return f->plan->parts.search != DCPN_SEARCH_OFF;
}

/* ---- path_end.c ---- */

/* Was the fitting told to end, by a fit with this outcome or by the caller? */
int dcpn_path_is_cut(const struct fitting *f, dcpn_outcome outcome);
/* Does the model of the last point explain nearly everything, or no more than those before it? */
int dcpn_path_is_saturated(const struct fitting *f, const dcpn_path *path);
/* Does the caller have enough points? Those beyond what he keeps are left out, and what remains to be done counts as done. */
int dcpn_path_is_enough(struct fitting *f);
/* Has the last point more features than are asked for? */
int dcpn_path_is_crowded(const struct fitting *f, const dcpn_path *path);
/* Is the last point really the last: was it cut, or is the model saturated? */
int dcpn_path_is_over(const struct fitting *f, const dcpn_path *path);
/* A search may have found that the path was saturated earlier. The points behind are left out. */
void dcpn_path_cut_tail(const struct fitting *f, dcpn_path *path);

/* ---- path_start.c: where the fit at the next lambda starts ---- */

/* The point of a workspace from one of the path. */
void dcpn_fitting_start_at(struct fitting *f, const dcpn_path_point *point, struct workspace *workspace);

/* The workspace's point is the last one, and what was the last one is the earlier one. `all` numbers. */
void dcpn_walk_note_point(struct fitting *f, const double *x);
/* Leaves the start of point k in the point of `all`. */
void dcpn_walk_choose_start(struct fitting *f, const dcpn_path *before, int64_t k);

/* ---- batch.c ---- */

/* Leaves f->batch NULL where it does not pay. */
dcpn_status dcpn_batch_new(struct fitting *f);
void dcpn_batch_free(struct fitting *f);
/* At least one point more, each with its certificate. There is one already. */
dcpn_status dcpn_batch_fit(struct fitting *f);
/* Before a search of the path: `few` has the columns that came near to mattering. *is_few: there are not too many. */
dcpn_status dcpn_batch_list_near(struct fitting *f, int *is_few);
/* The end of a descent on `few` becomes the point of `all`. *is_good: it is stationary on all columns; if not, `few` has
 * more columns from now on (or is not to be used, *is_few 0) and stands at that end. */
dcpn_status dcpn_batch_confirm(struct fitting *f, double goal, int *is_good, int *is_few);

/* ---- path_search.c ---- */

/* At the lambdas at which F is not known to be locally convex, on this path or the one of `like`, unless NULL, the lower of
 * the end that is there and those of other descents. */
dcpn_status dcpn_path_search(struct fitting *f, const dcpn_path *like);

/* ---- by_size.c ---- */

/* For each number of features the best of the sets that the other paths have is refitted; in a fold, for the sizes that
 * the path `like` has. */
dcpn_status dcpn_fit_by_size(struct fitting *f, const dcpn_path *like);

#endif
