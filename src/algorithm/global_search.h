/* SPDX-License-Identifier: BSD-3-Clause */
/* A search over basins around any descent: it ends where the descent ends, at the lowest of several places. */
#ifndef DCPN_SRC_GLOBAL_SEARCH_H
#define DCPN_SRC_GLOBAL_SEARCH_H

#include "algorithm/algorithm.h"
#include "step/escape.h"

/* What follows the present descent; DCPN_SEARCH_RELAX precedes the first one. */
enum search_stage { DCPN_SEARCH_RELAX, DCPN_SEARCH_GATE, DCPN_SEARCH_PATH, DCPN_SEARCH_DROP, DCPN_SEARCH_DONE };

struct global_search {
    struct algorithm algorithm; /* its arrays are those of `local` */
    struct algorithm *local;
    struct escape *escape;
    int with_drop;
    int from_0; /* the first descent began there */
    enum search_stage next;
    int level; /* of the path; or rounds of dropping */
    double *best, best_value;
    double *relaxed;   /* the solution of the last l1 problem */
    double last_value; /* F reached from it */
};

extern const struct algorithm_ops dcpn_global_search_ops;

#endif
