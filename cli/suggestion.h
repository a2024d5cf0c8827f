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

/* The option that other programs call by this name; NULL: none is known. */
const char *dcpn_cli_suggestion_elsewhere(const char *wanted, size_t length);
/* Says what an option of that name, of another program, is here, as the end of a sentence; NULL: a name says it all. */
const char *dcpn_cli_suggestion_explained(const char *wanted, size_t length);
/* Says what an option of one letter, of another program, is here, as the end of a sentence; NULL: none is known. */
const char *dcpn_cli_suggestion_letter(char letter);
/* The command that does what one of this name does in other programs; NULL: none is known. */
const char *dcpn_cli_suggestion_command(const char *name);
/* Says which value other programs call by this name, as the end of a sentence: "; did you mean mcp?"; NULL: none is
 * known. */
const char *dcpn_cli_suggestion_value(const char *option, const char *value);
void dcpn_cli_suggestion_consider(struct suggestion *suggestion, const char *word);

#endif
