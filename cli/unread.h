/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings on the command line that nothing reads: --theta for a penalty that has none. */
#ifndef DCPN_CLI_UNREAD_H
#define DCPN_CLI_UNREAD_H

#include "command.h"

/* Refuses a setting of other penalties or losses than those chosen; several penalties are enough if one of them reads it.
 * The exit code. */
int dcpn_cli_refuse_unread(const struct cli *cli, const dcpn_settings *settings, const char *const *penalties,
                           int64_t count);
/* The same of --shapes. */
int dcpn_cli_refuse_shapes(const struct cli *cli, const char *const *penalties, int64_t count);

#endif
