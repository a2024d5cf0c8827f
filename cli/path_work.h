/* SPDX-License-Identifier: BSD-3-Clause */
/* What the commands that follow paths share: their options, where the results came from, and the table of a path. */
#ifndef DCPN_CLI_PATH_WORK_H
#define DCPN_CLI_PATH_WORK_H

#include "checkpoint.h"
#include "distinct.h"
#include "number_list.h"
#include "training.h"
#include "watch.h"

struct path_options {
    const char *output, *report, *lambdas, *min_ratio, *penalties, *shapes, *saturation;
    int64_t nlambda, convexity_limit;
    int strict, quiet, verbose;
    struct checkpoint_options checkpoint;
    struct training_options training;
    dcpn_settings settings;
};

/* Rows of an option table; TO gives the offset of a field of path_options, TO_TRAINING and TO_CHECKPOINT those of one
 * of its parts. */
#define DCPN_CLI_PATH_OPTIONS(TO, TO_TRAINING, TO_CHECKPOINT, PENALTIES)                                               \
    DCPN_CLI_TEXT("penalty", 0, "NAMES", TO(penalties), PENALTIES, "one or several, separated by commas"),             \
        DCPN_CLI_WHOLE("nlambda", "N", TO(nlambda), "0", "100", 1, 1000000, "lambdas from the largest one down"),      \
        DCPN_CLI_TEXT("lambda-min-ratio", 0, "X", TO(min_ratio), "1e-4, or 1e-2 unless rows outnumber features",       \
                      "the least lambda, as a share of the largest"),                                                  \
        DCPN_CLI_TEXT("lambdas", 0, "LIST|FILE", TO(lambdas), NULL, "these instead: all of them are done"),            \
        DCPN_CLI_TEXT("lambda", 0, "LIST|FILE", TO(lambdas), NULL, NULL), /* the same */                               \
        DCPN_CLI_TEXT("shapes", 0, "LIST|FILE", TO(shapes), NULL,                                                      \
                      "values of theta, a or gamma: a second dimension"),                                \
        DCPN_CLI_TEXT("saturation", 0, "X", TO(saturation), "0.999",                                                   \
                      "a path ends when so much of the deviance is explained; 1: never"),                              \
        DCPN_CLI_WHOLE("convexity-limit", "N", TO(convexity_limit), "200", NULL, 0, 5000,                              \
                       "features in use up to which convexity is tested"),                                             \
        DCPN_CLI_TRAINING_OPTIONS(TO_TRAINING), DCPN_CLI_CHECKPOINT_OPTIONS(TO_CHECKPOINT, "the fits that are done"),  \
        DCPN_CLI_FLAG("strict", 0, TO(strict), "exit with 3 if a fit did not converge"),                               \
        DCPN_CLI_FLAG("quiet", 'q', TO(quiet), "say nothing but errors"),                                              \
        DCPN_CLI_FLAG("verbose", 'v', TO(verbose), "say more")
#define DCPN_CLI_REPORT_OPTION(TO)                                                                                     \
    DCPN_CLI_TEXT("report", 0, "PAGE", TO(report), NULL, "where to write a page with tables and figures")

/* dcpn_settings_for_paths, in words. */
#define DCPN_CLI_PATH_NOTE                                                                                             \
    "Starts with --intercept --standardize --scale mean, as glmnet does; --no-intercept, --no-standardize and "        \
    "--scale sum say otherwise. The other options and settings of 'dcpn fit' work here too: see 'dcpn fit "            \
    "--help-all'."

/* The options as the library wants them, and the data that were read. */
struct path_work {
    struct watch watch;
    struct training training;
    dcpn_path_options options;
    struct number_list lambdas, shapes;
    char *names; /* of the penalties, cut at the commas */
    const char **penalties;
    dcpn_provenance provenance;
};

/* All of these return the exit code, or DCPN_CLI_GO_ON. */
/* Parses the words of the command line; the options stand within the target. */
int dcpn_cli_path_parse(struct cli *cli, int argc, char **argv, void *target, struct path_options *options);
/* Refuses all that can be refused before the data are read. files has what the command reads and writes besides; more
 * is its input of one number per row, or NULL. The settings get the first of the penalties. */
int dcpn_cli_path_check(const struct cli *cli, struct path_options *options, const struct cli_files *besides,
                        const char *more, struct path_work *work);
/* Reads the data, chooses the loss if none was chosen, and notes where all of it comes from. */
int dcpn_cli_path_read(const struct cli *cli, struct path_options *options, struct path_work *work);
/* Writes the page, if one is wanted, of paths or of a cross-validation (NULL: none) with those paths. */
int dcpn_cli_path_report(const struct cli *cli, const struct path_options *options, const struct path_work *work,
                         const dcpn_paths *paths, const dcpn_cv *cv);
void dcpn_cli_path_work_free(const struct cli *cli, struct path_work *work);

/* The number of points that did not converge. */
int64_t dcpn_cli_path_unconverged(const dcpn_paths *paths);
/* Warns of --memory where the metric of the fits does not read it. */
void dcpn_cli_path_warn_of_memory(const struct cli *cli, const dcpn_paths *paths);
void dcpn_cli_path_print_title(FILE *stream, const dcpn_path *path);
/* Prints "results       FILE", unless there is no file or it is standard output. */
void dcpn_cli_path_print_file(FILE *stream, const char *what, const char *file);

#endif
