/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks: several of this command that work on one fit, as mpirun starts them. */
#ifndef DCPN_CLI_RANKS_H
#define DCPN_CLI_RANKS_H

#include "training.h"

/* Joins the others if an engine has started this process as one of several, by a module that lies beside the command. From then
 * on rank 0 alone speaks and writes. The exit code. */
int dcpn_cli_ranks_begin(struct cli *cli);
/* The last that is done; does not return where other ranks have to be ended. */
void dcpn_cli_ranks_end(int code);

/* Is there more than this process? */
int dcpn_cli_has_ranks(const struct cli *cli);
/* A call of all ranks: how many rows they have, and how many are on those before this one. */
int dcpn_cli_ranks_place(const struct cli *cli, int64_t rows, int64_t *first, int64_t *all);
/* A call of all ranks: their first exit code that is not 0. */
int dcpn_cli_ranks_agree(const struct cli *cli, int code);
/* A line of how many there are, and what each has sent; nothing where there are none. */
void dcpn_cli_ranks_print(const struct cli *cli, FILE *stream);
/* Refuses options that are not known to several ranks; names and values end with a NULL name. */
struct rank_option {
    const char *name;
    int is_given;
};
int dcpn_cli_ranks_refuse(const struct cli *cli, const struct rank_option *options);

/* The part of the data of this rank: the file of its number, or its share of the one file there is. *whole is to be freed
 * after the data; NULL: they have all. The exit code, the same on all ranks. */
int dcpn_cli_ranks_read(const struct cli *cli, const struct reading_options *options, dcpn_read_options how,
                        dcpn_dataset **data, dcpn_matrix **whole);

#endif
