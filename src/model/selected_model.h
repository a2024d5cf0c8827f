/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DCPN_SRC_SELECTED_MODEL_H
#define DCPN_SRC_SELECTED_MODEL_H

#include "dcpn/results.h"

/* Finds the path and the point that the selection asks for, in paths or a cross-validation. Between two lambdas it is
 * the nearer point. */
dcpn_status dcpn_selected_point(const dcpn_results *results, const dcpn_selection *selection, int64_t *path,
                                int64_t *point);
/* The model that the selection asks for, out of paths or a cross-validation. */
dcpn_status dcpn_selected_model(const dcpn_results *results, const dcpn_selection *selection, dcpn_model **model);

#endif
