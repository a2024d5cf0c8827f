/* SPDX-License-Identifier: BSD-3-Clause */
/* W, the curvature of the rows that a Hessian A'WA is made of. */
#ifndef DCPN_SRC_ROW_CURVATURE_H
#define DCPN_SRC_ROW_CURVATURE_H

#include "metric/metric.h"

/* phi1'' at the point, or what the settings and the care after a cut step ask for in its place; space has a number for
 * each row. The floor is laid under it; returns the largest of W / weight, with the floor. */
double dcpn_row_curvature(const struct metric *metric, const struct point *point, double *w, double *space);

#endif
