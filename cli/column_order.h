/* SPDX-License-Identifier: BSD-3-Clause */
/* A model for data whose columns have the names that it knows, in another order. */
#ifndef DCPN_CLI_COLUMN_ORDER_H
#define DCPN_CLI_COLUMN_ORDER_H

#include "command.h"

/* Moves coefficients to the columns that have their names, each of which must be there once; other names are refused.
 * Returns the exit code. */
int dcpn_cli_follow_names(const struct cli *cli, dcpn_model *model, const dcpn_dataset *data, const char *path,
                          int quiet);

#endif
