/* SPDX-License-Identifier: BSD-3-Clause */
/* Outputs that would destroy an input, or one another. */
#ifndef DCPN_CLI_DISTINCT_H
#define DCPN_CLI_DISTINCT_H

#include "command.h"

enum { DCPN_CLI_MOST_FILES = 16 };

/* Paths of files; NULL and "-" do not count. */
struct cli_files {
    const char *reads[DCPN_CLI_MOST_FILES], *writes[DCPN_CLI_MOST_FILES];
};

int dcpn_cli_is_standard_stream(const char *path);
/* Adds one to a list that ends in NULL. */
void dcpn_cli_add_file(const char **files, const char *file);
/* Returns 0 if at most one output is standard output and none is a file that is also read or written otherwise; else
 * says so and returns the exit code. */
int dcpn_cli_check_distinct(const struct cli *cli, const struct cli_files *files);

#endif
