/* SPDX-License-Identifier: BSD-3-Clause */
/* Is the work to end? Asked in every loop that can be long. */
#ifndef DCPN_SRC_INTERRUPT_H
#define DCPN_SRC_INTERRUPT_H

#include "dcpn/base.h"

/* Returns 1 once the context, or the one that it works for, was interrupted. It asks the caller's poll when it is time
 * to. */
int dcpn_is_interrupted(dcpn_context *context);
/* Fails with DCPN_CANCELLED if the work was interrupted; `what` names what was cut short. */
dcpn_status dcpn_refuse_interrupted(dcpn_context *context, const char *what);

#endif
