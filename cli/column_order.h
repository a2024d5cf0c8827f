/* SPDX-License-Identifier: BSD-3-Clause */
/* A model for data whose columns have the names that it knows, in another order. */
#ifndef DCPN_CLI_COLUMN_ORDER_H
#define DCPN_CLI_COLUMN_ORDER_H

#include "command.h"

/* Coefficients go to the columns that are called as they are, each of them once; other names are refused. The exit
 * code. */
int dcpn_cli_follow_names(const struct cli *cli, dcpn_model *model, const dcpn_dataset *data, const char *path,
                          int quiet);

#endif
