/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports: for the command of that name, and for those that make one of their own results. */
#ifndef DCPN_CLI_REPORT_H
#define DCPN_CLI_REPORT_H

#include "results.h"
#include "trace.h"

/* Writes the page of the usual point; trace may be NULL. Returns the exit code. */
int dcpn_cli_report_page(const struct results *results, const struct trace *trace, const char *path);

/* Is the file a graph, a completed matrix or factors? */
int dcpn_cli_report_of_matrix(const struct cli *cli, const char *path);
/* Writes its page. Returns the exit code. */
int dcpn_cli_report_matrix(const struct cli *cli, const char *path, const char *output);

#endif
