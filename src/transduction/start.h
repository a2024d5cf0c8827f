/* SPDX-License-Identifier: BSD-3-Clause */
/* Annealing: the start of a problem with unlabelled rows. */
#ifndef DCPN_SRC_START_H
#define DCPN_SRC_START_H

#include "solver/solver.h"

/* Makes solver->annealer if the problem and the settings ask for it. */
dcpn_status dcpn_annealer_new(dcpn_solver *solver);
/* The next run anneals, and counts, as the first one does. */
void dcpn_annealer_forget(dcpn_solver *solver);
/* Runs it and leaves its solution in solver->start; does nothing without one, or if the caller has given a start. */
dcpn_status dcpn_anneal(dcpn_solver *solver);
/* The smallest lambda at which such a fit keeps no feature; without an annealer, dcpn_solver_lambda_max. */
dcpn_status dcpn_annealed_lambda_max(dcpn_solver *solver, double *lambda_max);

#endif
