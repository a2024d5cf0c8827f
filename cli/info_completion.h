/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn info of a completed matrix. */
#ifndef DCPN_CLI_INFO_COMPLETION_H
#define DCPN_CLI_INFO_COMPLETION_H

#include "command.h"

/* A file that dcpn complete wrote. The exit code. */
int dcpn_cli_describe_completion(const struct cli *cli, const char *path, int json);

#endif
