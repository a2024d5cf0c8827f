/* SPDX-License-Identifier: BSD-3-Clause */
/* The best model of each number of features, from inside: by_size.c takes sets from paths, by_size_search.c exchanges
 * features. */
#ifndef DCPN_SRC_BY_SIZE_H
#define DCPN_SRC_BY_SIZE_H

#include "path/fitting.h"
#include "path/refit.h"

/* A set of features of a point. */
struct candidate {
    const dcpn_path *path;
    const dcpn_path_point *point;
    uint64_t sum; /* of its features */
    int64_t order;
};

/* What comes and leaves as a whole: a group with one norm, or a feature. */
struct units {
    int64_t count;
    const int64_t *start, *member; /* unit u has the columns member[start[u]] .. member[start[u + 1] - 1], ascending */
    int64_t *of;                   /* column */
    double *number;                /* space: one for each unit */
    int64_t *alone;                /* start and member, unless they are those of groups */
};

/* The best one of a size. */
struct subset {
    int is_there, is_new; /* is_new: found when a larger set lost something */
    double value;     /* f */
    int64_t *columns; /* of the plan, ascending */
    double *x;        /* of these, and an intercept */
};

struct choosing {
    struct fitting *f;
    struct refit refit;
    struct units units;
    int64_t most;           /* features */
    struct subset *subsets; /* 0 to most */
    int64_t *columns, *column_space;
    double *x, *x_space;
    int64_t candidate_count;
    struct candidate *candidates;
    const dcpn_path *sets;  /* the path whose sets they are; NULL: those of all paths before */
    int64_t kept;       /* up to which size better sets are searched for; 0: none */
    double *space;      /* of the search: a number for each coefficient, */
    int64_t *leaving;   /* a set, */
    double search_ends; /* and how many entries have been touched by then */
};

/* Refits the columns c->columns from c->x; if they are the best of their number so far, they are kept. */
void dcpn_by_size_try(struct choosing *c, int64_t count);
/* Spreads the coefficients of the best set of a size over x, which has a number for each column of the plan. */
void dcpn_by_size_spread(const struct choosing *c, int64_t count, double *x);
/* Has the unit of the column no penalty, so that it always stays? */
int dcpn_by_size_is_free(const struct choosing *c, int64_t column);

static inline int64_t dcpn_unit_size(const struct units *units, int64_t u)
{
    return units->start[u + 1] - units->start[u];
}

/* by_size_search.c: better sets of up to c->kept features. */
void dcpn_by_size_search(struct choosing *c);

#endif
