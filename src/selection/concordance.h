/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DCPN_SRC_CONCORDANCE_H
#define DCPN_SRC_CONCORDANCE_H

#include "selection/measure.h"

/* Returns Harrell's C: among the pairs of rows of one stratum where it is known who came first, the share, by
 * weight, in which the higher score came first; equal scores count half. It is NaN if there are no such pairs.
 * rows->loss.user is the struct survival of the rows. */
double dcpn_concordance(const struct measured_rows *rows, const double *scores, int64_t *order);

#endif
