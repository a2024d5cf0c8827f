/* SPDX-License-Identifier: BSD-3-Clause */
/* Times to events from the columns of a table: --time, --event, --entry and --strata. */
#ifndef DCPN_CLI_SURVIVAL_H
#define DCPN_CLI_SURVIVAL_H

#include "training.h"

/* Finds how the table is to be read: with the time as labels, and without the other columns. *ignored is to be freed.
 * Returns the exit code. */
int dcpn_cli_survival_reading(const struct cli *cli, const struct training_options *options,
                              struct reading_options *reading, char **ignored);
/* Reads the other columns. Labels become the times of events or, for rows that were censored, minus the times. Returns
 * the exit code. */
int dcpn_cli_survival_read(const struct cli *cli, const struct training_options *options, struct training *training);
/* Reads the stratum of each row of another table. *strata is to be freed. Returns the exit code. */
int dcpn_cli_survival_strata(const struct cli *cli, const char *path, const char *column, int64_t rows,
                             double **strata);

#endif
