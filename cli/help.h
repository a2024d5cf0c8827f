/* SPDX-License-Identifier: BSD-3-Clause */
/* Help: texts made from the tables of commands, options and settings. */
#ifndef DCPN_CLI_HELP_H
#define DCPN_CLI_HELP_H

#include "command.h"

/* All of these return the exit code. */
int dcpn_cli_help_overview(void);
int dcpn_cli_help_command(const struct cli_command *command, int all);

/* The word for the value of a setting or option in the help: "NUMBER", "sum|mean". */
const char *dcpn_cli_setting_argument(const dcpn_setting *setting);
/* Writes the help, choices or range, and default of a setting as one text into a buffer of the caller. */
void dcpn_cli_setting_text(const dcpn_setting *setting, char *text, size_t size);
/* Writes the help and the default of an option into a buffer of the caller. */
void dcpn_cli_option_text(const struct cli_option *option, char *text, size_t size);

#endif
