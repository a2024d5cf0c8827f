/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes of rows with atoms from a file: what predict does with a file of factors. */
#ifndef DCPN_CLI_CODES_H
#define DCPN_CLI_CODES_H

#include "reading.h"

/* Computes the codes; FACTORS and DATA are the arguments. output NULL: standard output. Returns the exit code. */
int dcpn_cli_codes(const struct cli *cli, const struct reading_options *reading, const char *output);

#endif
