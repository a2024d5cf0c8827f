/* SPDX-License-Identifier: BSD-3-Clause */
/* Slopes of columns that are known without a reading.
 *
 * g = A'r is linear in the slopes r of the rows. Where it is about known for a few r_i, of another r = c_1 r_1 + c_2
 * r_2 + e it is known to be c_1 g_1 + c_2 g_2 in each column, but for |a_j||e| and for what g_1 and g_2 are wrong by.
 * Down a path two points between which r lies leave little of it, and nearly all columns are then far from mattering,
 * for certain. */
#ifndef DCPN_SRC_PAST_SLOPES_H
#define DCPN_SRC_PAST_SLOPES_H

#include "base/tuning.h"
#include "objective/objective.h"
#include "working_set/byte_copy.h"

struct past_slopes {
    dcpn_context *context;
    struct byte_copy *copy;      /* by which A'r is read; */
    const dcpn_matrix *A;        /* of these columns, or NULL: the caller chooses them from another copy */
    int is_stale;                /* they are yet to be copied */
    struct column_work along;    /* does so while A is read for something else, */
    int comes_along;             /* as it does now */
    double mean_unit, mean_norm; /* of its columns, those that are finite */
    int64_t rows;
    int64_t count, next; /* of the readings that are kept, and the place of the one to come */
    double *r;           /* of each, one after another, */
    float *g;            /* and the slopes they gave */
    double *e;           /* space: what is left of r */
    struct reach reach[MOST_PAST_SLOPES];
};

/* Makes room for the slopes of so many columns: all of A, or some of another copy. Nothing is copied yet. */
dcpn_status dcpn_past_slopes_new(dcpn_context *context, const dcpn_matrix *A, int64_t rows, int64_t columns,
                                 struct past_slopes **past);
void dcpn_past_slopes_free(dcpn_context *context, struct past_slopes *past);
/* Prepares for a look that is about to read all of A: the copy is taken along the way, if that is possible. */
void dcpn_past_slopes_come_along(struct past_slopes *past, struct objective *objective);
/* Takes the copy, unless it was taken along the way. */
void dcpn_past_slopes_take(struct past_slopes *past, struct objective *objective);
/* Takes these columns of another copy. */
void dcpn_past_slopes_choose(struct past_slopes *past, struct past_slopes *all, const int64_t *columns);

/* Computes about A'r from the copy of A and keeps it in the place of the oldest reading. Returns how much it has read,
 * in entries of A. */
int64_t dcpn_past_slopes_read(struct past_slopes *past, const double *r, struct sought *sought);
/* Is there a reading for this r? */
int dcpn_past_slopes_has(const struct past_slopes *past, const double *r);
/* Estimates A'r from the readings, of which there must be one. The caller sets the limit. */
struct sought dcpn_past_slopes_estimate(struct past_slopes *past, const double *r);

static inline double dcpn_estimate_at(const struct sought *sought, int64_t j)
{
    return sought->c[0] * (double)sought->g[0][j] + sought->c[1] * (double)sought->g[1][j];
}

#endif
