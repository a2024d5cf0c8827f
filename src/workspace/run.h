/* SPDX-License-Identifier: BSD-3-Clause */
/* What settings say of a run: how far its descents go, and what ends it. */
#ifndef DCPN_SRC_RUN_H
#define DCPN_SRC_RUN_H

#include "workspace/levels.h"

/* Makes a watch for a run that began at that time of the clock, without an observer. */
struct watch dcpn_watch_of(const dcpn_settings *settings, const struct plan *plan, double started_at);
/* The limits of a descent; the goal is that of dcpn_workspace_goal. */
struct effort dcpn_effort_of(const dcpn_settings *settings, const struct plan *plan, double goal);

#endif
