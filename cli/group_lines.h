/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups of a model that are in use: how many of their features are, and how large their coefficients. */
#ifndef DCPN_CLI_GROUP_LINES_H
#define DCPN_CLI_GROUP_LINES_H

#include "command.h"

/* The coefficients that are not 0, by features that ascend, and their groups. All borrowed. */
struct group_source {
    const dcpn_groups *groups;
    const int64_t *index;
    const double *value;
    int64_t count;
    int index_base;
    const char *const *names;        /* of all features; NULL: not known */
    const char *const *names_in_use; /* of those in index, where names are not known; NULL: neither */
};

struct group_line {
    const char *name;    /* of the group, or of a feature in none; NULL: that has no name */
    int64_t number;      /* of that feature, as in the data; -1: a group */
    int64_t group;       /* -1: a feature in none */
    int64_t size, used;  /* features in the group, and those whose coefficient is not 0 */
    double norm, total;  /* (sum x_j^2)^(1/2), sum |x_j| */
};

struct group_lines {
    struct group_line *lines;
    int64_t count;
};

/* The place of a feature in index; -1: its coefficient is 0. */
int64_t dcpn_cli_find_coefficient(const struct group_source *from, int64_t feature);
/* Gathers the groups in use. Returns the exit code. */
int dcpn_cli_group_lines_gather(const struct cli *cli, const struct group_source *from, struct group_lines *groups);
/* Sorts by "size" or "value", the largest norm first; by "feature", as the groups were given; or by "name". */
void dcpn_cli_group_lines_sort(struct group_lines *groups, const char *order);
/* The format is "table", "csv" or "json". */
void dcpn_cli_group_lines_print(FILE *stream, const struct group_lines *groups, const char *format);
void dcpn_cli_group_lines_free(struct group_lines *groups);

#endif
