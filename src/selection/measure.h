/* SPDX-License-Identifier: BSD-3-Clause */
/* How good scores are on rows with known labels. */
#ifndef DCPN_SRC_MEASURE_H
#define DCPN_SRC_MEASURE_H

#include "dcpn/extend.h"

struct measured_rows {
    dcpn_loss loss; /* y and w of these rows; y is -1 or +1 for two classes, 0, 1, ... for many, with `width` scores a row */
    double *sorted; /* room for a score of each row */
    const double *strata; /* of times to events; NULL: one */
};

/* One number, a weighted mean over the rows; NaN where it is not defined. */
struct measure {
    const char *name;
    int larger_is_better;
    double (*of)(const struct measured_rows *rows, const double *scores, int64_t *order);
};

/* The measures of a loss; returns how many there are. */
int dcpn_measures_of(dcpn_targets targets, const struct measure **measures);

#endif
