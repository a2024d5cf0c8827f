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
#define DCPN_CLI_SELECTION_OPTIONS(TO)                                                                                 \
    DCPN_CLI_FLAG("select", 0, TO(select), "choose lambda, theta and the weight of unlabelled rows on labelled ones"), \
        DCPN_CLI_TEXT("lambdas", 0, "LIST|FILE", TO(lambdas), "0.2,2", "--select: among these"),                       \
        DCPN_CLI_TEXT("shapes", 0, "LIST|FILE", TO(shapes), "0.2,2", "--select: theta; a or gamma where given"),       \
        DCPN_CLI_TEXT("unlabelled-weights", 0, "LIST|FILE", TO(weights), "0.001,0.005,0.01,1", "--select: likewise"),  \
        DCPN_CLI_WHOLE("folds", "N", TO(folds), "0", "5, or fewer", 2, 1000, "--select: parts of the labelled rows"),  \
        DCPN_CLI_WHOLE("seed", "N", TO(seed), "0", NULL, 0, INT64_MAX, "--select: of the folds"),                      \
        DCPN_CLI_TEXT("measure", 0, "NAME", TO(measure), "error", "--select: what is least; deviance, auc, mse, mae")

struct selection_work {
    struct number_list lambdas, shapes, weights;
    dcpn_grid_options options;
    dcpn_grid_selection *selection; /* NULL: none was made */
};

/* All return the exit code. */
int dcpn_cli_selection_words(const struct cli *cli, const struct selection_words *words, struct selection_work *work);
int dcpn_cli_selection_run(const struct cli *cli, const struct training *training, const dcpn_settings *settings,
                           struct watch *watch, struct selection_work *work);
/* One line with the choice; a line for each candidate. */
void dcpn_cli_selection_print(FILE *stream, const dcpn_grid_selection *selection);
void dcpn_cli_selection_print_all(FILE *stream, const dcpn_grid_selection *selection);
void dcpn_cli_selection_free(struct selection_work *work);

#endif
