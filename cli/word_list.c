/* SPDX-License-Identifier: BSD-3-Clause */
/* Words between commas, as options give them. */
#include "word_list.h"

#include <string.h>

char **dcpn_cli_split(const struct cli *cli, const char *list, int64_t *count)
{
    size_t length = strlen(list), most = 1;
    for (size_t i = 0; i < length; i++) most += list[i] == ',';
    *count = 0;
    char **words = dcpn_cli_allocate(cli, (int64_t)(most * sizeof *words + length + 1), 1);
    if (!words) return NULL;
    char *rest = strcpy((char *)(words + most), list);
    while (rest) words[(*count)++] = strsep(&rest, ",");
    return words;
}
