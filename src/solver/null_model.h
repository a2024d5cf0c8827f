/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a path starts: the model without features. */
#ifndef DCPN_SRC_NULL_MODEL_H
#define DCPN_SRC_NULL_MODEL_H

#include "solver/solver.h"

/* 2 times the weighted sum of the losses at u, whatever the scale. */
double dcpn_solver_deviance(const dcpn_solver *solver, const double *u);
/* The deviance of the best intercept (of 0 without one) and the offset. u has room for the rows. */
double dcpn_solver_null_deviance(const dcpn_solver *solver, double *u);
/* The sum of the row weights as given. */
double dcpn_solver_weight(const dcpn_solver *solver);

#endif
