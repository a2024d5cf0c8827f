/* SPDX-License-Identifier: BSD-3-Clause */
/* The comparison that a cross-validation makes where nobody has named a penalty. */
#ifndef DCPN_SRC_COMPARISON_H
#define DCPN_SRC_COMPARISON_H

#include "selection/cv.h"

/* Ridges of refitted models, and the 0 that ends them. */
enum { DCPN_COMPARISON_RIDGES = 3 };

/* Sets the options of the comparison that the caller has not set, and the ridge among the settings. Those of refitted
 * models are kept in `ridges`; NULL: there are none. */
dcpn_status dcpn_comparison_set(dcpn_context *context, const dcpn_problem *problem, dcpn_settings *settings,
                                dcpn_path_options *options, double *ridges);
/* Sets the penalties that are compared with groups, l1 and mcp. */
void dcpn_comparison_of_groups(dcpn_path_options *options);

#endif
