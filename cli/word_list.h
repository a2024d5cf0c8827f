/* SPDX-License-Identifier: BSD-3-Clause */
/* Words between commas, as options give them. */
#ifndef DCPN_CLI_WORD_LIST_H
#define DCPN_CLI_WORD_LIST_H

#include "command.h"

/* Splits "a,b,c". One block of memory, texts included; NULL: there was none, which has been said. */
char **dcpn_cli_split(const struct cli *cli, const char *list, int64_t *count);

#endif
