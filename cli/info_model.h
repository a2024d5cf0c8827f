/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn info of what was fitted. */
#ifndef DCPN_CLI_INFO_MODEL_H
#define DCPN_CLI_INFO_MODEL_H

#include "command.h"

/* A file that holds a model, paths, or a cross-validation. The exit code. */
int dcpn_cli_describe_model(const struct cli *cli, const char *path, int json);

#endif
