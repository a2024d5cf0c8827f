/* SPDX-License-Identifier: BSD-3-Clause */
/* A search over basins around any descent: it ends where the descent ends, at the lowest of several places. */
#ifndef DCPN_SRC_MULTISTART_H
#define DCPN_SRC_MULTISTART_H

#include "algorithm/algorithm.h"
#include "search/coordinate_moves.h"

/* What follows the present descent; DCPN_SEARCH_RELAX and, on few columns, DCPN_SEARCH_DOWN precede the first one. */
enum search_stage {
    DCPN_SEARCH_RELAX,
    DCPN_SEARCH_DOWN,
    DCPN_SEARCH_GATE,
    DCPN_SEARCH_ZERO,
    DCPN_SEARCH_PATH,
    DCPN_SEARCH_KICK,
    DCPN_SEARCH_DROP,
    DCPN_SEARCH_DONE
};

/* What a run does of it: all, along the l1 path, on small data besides by continuation in lambda. Or, by that alone, which is
 * for few columns: what leads to a first end; what follows from there; or one descent alone. */
enum search_part { DCPN_SEARCH_ALL, DCPN_SEARCH_FIRST, DCPN_SEARCH_REST, DCPN_SEARCH_NONE };

struct global_search {
    struct algorithm algorithm; /* its arrays are those of `local` */
    struct algorithm *local;
    struct moves *escape;
    int drops_at_last, drops_throughout;
    int keeps_to_start; /* nothing is searched from a start of the caller's that leads to an end without moves */
    enum search_part part;
    int has_start;     /* from the caller */
    int from_0;        /* the first descent began at 0, */
    int tries_0;       /* or another one is yet to begin there */
    int has_come_down; /* by continuation, */
    int is_crowded;    /* where l1 solutions have too many features */
    enum search_stage next;
    int level; /* of the path; or rounds of dropping */
    double *best, best_value;
    double *relaxed;   /* the solution of the last l1 problem */
    double last_value; /* F reached from it */
    double *followed;  /* by continuation */
};

/* The descent from local's x until its stationarity is `goal`, or F changes by no more than a share of it in a step. */
void dcpn_search_descend(struct global_search *search, double goal, double change);
/* To where ends can be compared. */
void dcpn_search_descend_loosely(struct global_search *search);
void dcpn_search_keep_if_better(struct global_search *search);
/* The end of a descent from 0. */
void dcpn_search_try_0(struct global_search *search);
/* argmin f + slope |x|_1, from the one before; slope is a multiple of that of the penalty at 0. */
void dcpn_search_relax(struct global_search *search, double scale);

/* continuation.c: the best point becomes the end of a way down in lambda, or what a kick to a lower one leads to, if that
 * is lower. The way down leaves local's x anywhere; a kick starts from there, and that is the best point. */
void dcpn_search_come_down(struct global_search *search);
void dcpn_search_kick(struct global_search *search);

extern const struct algorithm_ops dcpn_global_search_ops;

#endif
