/* SPDX-License-Identifier: BSD-3-Clause */
/* Several responses: columns of a table that are predicted together, from the same features. */
#ifndef DCPN_CLI_RESPONSES_H
#define DCPN_CLI_RESPONSES_H

#include "reading.h"

struct responses {
    int64_t count; /* 0: there is one, or classes */
    char **names;  /* one block of memory, texts included */
    double *Y;     /* the first one of all rows, then the second, and so on */
};

/* Splits "a,b,c", given as labels or as their column, into names; anything else is left to the reader. Exit code. */
int dcpn_cli_responses_split(const struct cli *cli, const struct reading_options *reading, struct responses *responses);
/* How the table is read for its features and the first response. *ignored is to be freed. The exit code. */
int dcpn_cli_responses_reading(const struct cli *cli, const struct responses *responses,
                               struct reading_options *reading, char **ignored);
/* Reads the other responses of the table and takes the first from its labels. The exit code. */
int dcpn_cli_responses_read(const struct cli *cli, const char *path, const struct reading_options *reading,
                            const dcpn_dataset *data, struct responses *responses);
/* Does the table have a column of each name? A file that cannot be read has none. */
int dcpn_cli_responses_are_in(const struct cli *cli, const char *path, const struct responses *responses);
void dcpn_cli_responses_free(struct responses *responses);

#endif
