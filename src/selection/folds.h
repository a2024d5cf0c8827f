/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DCPN_SRC_FOLDS_H
#define DCPN_SRC_FOLDS_H

#include "dcpn/cv.h"

/* The side of a subsample: the rows drawn from each stratum, or the rest. A stratum of a single row is wholly on
 * both sides. */
enum subsample_side { SUBSAMPLE_DRAWN, SUBSAMPLE_REST };
/* Draws a share of the rows of each stratum (strata NULL: of all rows) without replacement, or takes the rest, as
 * `side` says. Rows whose stratum is NaN are always taken. rows_of, with room for all rows, gets the numbers of the
 * rows, ascending. order is scratch for all rows. Returns how many rows there are. */
int64_t dcpn_draw_subsample(const double *strata, int64_t rows, double share, uint64_t seed, enum subsample_side side,
                            int64_t *order, int64_t *rows_of);

/* ---- without a look at other rows, which may be on other ranks; `row` is its number among those of all ranks ---- */

int64_t dcpn_fold_of_row(uint64_t seed, int64_t row, int64_t folds);
/* Is the row in a subsample of about this share of them? */
int dcpn_is_row_drawn(uint64_t seed, int64_t row, double share);

#endif
