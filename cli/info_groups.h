/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn info of groups: of a file of them beside the data, and of a model. */
#ifndef DCPN_CLI_INFO_GROUPS_H
#define DCPN_CLI_INFO_GROUPS_H

#include "command.h"

/* Counts about the groups of so many features. */
struct group_census {
    int64_t count, smallest, largest;
    int64_t alone;    /* features in none */
    int64_t shared;   /* features in several */
    int64_t weighted; /* groups whose weight was given */
};

/* Counts the groups. Returns the exit code. */
int dcpn_cli_group_census(const struct cli *cli, const dcpn_groups *groups, int64_t features,
                          struct group_census *census);
void dcpn_cli_group_census_print(const struct group_census *census);
/* Prints the counts as a member of a JSON object, with a comma before it. */
void dcpn_cli_group_census_json(const struct group_census *census);
/* The number of groups of a model that have a coefficient that is not 0; -1: out of memory. */
int64_t dcpn_cli_groups_in_use(const struct cli *cli, const dcpn_model *model);

#endif
