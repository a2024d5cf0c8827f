/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands to which only some of the settings mean something. */
#ifndef DCPN_CLI_MEANT_SETTINGS_H
#define DCPN_CLI_MEANT_SETTINGS_H

#include "command.h"

/* Refuses a setting that was given and is not among `meant`, which ends with NULL: "--NAME: " and the sentence. */
int dcpn_cli_refuse_others(const struct cli *cli, const char *const *meant, const char *sentence);
/* Refuses --lambda beside --lambdas or --nlambda. */
int dcpn_cli_refuse_two_grids(const struct cli *cli);
/* The number of lambdas that a command is to choose from: that of the listed ones, 0 beside one --lambda, or `wanted`
 * for a grid, for which 0 stands for `standard`. */
int64_t dcpn_cli_lambda_count(const struct cli *cli, int64_t listed, int64_t wanted, int64_t standard);

#endif
