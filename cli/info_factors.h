/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn info of factors. */
#ifndef DCPN_CLI_INFO_FACTORS_H
#define DCPN_CLI_INFO_FACTORS_H

#include "command.h"

/* A file that dcpn factor wrote. The exit code. */
int dcpn_cli_describe_factors(const struct cli *cli, const char *path, int json);

#endif
