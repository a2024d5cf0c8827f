/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths on some of the rows, in a context of their own, so that several can be fitted at once. */
#ifndef DCPN_SRC_RESAMPLE_H
#define DCPN_SRC_RESAMPLE_H

#include "base/ranks.h"
#include "path/path.h"

/* What all fits to some of the rows share. */
struct subset_source {
    dcpn_context *context; /* of the caller */
    const dcpn_problem *problem;
    const dcpn_paths *like;    /* what is fitted */
    dcpn_path_options options; /* the observer, already one for several threads */
    double started_at;         /* from when the limit of time counts */
    struct journal *journal;   /* of all of them; NULL: none */
    const struct row_place *exact; /* of the rows of this rank, where sums are exact; NULL: they are plain */
    void (*count_done)(void *user, int64_t fits); /* told when one is done, with the observer's user */
};

struct subset_fit {
    dcpn_context *context; /* one thread, the caller's allocator and limit of memory */
    dcpn_problem problem;
    dcpn_matrix *A;
    double *y, *Y, *w, *offset, *start, *strata; /* Y: of several responses */
    dcpn_paths *paths;
    dcpn_status status; /* of the fit; the sentence is in the context */
};

/* Makes the context of a fit, in which the caller may also keep his own arrays. The status is DCPN_MEMORY if there
 * is none. */
void dcpn_subset_fit_new(const struct subset_source *source, struct subset_fit *fit);
/* The rows to be fitted, the fold that the observer is told of, and the number of the fit in the journal. */
struct subset_rows {
    const int64_t *rows;
    int64_t count, fold;
    uint64_t stream;
};

/* Copies the rows of the problem and fits the paths. Where sums are exact nothing is copied, and the other rows get
 * the weight 0, so that sums have the same blocks of rows on any number of ranks. The weights of rows with a label,
 * and of those without, are scaled to the same sum as on all rows, so that lambda means the same on both, whatever
 * the scale of the loss. end_path (NULL: none) is as in path.h. */
void dcpn_subset_fit(const struct subset_source *source, const struct subset_rows *rows, dcpn_end_path *end_path,
                     void *user, struct subset_fit *fit);
/* Frees the copies of rows, and keeps the paths. */
void dcpn_subset_fit_drop_rows(struct subset_fit *fit);
/* Frees all but the context. */
void dcpn_subset_fit_empty(struct subset_fit *fit);
/* Frees the rest. */
void dcpn_subset_fit_free(struct subset_fit *fit);

#endif
