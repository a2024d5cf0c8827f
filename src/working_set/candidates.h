/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of a fit with a search, of far more features than rows, on a short list of columns. */
#ifndef DCPN_SRC_CANDIDATES_H
#define DCPN_SRC_CANDIDATES_H

#include "solver/solver.h"

/* At the start of a run: makes solver->short_list where it pays, and leaves it NULL elsewhere. */
dcpn_status dcpn_short_list_start(dcpn_solver *solver);
void dcpn_short_list_free(dcpn_solver *solver);
void dcpn_short_list_interrupt(struct short_list *list);

/* Is the next step one on the list? The point has been looked at. */
int dcpn_short_list_has_step(const dcpn_solver *solver);
/* From the solver's point to a lower one that is stationary on the list, or to the end of a search there. */
dcpn_status dcpn_short_list_step(dcpn_solver *solver);
/* Nothing is left to look for: a stationary point is the last. */
int dcpn_short_list_is_done(const dcpn_solver *solver);

#endif
