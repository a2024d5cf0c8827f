/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DCPN_SRC_CONCORDANCE_H
#define DCPN_SRC_CONCORDANCE_H

#include "selection/measure.h"

/* The share, by weight, of the pairs of rows of one stratum of which it is known who came first, in which the higher score
 * came first, equal scores counting half (Harrell's C). NaN: there are none. rows->loss.user is their struct survival. */
double dcpn_concordance(const struct measured_rows *rows, const double *scores, int64_t *order);

#endif
