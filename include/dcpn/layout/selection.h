/* SPDX-License-Identifier: BSD-3-Clause */
/* The structs behind the handles of selection.h, which only the project itself sees: they may grow in any version. */
#ifndef DCPN_LAYOUT_SELECTION_H
#define DCPN_LAYOUT_SELECTION_H

#include "../selection.h"

typedef struct dcpn_grid_candidate {
    double lambda, value, weight; /* value NaN: there is none, or it is that of the settings given */
    double mean, se;              /* of the measure, over the folds */
} dcpn_grid_candidate;

struct dcpn_grid_selection {
    dcpn_context *context;
    dcpn_settings settings; /* those given, with what was chosen; texts borrowed from those given */
    const char *varying;    /* what the values are of; NULL: the penalty has no such parameter */
    int has_weights;        /* there are rows without a label */
    const char *measure;
    int64_t folds;
    int64_t count, chosen; /* candidates; the position of the chosen one, -1: none */
    dcpn_grid_candidate *candidates;
    double time_s;
    int is_complete; /* 0: ended early, and the candidates are those of the weights that were done */
};

#endif
