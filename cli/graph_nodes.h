/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn graph --model ising and mixed: one fit for each variable. */
#ifndef DCPN_CLI_GRAPH_NODES_H
#define DCPN_CLI_GRAPH_NODES_H

#include "graph_options.h"

/* Refuses the options that such a graph does not have. */
int dcpn_cli_check_nodes(const struct cli *cli, const struct graph_options *options);
/* Fits, writes and reports, once the inputs are read. Returns the exit code. */
int dcpn_cli_graph_by_nodes(const struct cli *cli, const struct graph_options *options, struct graph_work *work);
/* Makes signals end the work of the context from here on, until dcpn_cli_watch_end. */
void dcpn_cli_graph_listen(const struct cli *cli);

#endif
