/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a problem with rows that have no label starts. */
#ifndef DCPN_SRC_START_H
#define DCPN_SRC_START_H

#include "workspace/run.h"

struct transduction;

/* Makes a transduction; *transduction is NULL if the problem and the settings of the plan do not ask for one. */
dcpn_status dcpn_transduction_new(const struct plan *plan, struct transduction **transduction);
void dcpn_transduction_free(struct transduction *transduction);

/* Finds the start, beginning at x = 0. The rounds that label the rows are done once and serve every penalty. *passes
 * are the passes over the data that this call took besides those of the workspaces. */
dcpn_status dcpn_transduction_start(struct transduction *transduction, struct levels *levels,
                                    const dcpn_settings *settings, struct watch *watch, double *start,
                                    double *passes);
/* Makes the targets of the fit that the start comes from; the caller frees them. */
dcpn_status dcpn_transduction_targets(struct transduction *transduction, struct watch *watch,
                                      struct targets *targets);

#endif
