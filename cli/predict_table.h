/* SPDX-License-Identifier: BSD-3-Clause */
/* Predictions as a table: a line for each row, with what the row is called. */
#ifndef DCPN_CLI_PREDICT_TABLE_H
#define DCPN_CLI_PREDICT_TABLE_H

#include "command.h"
#include "survival_curves.h"

/* Writes id, label and the probability of each class; where the loss gives no probabilities, the score in their place;
 * for a model of numbers, id and prediction. A row is called what the data call it, else by its number from 1. The exit
 * code. */
int dcpn_cli_predict_table(const struct cli *cli, const dcpn_model *model, const dcpn_dataset *data,
                           const double *scores, const struct survival_curves *curves, const char *path);

/* Writes so many numbers a row, which memory has column by column. Returns the exit code. */
int dcpn_cli_predict_columns(const struct cli *cli, const double *numbers, int64_t rows, int64_t columns,
                             const char *path);

/* Accuracy and deviance of a model of many classes, and the error of each class: as JSON on standard output, or for
 * people on standard error. The exit code. */
struct measured {
    const dcpn_model *model;
    const dcpn_dataset *data;
    const double *scores;
    const dcpn_quality *quality;
};
int dcpn_cli_print_many_quality(const struct cli *cli, const struct measured *measured, int json, int quiet);

/* Prints a field of comma-separated values, in quotes if it needs them. */
void dcpn_cli_print_csv_field(FILE *stream, const char *text);

#endif
