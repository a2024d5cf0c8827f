/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn info of graphs. */
#ifndef DCPN_CLI_INFO_GRAPH_H
#define DCPN_CLI_INFO_GRAPH_H

#include "command.h"

/* A file that dcpn graph wrote. The exit code. */
int dcpn_cli_describe_graphs(const struct cli *cli, const char *path, int json);

/* It does the same of graphs of single fits. */
int dcpn_cli_describe_neighbours(const struct cli *cli, const char *path, int json);

#endif
