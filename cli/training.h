/* SPDX-License-Identifier: BSD-3-Clause */
/* What a fit starts from: the data, what goes with its rows and columns, and the point to start at. */
#ifndef DCPN_CLI_TRAINING_H
#define DCPN_CLI_TRAINING_H

#include "command.h"
#include "distinct.h"
#include "number_list.h"
#include "responses.h"

/* Times to events are columns of the table: their names or numbers; NULL: none. */
struct survival_columns {
    const char *time, *event, *entry, *strata;
};

struct training_options {
    const char *weights, *class_weight, *offset, *penalty_factor, *groups, *lower, *upper, *start, *unlabelled, *preset;
    const char *positive, *order;
    struct survival_columns survival;
    int64_t features, index_base, threads;
    int float32, nonnegative;
    struct reading_options reading;
};

/* Rows of an option table; TO gives the offset of a field of training_options. */
#define DCPN_CLI_TRAINING_OPTIONS(TO)                                                                                  \
    DCPN_CLI_WHOLE("features", "N", TO(features), "0", "largest in DATA", 1, INT64_MAX, "number of features"),         \
        DCPN_CLI_WHOLE("index-base", "0|1", TO(index_base), "-1", "detect", 0, 1, "number of the first feature"),      \
        DCPN_CLI_TEXT("positive", 0, "CLASS", TO(positive), "the greater", "that label against all others"),           \
        {.name = "order",                                                                                              \
         .kind = DCPN_CLI_KIND_TEXT,                                                                                   \
         .offset = TO(order),                                                                                          \
         .argument = "A,B,C",                                                                                          \
         .default_help = "none",                                                                                       \
         .help = "loss ordinal: labels that are texts, from the lowest to the highest",                                \
         .advanced = 1},                                                                                               \
        DCPN_CLI_READING_OPTIONS(TO), DCPN_CLI_FLAG("float32", 0, TO(float32), "store values in single precision"),    \
        DCPN_CLI_WHOLE("threads", "N", TO(threads), "1", "1; cv: 0", 0, 4096, "0: one per processor"),                 \
        DCPN_CLI_TEXT("unlabelled", 0, "FILE", TO(unlabelled), NULL, "more rows, whose labels are ignored"),           \
        {.name = "preset",                                                                                             \
         .kind = DCPN_CLI_KIND_TEXT,                                                                                   \
         .offset = TO(preset),                                                                                         \
         .argument = "NAME",                                                                                           \
         .default_help = "none",                                                                                       \
         .help = "settings under one name: see 'dcpn list presets'",                                                   \
         .advanced = 1},                                                                                               \
        DCPN_CLI_TEXT("weights", 0, "FILE", TO(weights), "1", "a weight per row"),                                     \
        {.name = "time",                                                                                               \
         .kind = DCPN_CLI_KIND_TEXT,                                                                                   \
         .offset = TO(survival.time),                                                                                  \
         .argument = "COLUMN",                                                                                         \
         .default_help = "none",                                                                                       \
         .help = "loss cox: the column of times, which takes the place of labels",                                     \
         .advanced = 1},                                                                                               \
        {.name = "event",                                                                                              \
         .kind = DCPN_CLI_KIND_TEXT,                                                                                   \
         .offset = TO(survival.event),                                                                                 \
         .argument = "COLUMN",                                                                                         \
         .default_help = "all",                                                                                        \
         .help = "loss cox: not 0 where the event happened, 0 where the row was censored",                             \
         .advanced = 1},                                                                                               \
        {.name = "entry",                                                                                              \
         .kind = DCPN_CLI_KIND_TEXT,                                                                                   \
         .offset = TO(survival.entry),                                                                                 \
         .argument = "COLUMN",                                                                                         \
         .default_help = "none",                                                                                       \
         .help = "loss cox: from when on the row was under observation",                                               \
         .advanced = 1},                                                                                               \
        {.name = "strata",                                                                                             \
         .kind = DCPN_CLI_KIND_TEXT,                                                                                   \
         .offset = TO(survival.strata),                                                                                \
         .argument = "COLUMN",                                                                                         \
         .default_help = "none",                                                                                       \
         .help = "loss cox: rows of different numbers are not compared",                                               \
         .advanced = 1},                                                                                               \
        DCPN_CLI_TEXT("class-weight", 0, "A,B,...", TO(class_weight), "1",                                             \
                      "negative, positive, or one a class; or: balanced"),                                             \
        DCPN_CLI_TEXT("offset", 0, "FILE", TO(offset), "0",                                                            \
                      "a number per row, added to its score; or one per class"),                                       \
        DCPN_CLI_TEXT("penalty-factor", 0, "FILE", TO(penalty_factor), "1", "a factor of lambda per feature"),         \
        {.name = "groups",                                                                                             \
         .kind = DCPN_CLI_KIND_TEXT,                                                                                   \
         .offset = TO(groups),                                                                                         \
         .argument = "FILE",                                                                                           \
         .default_help = "none",                                                                                       \
         .help = "groups of features: lines feature,group[,weight]; or prefix:_ by what names begin with; or "         \
                 "categorical: the levels of a column",                                                                \
         .advanced = 1},                                                                                               \
        DCPN_CLI_TEXT("lower", 0, "X|FILE", TO(lower), "none", "least coefficient, 0 or less, or one each"),           \
        DCPN_CLI_TEXT("upper", 0, "X|FILE", TO(upper), "none", "greatest coefficient, at least 0, likewise"),          \
        DCPN_CLI_FLAG("nonnegative", 0, TO(nonnegative), "no coefficient below 0: --lower 0")
