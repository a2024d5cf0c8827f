/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of the models in a file of results: the options of the commands that take one. */
#ifndef DCPN_CLI_CHOICE_H
#define DCPN_CLI_CHOICE_H

#include "command.h"

struct choice_options {
    const char *lambda, *rule, *penalty, *shape;
};

/* Rows of an option table; TO gives the offset of a field of choice_options. */
#define DCPN_CLI_CHOICE_OPTIONS(TO, LAMBDA_HELP)                                                                       \
    DCPN_CLI_TEXT("lambda", 0, "NUMBER", TO(lambda), NULL, LAMBDA_HELP),                                               \
        DCPN_CLI_WORD("rule", "RULE", TO(rule), NULL, "min|1se", "of a cross-validation: what it chose"),              \
        DCPN_CLI_TEXT("penalty", 0, "NAME", TO(penalty), NULL, "of several paths: that with this penalty"),            \
        DCPN_CLI_TEXT("shape", 0, "NUMBER", TO(shape), NULL, "of several paths: that with this theta, a or gamma")

/* Takes the words as the library wants them. The exit code. */
int dcpn_cli_choice_words(const struct cli *cli, const struct choice_options *options, dcpn_selection *selection);

#endif
