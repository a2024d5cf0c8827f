/* SPDX-License-Identifier: BSD-3-Clause */
/* Times to events from the columns of a table: --time, --event, --entry and --strata. */
#ifndef DCPN_CLI_SURVIVAL_H
#define DCPN_CLI_SURVIVAL_H

#include "training.h"

/* How the table is to be read: the time as labels, the other columns left out. *ignored is to be freed. The exit code. */
int dcpn_cli_survival_reading(const struct cli *cli, const struct training_options *options,
                              struct reading_options *reading, char **ignored);
/* Reads the other columns, and makes of the labels times of events and, below 0, of rows that were censored. The exit code. */
int dcpn_cli_survival_read(const struct cli *cli, const struct training_options *options, struct training *training);
/* The stratum of each row of another table. *strata is to be freed. The exit code. */
int dcpn_cli_survival_strata(const struct cli *cli, const char *path, const char *column, int64_t rows, double **strata);

#endif
