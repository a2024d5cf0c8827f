/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks: several of this command that work on one fit, as mpirun starts them. */
#ifndef DCPN_CLI_RANKS_H
#define DCPN_CLI_RANKS_H

#include "training.h"

/* Joins the others if an engine has started this process as one of several, by a module that lies beside the command.
 * From then on rank 0 alone speaks and writes. The exit code. */
int dcpn_cli_ranks_begin(struct cli *cli);
/* Ends the ranks as the last thing that is done. It does not return if other ranks have to be ended. */
void dcpn_cli_ranks_end(int code);

/* Is there more than this process? */
int dcpn_cli_has_ranks(const struct cli *cli);
/* Finds how many rows all ranks have, and how many of them are on the ranks before this one. All ranks make this
 * call. */
int dcpn_cli_ranks_place(const struct cli *cli, int64_t rows, int64_t *first, int64_t *all);
/* Returns the first exit code of the ranks that is not 0. All ranks make this call. */
int dcpn_cli_ranks_agree(const struct cli *cli, int code);
/* Prints a line that says how many ranks there are, and what each has sent; nothing if there are none. */
void dcpn_cli_ranks_print(const struct cli *cli, FILE *stream);
/* Refuses options that are not known to several ranks; names and values end with a NULL name. */
struct rank_option {
    const char *name;
    int is_given;
};
int dcpn_cli_ranks_refuse(const struct cli *cli, const struct rank_option *options);

/* Reads the data of this rank: the file of its number, or its share of the one file there is. *whole is to be freed
 * after the data; NULL: the data are all there are. Returns the exit code, which is the same on all ranks. */
int dcpn_cli_ranks_read(const struct cli *cli, const struct reading_options *options, dcpn_read_options how,
                        dcpn_dataset **data, dcpn_matrix **whole);

#endif
