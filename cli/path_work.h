/* SPDX-License-Identifier: BSD-3-Clause */
/* What the commands that follow paths share: their options, where the results came from, and the table of a path. */
#ifndef DCPN_CLI_PATH_WORK_H
#define DCPN_CLI_PATH_WORK_H

#include "number_list.h"
#include "training.h"

struct path_words {
    const char *lambdas, *min_ratio, *penalties, *shapes, *saturation;
    int64_t nlambda, convexity_limit;
};

/* Rows of an option table; TO gives the offset of a field of path_words. */
#define DCPN_CLI_PATH_OPTIONS(TO)                                                                                      \
    DCPN_CLI_TEXT("penalty", 0, "NAMES", TO(penalties), "capped-l1", "one or several, separated by commas"),           \
        DCPN_CLI_WHOLE("nlambda", "N", TO(nlambda), "100", NULL, 1, 1000000, "lambdas from the largest one down"),     \
        DCPN_CLI_TEXT("lambda-min-ratio", 0, "X", TO(min_ratio), "1e-4, or 1e-2 if features outnumber rows",           \
                      "the least lambda, as a share of the largest"),                                                  \
        DCPN_CLI_TEXT("lambdas", 0, "LIST|FILE", TO(lambdas), NULL, "these instead: all of them are done"),            \
        DCPN_CLI_TEXT("lambda", 0, "LIST|FILE", TO(lambdas), NULL, NULL), /* the same */                               \
        DCPN_CLI_TEXT("shapes", 0, "LIST|FILE", TO(shapes), NULL,                                                      \
                      "values of the penalty's theta, a or gamma: a second dimension"),                                \
        DCPN_CLI_TEXT("saturation", 0, "X", TO(saturation), "0.999",                                                   \
                      "a path ends when so much of the deviance is explained; 1: never"),                              \
        DCPN_CLI_WHOLE("convexity-limit", "N", TO(convexity_limit), "200", NULL, 0, 5000,                              \
                       "features in use up to which local convexity is looked at")

/* What path_words say, as the library wants it. */
struct path_work {
    dcpn_path_options options;
    struct number_list lambdas, shapes;
    char *names; /* of the penalties, cut at the commas */
    const char **penalties;
    const char *class_names[2];
    dcpn_provenance provenance;
};

/* Both return the exit code. settings gets the first of the penalties. */
int dcpn_cli_path_words(const struct cli *cli, const struct path_words *words, dcpn_settings *settings,
                        struct path_work *work);
void dcpn_cli_path_provenance(const struct cli *cli, const struct training *training, struct path_work *work);
void dcpn_cli_path_work_free(struct path_work *work);

/* How many points did not converge. */
int64_t dcpn_cli_path_unconverged(const dcpn_paths *paths);
void dcpn_cli_path_print_title(FILE *stream, const dcpn_path *path);

#endif
