/* SPDX-License-Identifier: BSD-3-Clause */
/* The search over basins: one driver, a list of starts and moves, and one budget.
 *
 * It begins where a plain descent has ended, and keeps the lowest point that it meets, so that it never ends above its
 * start. It goes in stages, one for each kind of search. A deeper search makes all stages of a shallower one first,
 * with the same budget, and each stage begins at the end that was certified after the one before, so that it never ends
 * above that.
 *
 * The budget is a multiple of the work of the plain descent. Work is counted in entries of A and is the same with every
 * service on and off (effort.h). */
#ifndef DCPN_SRC_SEARCH_H
#define DCPN_SRC_SEARCH_H

#include "algorithm/algorithm.h"
#include "search/coordinate_moves.h"
#include "search/swap_moves.h"

enum search_kind { DCPN_SEARCH_OFF, DCPN_SEARCH_PATH, DCPN_SEARCH_PATH_THEN_DROP, DCPN_SEARCH_PATH_AND_DROP };

/* A point that is remembered. */
struct kept {
    double *x, value;
};

struct search {
    struct algorithm *local; /* what descends */
    struct moves *moves;
    struct look *look; /* NULL: all columns are read */
    struct watch *watch;
    enum search_kind stage;
    int is_few;          /* the columns are a few candidates of many, on which a descent costs next to nothing */
    int from_0;          /* the plain descent began without features, */
    int is_kept_to;      /* or from a start that the caller has reason to stay near */
    double goal;         /* the stationarity of the ends */
    double budget;       /* work that is left, */
    double reserve;      /* and that of it which is kept for the last descent to the goal */
    struct kept best;    /* the lowest point so far, */
    struct kept settled; /* and the lowest that is stationary to the goal */
    double *relaxed;     /* the solution of the last l1 problem */
    double *followed;    /* the end at the last lambda */
    int is_crowded;      /* l1 solutions have too many features, here and at every lambda further down */
    double last_value;
    struct descent work; /* what all descents of the stage took, and what it left untried */
    struct swaps swaps;
    struct algorithm *gradient; /* descends by the prox of the whole h */
};

void dcpn_search_layout(struct search *search, const struct objective *objective, struct arena *arena);
/* Runs one stage. It begins at the point of `local`, an end of the plain descent, and leaves there the lowest point
 * that it finds, stationary to the goal. */
void dcpn_search_run(struct search *search);

/* ---- for the moves, and for the search of whole paths ---- */

/* The work of the steps and moves so far. */
double dcpn_search_work(const struct search *search);
/* Has the budget been spent, or was the run told to end? */
int dcpn_search_is_over(const struct search *search);
/* Descends from local's x with what is left of the budget, and counts the work. */
struct descent dcpn_search_descend(struct search *search, const struct effort *effort);
/* Descends loosely, as far as is needed to compare ends. */
void dcpn_search_descend_loosely(struct search *search);
void dcpn_search_keep_if_better(struct search *search);
void dcpn_search_return_to_best(struct search *search);
/* Finds argmin f + slope |x|_1 from the last such solution; the slope is `scale` times the slope of the penalty at
 * 0. */
void dcpn_search_relax(struct search *search, double scale);

/* gradient_start.c: takes proximal gradient steps from 0, and descends from where they lead. */
void dcpn_search_from_gradients(struct search *search);

/* lambda_descent.c: candidates for the best point by continuation in lambda. The first goes down to the present
 * lambda from the one at which x = 0 is stationary; the second goes to a lower lambda and back, as long as F is
 * lower afterwards. */
void dcpn_search_come_down(struct search *search);
void dcpn_search_kick(struct search *search);

#endif
