/* SPDX-License-Identifier: BSD-3-Clause */
/* "did you mean": the known word nearest to a misspelt one, and to one of other programs. */
#ifndef DCPN_CLI_SUGGESTION_H
#define DCPN_CLI_SUGGESTION_H

#include <stddef.h>

struct suggestion {
    const char *wanted; /* as typed, length characters of it */
    size_t length;
    const char *best; /* NULL: nothing considered is near enough */
    size_t distance;
};

/* What other programs call this option; NULL: nothing that is known. */
const char *dcpn_cli_suggestion_elsewhere(const char *wanted, size_t length);
void dcpn_cli_suggestion_consider(struct suggestion *suggestion, const char *word);

#endif
