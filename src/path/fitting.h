/* SPDX-License-Identifier: BSD-3-Clause */
/* The fitting of paths from inside: path.c goes from point to point; path_point.c fits one point; batch.c fits
 * several lambdas at once where there are far too many columns; path_search.c looks for lower ends along a path. */
#ifndef DCPN_SRC_FITTING_H
#define DCPN_SRC_FITTING_H

#include "path/path.h"
#include "transduction/start.h"

/* What the caller asks for. */
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
    double *work;    /* of the plain descent at each lambda */
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
    dcpn_path plain;     /* of plain descents, before it was searched at every lambda; no points: it was not */
    struct walk walk;
    struct convexity convexity;
    struct watch watch;
    struct report report;
    double *deviation; /* of the columns, one per feature; NULL: they are not standardised */
    int64_t done, total;
    int is_stopped;
};

/* ---- path_point.c ---- */

/* Sets the penalty of a workspace to that of the present path at this lambda. */
void dcpn_fitting_set_lambda(struct fitting *f, struct workspace *workspace, double lambda);
/* Call this before each descent of a fit. Its steps are counted anew; the limit of time is that of all the work. */
void dcpn_fitting_begin(struct fitting *f);
/* Fits the next point on all columns. It starts from the last point, from the point of the path `before` at the same
 * lambda, or from `start`, a point of this path, unless that is NULL. */
dcpn_status dcpn_fit_on_all(struct fitting *f, const dcpn_path *before, const dcpn_path_point *start);
/* Keeps the point of `all` as a point of the path: its local convexity and its coefficients. */
dcpn_status dcpn_fitting_keep(struct fitting *f, dcpn_path_point *point);
/* Makes the point of `all`, at which a descent has ended lower, that of the path. The work counted for the point
 * stays. */
dcpn_status dcpn_fitting_replace(struct fitting *f, dcpn_path_point *point, const dcpn_result *end);
/* Is every lambda searched by itself, and not the path as a whole? */
static inline int dcpn_fitting_searches_always(const struct fitting *f)
{
    return f->plan->parts.search != DCPN_SEARCH_OFF;
}

/* ---- path_data.c: what paths say of the data ---- */

/* Describes the data as the files of paths do. Any plan of the problem knows it, so that this is done once. */
dcpn_status dcpn_path_describe_data(struct fitting *f);
/* Takes the standard deviations by which the columns were divided from the plan, and lists those of features in use. */
dcpn_status dcpn_path_take_deviations(struct fitting *f);
dcpn_status dcpn_path_list_deviations(struct fitting *f);

/* ---- path_end.c ---- */

/* Was the fitting told to end, by a fit with this outcome or by the caller? */
int dcpn_path_is_cut(const struct fitting *f, dcpn_outcome outcome);
/* Does the model of the last point explain nearly everything, or no more than those before it? */
int dcpn_path_is_saturated(const struct fitting *f, const dcpn_path *path);
/* Does the caller have enough points? If so, the points beyond those that he keeps are left out, and the remaining
 * work counts as done. */
int dcpn_path_is_enough(struct fitting *f);
/* Has the last point more features than are asked for? */
int dcpn_path_is_crowded(const struct fitting *f, const dcpn_path *path);
/* Is lambda at the last point, at which the workspace of all columns stands, below the noise that the path is to end
 * at? */
int dcpn_path_is_noise(const struct fitting *f);
/* Is the last point really the last: was it cut, or is the model saturated? */
int dcpn_path_is_over(const struct fitting *f, const dcpn_path *path);
/* Leaves out the points after the one at which the path is saturated, which a search may have moved to a larger
 * lambda. */
void dcpn_path_cut_tail(const struct fitting *f, dcpn_path *path);

/* ---- path_start.c: where the fit at the next lambda starts ---- */

/* Moves the workspace to a point of a path. */
void dcpn_fitting_start_at(struct fitting *f, const dcpn_path_point *point, struct workspace *workspace);

/* Takes x, with one number per coefficient of `all`, as the last point of the walk; the last one before becomes the
 * earlier one. */
void dcpn_walk_note_point(struct fitting *f, const double *x);
/* Puts the start for the fit of point k into the point of `all`. */
void dcpn_walk_choose_start(struct fitting *f, const dcpn_path *before, int64_t k);

/* ---- batch.c ---- */

/* Makes f->batch; leaves it NULL if fitting in batches would not pay. */
dcpn_status dcpn_batch_new(struct fitting *f);
void dcpn_batch_free(struct fitting *f);
/* Adds at least one point to a path that has one already. Each gets its certificate from all columns. */
dcpn_status dcpn_batch_fit(struct fitting *f);
/* Prepares a search of the path: gives `few` the columns that came near to mattering. *is_few: there are few enough
 * of them to be used. */
dcpn_status dcpn_batch_list_near(struct fitting *f, int *is_few);
/* Copies the end of a descent on `few` to the point of `all`. *is_good: it is stationary on all columns. If not,
 * `few` gets more columns and stands at that end; but if there are too many, *is_few is 0 and `few` must not be
 * used. */
dcpn_status dcpn_batch_confirm(struct fitting *f, double goal, int *is_good, int *is_few);

/* ---- path_search.c ---- */

/* Descends again at the lambdas of the path at which F is not known to be locally convex, and keeps the lowest ends.
 * Unless it is NULL, the path `like` says where F is convex. */
dcpn_status dcpn_path_search(struct fitting *f, const dcpn_path *like);

/* ---- path_depths.c ---- */

/* Searches at every lambda of the path by itself, as deep as --global says. */
dcpn_status dcpn_path_deepen(struct fitting *f);

/* ---- by_size.c ---- */

/* Refits, for each number of features, the best of the sets that the other paths have; in a fold, for the sizes that
 * the path `like` has. Where the ridge varies it refits the sets of the path before, with that of the present one. */
dcpn_status dcpn_fit_by_size(struct fitting *f, const dcpn_path *like);

#endif
