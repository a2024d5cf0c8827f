/* SPDX-License-Identifier: BSD-3-Clause */
/* Where descents with a penalty that is not convex start: at the end of l1 with a slope of its own. */
#ifndef DCPN_SRC_PENALTY_START_H
#define DCPN_SRC_PENALTY_START_H

#include "penalty/penalty.h"

/* Returns the least slope of f at 0, no larger than p'(0+), at which the prox of p for the curvature 1 / unit does
 * not give 0. It is lambda for capped-l1, SCAD and MCP with their usual shapes. For log and lp it is far less than
 * p'(0+), which keeps at 0 what is there. */
double dcpn_penalty_least_kept(const struct penalty *penalty, double unit);

#endif
