/* SPDX-License-Identifier: BSD-3-Clause */
/* fit --select: lambda, the shape of the penalty and the weight of unlabelled rows, chosen on a grid. */
#ifndef DCPN_CLI_SELECTION_H
#define DCPN_CLI_SELECTION_H

#include "training.h"
#include "watch.h"

struct selection_words {
    int select;
    const char *lambdas, *shapes, *weights, *measure;
    int64_t folds, seed;
};

/* Rows of an option table; TO gives the offset of a field of selection_words. */
#define DCPN_CLI_SELECTION_TEXT(NAME, ARGUMENT, TARGET, DEFAULT_HELP, HELP)                                            \
    {                                                                                                                  \
        .name = NAME, .kind = DCPN_CLI_KIND_TEXT, .offset = TARGET, .argument = ARGUMENT,                              \
        .default_help = DEFAULT_HELP, .help = HELP, .advanced = 1                                                      \
    }
#define DCPN_CLI_SELECTION_WHOLE(NAME, TARGET, DEFAULT_HELP, LOW, HIGH, HELP)                                          \
    {                                                                                                                  \
        .name = NAME, .kind = DCPN_CLI_KIND_WHOLE, .offset = TARGET, .argument = "N", .default_text = "0",             \
        .default_help = DEFAULT_HELP, .low = LOW, .high = HIGH, .help = HELP, .advanced = 1                            \
    }
#define DCPN_CLI_SELECTION_OPTIONS(TO)                                                                                 \
    DCPN_CLI_FLAG("select", 0, TO(select), "choose lambda and the like by cross-validation"),                          \
        DCPN_CLI_SELECTION_TEXT("lambdas", "LIST|FILE", TO(lambdas), "0.2,2", "--select: among these"),                \
        DCPN_CLI_SELECTION_TEXT("shapes", "LIST|FILE", TO(shapes), "0.2,2", "--select: theta; a, gamma where given"),  \
        DCPN_CLI_SELECTION_TEXT("unlabelled-weights", "LIST|FILE", TO(weights), "0.001,0.005,0.01,1",                  \
                                "--select: among these"),                                                              \
        DCPN_CLI_SELECTION_TEXT("measure", "NAME", TO(measure), "error", "of --select: or deviance, auc, mse, mae"),   \
        DCPN_CLI_SELECTION_WHOLE("folds", TO(folds), "5, or fewer", 2, 1000, "--select: of the labelled rows"),        \
        DCPN_CLI_SELECTION_WHOLE("seed", TO(seed), NULL, 0, INT64_MAX, "--select: of the folds")

struct selection_work {
    struct number_list lambdas, shapes, weights;
    dcpn_grid_options options;
    dcpn_grid_selection *selection; /* NULL: none was made */
};

/* The following functions return the exit code. */
int dcpn_cli_selection_words(const struct cli *cli, const struct selection_words *words, struct selection_work *work);
int dcpn_cli_selection_run(const struct cli *cli, const struct training *training, const dcpn_settings *settings,
                           struct watch *watch, struct selection_work *work);
/* Print a line with the choice, and a line for each candidate. */
void dcpn_cli_selection_print(FILE *stream, const dcpn_grid_selection *selection);
void dcpn_cli_selection_print_all(FILE *stream, const dcpn_grid_selection *selection);
void dcpn_cli_selection_free(struct selection_work *work);

#endif
