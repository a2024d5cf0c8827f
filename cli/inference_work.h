/* SPDX-License-Identifier: BSD-3-Clause */
/* What the commands share that say how sure one may be of features. */
#ifndef DCPN_CLI_INFERENCE_WORK_H
#define DCPN_CLI_INFERENCE_WORK_H

#include "distinct.h"
#include "training.h"
#include "watch.h"

struct inference_options {
    const char *output;
    int json, quiet;
    int64_t seed, folds;
    struct training_options training;
    dcpn_settings settings;
};

/* Rows of an option table; TO gives the offset of a field of inference_options, TO_TRAINING of its training. */
#define DCPN_CLI_INFERENCE_OPTIONS(TO, TO_TRAINING)                                                                    \
    DCPN_CLI_TEXT("output", 'o', "FILE", TO(output), NULL, "where to write the same as JSON; - is standard output"),   \
        DCPN_CLI_FLAG("json", 0, TO(json), "print JSON instead of a table"),                                           \
        DCPN_CLI_WHOLE("folds", "N", TO(folds), "0", "10", 2, 1000000, "of the choice of lambda"),                     \
        DCPN_CLI_WHOLE("seed", "N", TO(seed), "1", NULL, 0, INT64_MAX, "of all that is drawn"),                        \
        DCPN_CLI_TRAINING_OPTIONS(TO_TRAINING), DCPN_CLI_FLAG("quiet", 'q', TO(quiet), "say nothing but errors")

struct inference_work {
    struct watch watch;
    struct training training;
};

/* The settings that mean something to these commands, in words. */
#define DCPN_CLI_INFERENCE_NOTE                                                                                        \
    "--loss, --penalty and its shape, --tol, --max-iter and the other options about data as in 'dcpn fit'; fits have " \
    "an intercept and standardised columns"

/* These return the exit code, or DCPN_CLI_GO_ON. */
int dcpn_cli_inference_parse(struct cli *cli, int argc, char **argv, void *target, struct inference_options *options);
/* Refuses what can be refused before the data are read; `files` has what is read and written besides. */
int dcpn_cli_inference_check(const struct cli *cli, const struct inference_options *options,
                             const struct cli_files *files);
/* Reads the data and chooses the loss if none was chosen. */
int dcpn_cli_inference_read(const struct cli *cli, struct inference_options *options, struct inference_work *work);
void dcpn_cli_inference_free(const struct cli *cli, struct inference_work *work);

/* Prints what `print` prints as JSON, to -o and, with --json, to standard output; else `table`. */
typedef void inference_print(FILE *stream, const void *of);
int dcpn_cli_inference_deliver(const struct cli *cli, const struct inference_options *options, inference_print *json,
                               inference_print *table, const void *of);
/* The number of columns that the names of features take in a table; 0: they have none. */
int dcpn_cli_feature_columns(const struct training *training, const int64_t *features, int64_t count);
/* Prints the name, filled up to so many columns, and the number of a feature. */
void dcpn_cli_print_feature(FILE *stream, const struct training *training, int64_t feature, int columns);
void dcpn_cli_print_feature_json(FILE *stream, const struct training *training, int64_t feature);

#endif
