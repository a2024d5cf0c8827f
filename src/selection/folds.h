/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DCPN_SRC_FOLDS_H
#define DCPN_SRC_FOLDS_H

#include "dcpn/cv.h"

/* What is drawn of a stratum; the rest of it, which is the whole of a single row, can be asked for instead. */
enum subsample_side { SUBSAMPLE_DRAWN, SUBSAMPLE_REST };
/* share of the rows, of each stratum (NULL: of all), drawn without replacement, and all rows of the stratum NaN; their
 * numbers ascend. Returns how many there are; rows_of has room for all. order is scratch for all rows. */
int64_t dcpn_draw_subsample(const double *strata, int64_t rows, double share, uint64_t seed, enum subsample_side side,
                            int64_t *order, int64_t *rows_of);

/* ---- without a look at other rows, which may be on other ranks; `row` is its number among those of all ranks ---- */

int64_t dcpn_fold_of_row(uint64_t seed, int64_t row, int64_t folds);
/* Is the row in a subsample of about this share of them? */
int dcpn_is_row_drawn(uint64_t seed, int64_t row, double share);

#endif
