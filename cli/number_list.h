/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers given on the command line: a list, or the file that has them. */
#ifndef DCPN_CLI_NUMBER_LIST_H
#define DCPN_CLI_NUMBER_LIST_H

#include "command.h"

struct number_list {
    double *numbers; /* NULL: the option was not given */
    int64_t count;
};

/* Reads a list like "0.1,0.2", or a file with one number a line. text NULL: there is no list. Returns the exit code. */
int dcpn_cli_number_list(const struct cli *cli, const char *option, const char *text, struct number_list *list);
/* Reads one number within a range. text NULL: the number stays as it is. */
int dcpn_cli_number(const struct cli *cli, const char *option, const char *text, double low, double high,
                    double *number);
/* Is the text a list of numbers, as opposed to the name of a file? */
int dcpn_cli_is_number_list(const char *text);
void dcpn_cli_number_list_free(struct number_list *list);

#endif
