/* SPDX-License-Identifier: BSD-3-Clause */
/* How a command reads data: the options that all of them share. */
#ifndef DCPN_CLI_READING_H
#define DCPN_CLI_READING_H

#include "command.h"
#include "label_text.h"

struct reading_options {
    const char *format, *labels, *label_column, *id, *categorical, *ignore, *names, *missing, *storage;
};

/* Rows of an option table; TO gives the offset of a field of the struct whose member `reading` is a reading_options. */
#define DCPN_CLI_READING_OPTIONS(TO) DCPN_CLI_READING_AND_MISSING(TO, "refuse", "refuse|zero|mean")
#define DCPN_CLI_READING_AND_MISSING(TO, DEFAULT, CHOICES)                                                             \
    DCPN_CLI_TEXT("format", 0, "NAME", TO(reading.format), "by its content", "of DATA; 'dcpn list' names them"),       \
        DCPN_CLI_TEXT("labels", 0, "FILE|A,B", TO(reading.labels), "in DATA",                                         \
                      "a label per row, or columns of several responses"),                                             \
        DCPN_CLI_TEXT("label-column", 0, "COLUMN", TO(reading.label_column), "label, status and the like",             \
                      "of a table: its name, or its number from 1"),                                                   \
        DCPN_CLI_TEXT("id", 0, "COLUMN", TO(reading.id), "one without a name",                                         \
                      "column of a table that names the rows: no feature, but beside predictions"),                    \
        DCPN_CLI_TEXT("categorical", 0, "LIST|auto", TO(reading.categorical), "none",                                  \
                      "columns of categories: a feature for each level but the first"),                                \
        DCPN_CLI_TEXT("ignore", 0, "LIST", TO(reading.ignore), "none",                                                 \
                      "columns of a table to leave out: names or numbers, with commas between"),                       \
        DCPN_CLI_TEXT("names", 0, "FILE", TO(reading.names), "in DATA", "a name per feature"),                         \
        DCPN_CLI_WORD("missing", "HOW", TO(reading.missing), DEFAULT, CHOICES, "missing values of a table"),           \
        DCPN_CLI_WORD("storage", "HOW", TO(reading.storage), "auto", "auto|sparse|dense",                              \
                      "of the matrix in memory; auto: dense if half of it is not 0")

/* Options about the data, which the help of a command with many settings shows in short. */
#define DCPN_CLI_DATA_OPTIONS                                                                                          \
    "|features|index-base|format|labels|label-column|id|categorical|ignore|names|missing|storage|float32|weights|"     \
    "offset|penalty-"                                                                                                  \
    "factor|"                                                                                                          \
    "positive|start|unlabelled|lower|upper|"

/* The options of reading as the library wants them; `how` gives what they do not. */
dcpn_read_options dcpn_cli_read_options(const struct reading_options *options, dcpn_read_options how);
/* Refuses the name of a column where that of a file of labels is expected. The exit code. */
int dcpn_cli_check_labels(const struct cli *cli, const char *labels);
/* Reads DATA as the options and `how` say, `how` giving what the options do not. The exit code. */
int dcpn_cli_read(const struct cli *cli, const char *path, const struct reading_options *options, dcpn_read_options how,
                  dcpn_dataset **data);

/* The same, but a table that is refused for texts or gaps is read as it looks, which is said, unless an option tells
 * how to read its columns. */
int dcpn_cli_read_as_it_looks(const struct cli *cli, const char *path, const struct reading_options *options,
                              dcpn_read_options how, dcpn_dataset **data);

/* Reads a second file with the columns of the first. Labels and names that have files of their own belong to the first
 * file. What the data call a column, and what a missing value counts as, holds for both. Returns the exit code. */
int dcpn_cli_read_alike(const struct cli *cli, const char *path, const struct reading_options *options,
                        dcpn_read_options how, const dcpn_dataset *data, dcpn_dataset **more);

/* Refuses features that the model calls by other names than the data, of that path: columns in another order would be a
 * silent mistake. The exit code. */
int dcpn_cli_check_names(const struct cli *cli, const dcpn_model *model, const dcpn_dataset *data, const char *path);

dcpn_storage dcpn_cli_storage(const char *word);
/* --index-base: 0, 1 or, where it is not given, -1. */
dcpn_indexing dcpn_cli_indexing(int64_t index_base);

/* Can the labels be those of classes with these names, which are NULL for numbers? Labels and names must both be texts
 * or both be numbers, except for names that are texts of numbers, as --positive leaves them. */
int dcpn_cli_can_match(const dcpn_dataset *data, char **names);
#endif
