/* SPDX-License-Identifier: BSD-3-Clause */
/* How good scores are on rows with known labels. */
#ifndef DCPN_SRC_MEASURE_H
#define DCPN_SRC_MEASURE_H

#include "base/ranks.h"
#include "dcpn/extend.h"

struct measured_rows {
    dcpn_loss
        loss; /* y and w of these rows; y is -1 or +1 for two classes, 0, 1, ... for many, with `width` scores a row */
    double *sorted;                /* room for a score of each row */
    const double *strata;          /* of times to events; NULL: one */
    const struct row_place *exact; /* sums are exact, over these rows of all ranks; NULL: they are plain */
    dcpn_context *context;         /* of the ranks */
    int has_ranking;               /* with exact sums: what needs the order of all rows is wanted, at two words a row */
};

/* One number, a weighted mean over the rows; NaN where it is not defined, or a ranking is not wanted. */
struct measure {
    const char *name;
    int larger_is_better;
    double (*of)(const struct measured_rows *rows, const double *scores, int64_t *order);
};

/* The measures of a loss; returns how many there are. */
int dcpn_measures_of(dcpn_targets targets, const struct measure **measures);
/* exact_auc.c: over the rows of all ranks. */
double dcpn_exact_auc(const struct measured_rows *rows, const double *scores);

#endif
