/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of records: what a record says of a point is compared with the point itself. A record that is not believed
 * is as good as none: the descent is made again, and ends at the same bytes. */
#ifndef DCPN_SRC_JOURNAL_BELIEF_H
#define DCPN_SRC_JOURNAL_BELIEF_H

#include "algorithm/algorithm.h"

/* Are these counts possible for a descent? */
int dcpn_counts_are_believed(const struct descent *descent, int64_t touched);
/* Does the point, as it has just been evaluated, have about this F? */
int dcpn_value_is_believed(double said, const struct algorithm *a);
/* Does the point, as it has just been looked at, have about this stationarity? */
int dcpn_stationarity_is_believed(double said, const struct algorithm *a, const struct effort *effort);
/* Are u and F of the point about those of x, in a descent that began at this F? space has room for u. Leaves both as
 * they are. */
int dcpn_point_is_believed(struct algorithm *a, double begun_at, double *space);

#endif
