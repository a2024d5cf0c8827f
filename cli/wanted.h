/* SPDX-License-Identifier: BSD-3-Clause */
/* The features that a model uses, each once: what is to be read of a table. */
#ifndef DCPN_CLI_WANTED_H
#define DCPN_CLI_WANTED_H

#include "command.h"

struct wanted {
    int64_t count;
    char **names; /* those of the model; NULL: it has none */
    double *fill; /* what each counts as where it is missing; NULL: not known */
    void *memory;
};

int dcpn_cli_wanted_of(const struct cli *cli, const dcpn_model *model, struct wanted *wanted);
void dcpn_cli_wanted_free(struct wanted *wanted);

/* The value that an option gave to the fit; NULL: it was not given. */
const char *dcpn_cli_given_to_fit(const dcpn_model *model, const char *option);

#endif
