/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits of far more features than rows. */
#ifndef DCPN_SRC_WIDE_H
#define DCPN_SRC_WIDE_H

#include "solver/solver.h"

/* Can descents leave out columns of this problem that do not matter? The matrix is full, and the run has no state besides
 * its point. */
int dcpn_can_shorten(const dcpn_solver *solver);
/* At the start of a run: makes solver->glance where it pays, and leaves it NULL elsewhere. */
dcpn_status dcpn_wide_start(dcpn_solver *solver);
void dcpn_wide_free(dcpn_solver *solver);

#endif
