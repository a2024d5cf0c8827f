/* SPDX-License-Identifier: BSD-3-Clause */
/* Descents on nested sets of columns: all of them; the candidates, where all are far too many; and within either the
 * working set of the method.
 *
 *     solve(all):         repeat
 *                             descend on the candidates
 *                             look at all columns; the steepest are the next candidates
 *                         until the point is stationary on all of them */
#ifndef DCPN_SRC_LEVELS_H
#define DCPN_SRC_LEVELS_H

#include "workspace/workspace.h"

struct levels {
    struct workspace *all;
    struct workspace *few; /* on the candidates; NULL: the columns are not that many */
    int64_t *columns;      /* the candidates, */
    int64_t count;
    double *steepness; /* of each column for its penalty, at the point of the list; */
    double *at_start;  /* the same where the first list was chosen; */
    double *space;     /* and two numbers more for each */
    int has_start;     /* there was a first list in this run */
};

dcpn_status dcpn_levels_new(const struct plan *plan, struct levels *levels);
void dcpn_levels_free(struct levels *levels);

/* Descends from the point of `all` to one that is stationary on all columns. */
dcpn_status dcpn_solve(struct levels *levels, const struct effort *effort, struct watch *watch,
                       struct descent *descent);
/* dcpn_solve_and_search does the same, and goes on from there to the lowest point that the plan's search finds. from_0:
 * the point has no features; is_kept_to: the caller has reason to stay near it. */
struct start {
    int from_0, is_kept_to;
};
dcpn_status dcpn_solve_and_search(struct levels *levels, const struct start *start, const struct effort *effort,
                                  struct watch *watch, struct descent *descent);
/* One stage of that search by itself, from the point of `all`, which dcpn_solve has left: its end is stationary on all
 * columns and not above that point. */
struct search_stage {
    enum search_kind kind;
    struct start start;
    double local, so_far; /* the work of the plain descent, and of all so far, on which the budget depends */
};
dcpn_status dcpn_search_stage(struct levels *levels, const struct search_stage *stage, const struct effort *effort,
                              struct watch *watch, struct descent *descent);

/* Begins a run, in which nothing is counted yet. */
void dcpn_levels_begin(struct levels *levels);
/* The number of entries of A that were touched since then. */
int64_t dcpn_levels_touched(const struct levels *levels);

/* lookers.c gives looks what spares them readings of columns, as far as it pays. On wide data that is a copy of the
 * columns in bytes; `few` has a part of the copy of `all`. */
dcpn_status dcpn_give_byte_copy(struct workspace *all);
dcpn_status dcpn_share_byte_copy(struct workspace *few, const struct workspace *all);
/* Gives the looks of a path bounds on slopes, which were read at lambdas before. */
dcpn_status dcpn_give_slope_bounds(struct workspace *workspace);
/* Are columns full and many, so that lists of them are worth their while? */
int dcpn_is_wide(const struct workspace *workspace);

#endif
