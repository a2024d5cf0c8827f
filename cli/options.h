/* SPDX-License-Identifier: BSD-3-Clause */
/* Options: one table per command, from which the parser, the help and the man page are made. */
#ifndef DCPN_CLI_OPTIONS_H
#define DCPN_CLI_OPTIONS_H

#include "dcpn/dcpn.h"

struct cli;

enum cli_kind {
    DCPN_CLI_KIND_FLAG,  /* int */
    DCPN_CLI_KIND_TEXT,  /* const char *; NULL if not given */
    DCPN_CLI_KIND_WHOLE, /* int64_t */
    DCPN_CLI_KIND_WORD   /* const char *, one of choices */
};

struct cli_option {
    const char *name; /* without the dashes; NULL ends a table */
    char letter;      /* 0: none */
    enum cli_kind kind;
    size_t offset;            /* of the target in the command's struct of options */
    const char *argument;     /* its name in the help; NULL for a flag */
    const char *default_text; /* stored when the option is not given; NULL: 0 */
    const char *default_help; /* in the help instead of default_text */
    int64_t low, high;
    const char *choices; /* words separated by | */
    const char *help;    /* NULL: not shown, another name for one that is */
    int advanced; /* shown by --help-all only, and in the manual page */
};

/* TARGET is the offset of the option's field. */
#define DCPN_CLI_FLAG(NAME, LETTER, TARGET, HELP)                                                                      \
    {                                                                                                                  \
        .name = NAME, .letter = LETTER, .kind = DCPN_CLI_KIND_FLAG, .offset = TARGET, .help = HELP                     \
    }
#define DCPN_CLI_TEXT(NAME, LETTER, ARGUMENT, TARGET, DEFAULT_HELP, HELP)                                              \
    {                                                                                                                  \
        .name = NAME, .letter = LETTER, .kind = DCPN_CLI_KIND_TEXT, .offset = TARGET, .argument = ARGUMENT,            \
        .default_help = DEFAULT_HELP, .help = HELP                                                                     \
    }
#define DCPN_CLI_WHOLE(NAME, ARGUMENT, TARGET, DEFAULT, DEFAULT_HELP, LOW, HIGH, HELP)                                 \
    {                                                                                                                  \
        .name = NAME, .kind = DCPN_CLI_KIND_WHOLE, .offset = TARGET, .argument = ARGUMENT, .default_text = DEFAULT,    \
        .default_help = DEFAULT_HELP, .low = LOW, .high = HIGH, .help = HELP                                           \
    }
#define DCPN_CLI_WORD(NAME, ARGUMENT, TARGET, DEFAULT, CHOICES, HELP)                                                  \
    {                                                                                                                  \
        .name = NAME, .kind = DCPN_CLI_KIND_WORD, .offset = TARGET, .argument = ARGUMENT, .default_text = DEFAULT,     \
        .choices = CHOICES, .help = HELP                                                                               \
    }
#define DCPN_CLI_END                                                                                                   \
    {                                                                                                                  \
        .name = NULL                                                                                                   \
    }

/* Options of every command; their targets are in struct cli. */
extern const struct cli_option dcpn_cli_common_options[];

/* dcpn_cli_parse returns this or the exit code with which to end at once. */
#define DCPN_CLI_GO_ON (-1)

/* Stores the options of argv in target, the command's own struct, and in settings (NULL if it takes none); all other
 * arguments go to cli->arguments. --help is answered here, and whatever is wrong is said here. */
int dcpn_cli_parse(struct cli *cli, int argc, char **argv, void *target, dcpn_settings *settings);
/* Sets one setting; what other programs call its value is answered with what it is here. The exit code. */
int dcpn_cli_set(const struct cli *cli, dcpn_settings *settings, const char *option, const char *text);
/* Was the option, a setting or one of the command's own, on the command line? */
int dcpn_cli_is_given(const struct cli *cli, const char *name);

#endif
