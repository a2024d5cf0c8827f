/* SPDX-License-Identifier: BSD-3-Clause */
/* --max-memory: how much a command may use. */
#ifndef DCPN_CLI_MEMORY_H
#define DCPN_CLI_MEMORY_H

#include "command.h"

#define DCPN_CLI_USUAL_SHARE "80%" /* of what the machine or the cgroup has */

/* Sets the limit of the context from cli->max_memory, the usual one if it is not given. The exit code. */
int dcpn_cli_limit_memory(const struct cli *cli);

#endif
