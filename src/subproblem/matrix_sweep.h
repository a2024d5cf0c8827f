/* SPDX-License-Identifier: BSD-3-Clause */
/* Coordinate descent on a model whose H is a matrix in memory. */
#ifndef DCPN_SRC_MATRIX_SWEEP_H
#define DCPN_SRC_MATRIX_SWEEP_H

#include "subproblem/subproblem.h"

/* Minimises over each of the listed coordinates in turn; returns the largest violation that was seen. H is a
 * matrix_metric, and h1 has no bounds. */
double dcpn_matrix_sweep(const struct quadratic_model *model, const int64_t *list, int64_t count, double *d);

#endif
