/* SPDX-License-Identifier: BSD-3-Clause */
/* The unit in which the shapes of penalties are given: 1 / the curvature of f. */
#ifndef DCPN_SRC_SHAPE_UNIT_H
#define DCPN_SRC_SHAPE_UNIT_H

#include "matrix/matrix.h"
#include "problem/targets.h"

/* Finds the unit. It is 0 if the shape is taken as it is, because raw units are asked for, because the penalty has no
 * shape, or because the curvature is not known, which is so for a smooth f of the caller's own and for a loss without a
 * supremum of it. A is the matrix of the plan. */
dcpn_status dcpn_shape_unit_find(const struct targets *targets, const dcpn_problem *problem,
                                 const dcpn_settings *settings, const struct parts *parts, const dcpn_matrix *A,
                                 double *unit);
/* Do both read the same parameters? */
int dcpn_same_shape(const dcpn_penalty_ops *a, const dcpn_penalty_ops *b);
/* The shape that settings name, in raw units; inner may be NULL. */
dcpn_penalty_shape dcpn_shape_in(double unit, const dcpn_penalty_ops *penalty, const dcpn_penalty_ops *inner,
                                 const dcpn_settings *settings);

#endif
