/* SPDX-License-Identifier: BSD-3-Clause */
/* Sees to it that no number leaves the solver that is not finite. */
#ifndef DCPN_SRC_FINITE_H
#define DCPN_SRC_FINITE_H

#include "dcpn/solver.h"
#include "workspace/workspace.h"

/* A result that is about to be handed out. */
struct leaving {
    const dcpn_result *result;
    const int64_t *index; /* of the coefficients; NULL: 0, 1, 2, ... */
    const double *coefficients;
    int64_t count;
    double intercept;
};

/* Refuses, in a sentence, a result in which a number is infinite or NaN. */
dcpn_status dcpn_refuse_infinite_result(dcpn_context *context, const struct leaving *leaving);
/* Refuses an end that needs more columns in use than a matrix of exact sums is made for. */
dcpn_status dcpn_refuse_beyond(const struct workspace *all);

#endif
