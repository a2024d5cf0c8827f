/* SPDX-License-Identifier: BSD-3-Clause */
/* The search over basins: one driver, a list of starts and moves, and one budget.
 *
 * It begins where a plain descent has ended, and keeps the lowest point that it meets, so that it never ends above its
 * start; a deeper search makes all the moves of a shallower one first, so that it never ends above that. */
#ifndef DCPN_SRC_SEARCH_H
#define DCPN_SRC_SEARCH_H

#include "algorithm/algorithm.h"
#include "search/coordinate_moves.h"

enum search_kind { DCPN_SEARCH_OFF, DCPN_SEARCH_PATH, DCPN_SEARCH_PATH_THEN_DROP, DCPN_SEARCH_PATH_AND_DROP };

struct search {
    struct algorithm *local; /* what descends */
    struct moves *moves;
    struct look *look; /* NULL: all columns are read */
    struct watch *watch;
    enum search_kind kind;
    int is_few;     /* the columns are a few candidates of many, on which a descent costs next to nothing */
    int from_0;     /* the plain descent began without features, */
    int is_kept_to; /* or from a start that the caller has reason to stay near */
    double goal;    /* the stationarity of the ends */
    double budget;  /* entries of A that may be touched */
    double *best, best_value;
    double *relaxed;  /* the solution of the last l1 problem */
    double *followed; /* the end at the last lambda */
    int is_crowded;   /* l1 solutions have too many features, here and at every lambda further down */
    double last_value;
    struct descent work; /* what all descents of the search took */
};

void dcpn_search_layout(struct search *search, const struct objective *objective, struct arena *arena);
/* From the point of `local`, an end of the plain descent, to the lowest point that is found, stationary to the goal. */
void dcpn_search_run(struct search *search);

/* ---- for the moves, and for the search of whole paths ---- */

/* From local's x; counts the work. */
struct descent dcpn_search_descend(struct search *search, const struct effort *effort);
/* To where ends can be compared. */
void dcpn_search_descend_loosely(struct search *search);
void dcpn_search_keep_if_better(struct search *search);
void dcpn_search_return_to_best(struct search *search);
/* argmin f + slope |x|_1, from the one before; slope is a multiple of that of the penalty at 0. */
void dcpn_search_relax(struct search *search, double scale);

/* lambda_descent.c: candidates for the best point by continuation in lambda. Down to it from the lambda at which x = 0 is
 * stationary; and to a lower lambda and back, as long as F is lower afterwards. */
void dcpn_search_come_down(struct search *search);
void dcpn_search_kick(struct search *search);

#endif