#define DCPN_CLI_START_OPTION(TO)                                                                                      \
    DCPN_CLI_TEXT("start", 0, "MODEL", TO(start), "0", "start from the coefficients of a model")

struct training {
    dcpn_model *start; /* NULL: from 0 */
    dcpn_dataset *data;
    double *weights, *offset, *factors, *entry, *strata;
    int64_t offset_columns; /* of each row: 1, or one for each class or response */
    struct responses responses;
    dcpn_matrix *whole;               /* of which a rank has some rows; NULL: it has all there are */
    struct number_list class_weights; /* one per class; empty: none are given */
    struct number_list lower, upper;  /* one per feature */
    dcpn_groups *groups;              /* NULL: none */
    double *class_weighted;           /* weights times those of the classes; NULL: the weights alone */
    dcpn_problem *problem;
    double read_s;               /* for the data */
    int64_t first_row, all_rows; /* of those of all ranks: how many come before these, and how many there are */
};

/* Adds all files that are read and must not be overwritten. A model to start from may be: it is refined in its
 * place. */
void dcpn_cli_training_add_files(const struct cli *cli, const struct training_options *options,
                                 struct cli_files *files);

/* All of these return the exit code. */
/* Refuses two inputs from one standard input; more is an input of the command besides these, or NULL. */
int dcpn_cli_training_check_streams(const struct cli *cli, const struct training_options *options, const char *more);
/* Reads the model to start from. This is done before the data are read. */
int dcpn_cli_training_read_start(const struct cli *cli, const struct training_options *options,
                                 struct training *training);
/* Reads the data (the command's first argument) and what goes with them, and makes the problem. */
int dcpn_cli_training_read(const struct cli *cli, const struct training_options *options, struct training *training);
/* Reads a number for each row from a file that has those of the rows of all ranks. */
int dcpn_cli_training_read_rows(const struct cli *cli, const struct training *training, const char *file,
                                double **numbers);
/* Chooses the loss of many classes if the labels are such and neither --loss nor --preset is given. */
void dcpn_cli_training_choose_classes(const struct cli *cli, const struct training_options *options,
                                      const struct training *training, int quiet, dcpn_settings *settings);
/* Chooses the loss that suits the labels if neither --loss nor --preset is given, and says so if an intercept seems to
 * be missing. */
void dcpn_cli_training_choose_loss(const struct cli *cli, const struct training_options *options,
                                   const struct training *training, int quiet, dcpn_settings *settings);
/* Gives the model what the data call things, and its groups. */
int dcpn_cli_training_name_model(const struct cli *cli, const struct training *training, dcpn_model *model);
int dcpn_cli_training_solver(const struct cli *cli, const struct training *training, const dcpn_settings *settings,
                             dcpn_solver **solver);
/* Sets the start of --start, if there is one. */
int dcpn_cli_training_set_start(const struct cli *cli, const struct training *training, dcpn_solver *solver);

/* The provenance of a fit, for its file. It borrows from both arguments. */
dcpn_provenance dcpn_cli_training_provenance(const struct cli *cli, const struct training *training);

void dcpn_cli_training_free(const struct cli *cli, struct training *training);

/* Reads the groups that --groups asks for: a file, or words. Returns the exit code. */
int dcpn_cli_read_groups(const struct cli *cli, const char *words, const dcpn_dataset *data, dcpn_groups **groups);

#endif
