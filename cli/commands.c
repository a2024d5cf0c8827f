/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of commands, one file each. */
#include "command.h"

#include <string.h>

static const struct cli_command *const commands[] = {
    &dcpn_cli_fit,  &dcpn_cli_path,       &dcpn_cli_cv,     &dcpn_cli_compare,    &dcpn_cli_predict,
    &dcpn_cli_coef, &dcpn_cli_report,     &dcpn_cli_info,   &dcpn_cli_check_file, &dcpn_cli_convert,
    &dcpn_cli_list, &dcpn_cli_generate,   &dcpn_cli_factor, &dcpn_cli_graph,      &dcpn_cli_complete,
    &dcpn_cli_select, &dcpn_cli_intervals, &dcpn_cli_man,  &dcpn_cli_completion,
};

const struct cli_command *dcpn_cli_command_at(size_t index)
{
    return index < sizeof commands / sizeof commands[0] ? commands[index] : NULL;
}

const struct cli_command *dcpn_cli_find_command(const char *name)
{
    for (size_t i = 0; dcpn_cli_command_at(i); i++)
        if (strcmp(dcpn_cli_command_at(i)->name, name) == 0) return dcpn_cli_command_at(i);
    return NULL;
}
