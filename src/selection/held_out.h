/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that a fold leaves out, and what its models say of them. */
#ifndef DCPN_SRC_HELD_OUT_H
#define DCPN_SRC_HELD_OUT_H

#include "selection/cv.h"

/* Some rows of a problem, with room for their scores, all of the first class before those of the second, and so on. Two
 * classes are -1 and 1 in y, many are 0, 1, ...; of several responses y and w have as many numbers as scores. */
struct held_rows {
    const struct row_place *exact; /* as in subset_source: the rows are not copied, and their sums are exact */
    int64_t count;
    dcpn_matrix *A;
    struct {
        const dcpn_matrix *A;
        const int64_t *rows;
        double *u;
    } whole; /* instead of a copy: the matrix, the rows in it, which are borrowed, and a score of each of its rows */
    double *y, *w, *offset, *x, *scores, *sorted, *strata; /* strata NULL: there are none */
    struct survival *survival;                             /* of times to events; NULL: they are none */
    int64_t *order;
};

/* Takes the rows from the problem. held->exact must be set before; *held is to be freed in any case. */
dcpn_status dcpn_held_rows_take(dcpn_context *context, const dcpn_problem *problem, const dcpn_paths *paths,
                                const int64_t *rows, int64_t count, struct held_rows *held);
/* The numbers that a row is scored by: a score, one for each class or response, or a logarithm of its probability for
 * each of ordered classes. */
int64_t dcpn_held_columns(const dcpn_paths *paths);
/* Scores the rows by the model of a point, with intercept and offset, as paths like these have them. */
dcpn_status dcpn_held_rows_score(dcpn_context *context, const struct held_rows *held, const dcpn_paths *like,
                                 const dcpn_path *path, const dcpn_path_point *point);
void dcpn_held_rows_free(dcpn_context *context, struct held_rows *held);

/* Makes cv->held_out: each row is scored by the fit without its fold, at the points that were chosen. Where sums are
 * exact this is done only if there are no more rows than are written to files. */
dcpn_status dcpn_cv_score_held_out(dcpn_cv *cv, const dcpn_problem *problem, const int64_t *fold_of,
                                   const struct subset_fit *fits, const struct row_place *exact);

#endif
