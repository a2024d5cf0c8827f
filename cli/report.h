/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports: for the command of that name, and for those that make one of their own results. */
#ifndef DCPN_CLI_REPORT_H
#define DCPN_CLI_REPORT_H

#include "findings.h"
#include "trace.h"

/* The page of the point that options choose; trace may be NULL. The exit code. */
int dcpn_cli_report_page(const struct findings *findings, const struct choice_options *options,
                         const struct trace *trace, const char *path);
/* The page of a text that is (or would be) in a result file called name: dcpn_cli_findings_parse and
 * dcpn_cli_report_page. */
int dcpn_cli_report_text(const struct cli *cli, const char *name, const char *text, size_t length, const char *path);

#endif
