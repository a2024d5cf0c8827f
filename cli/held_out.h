/* SPDX-License-Identifier: BSD-3-Clause */
/* What a cross-validation says of rows that were held out: errors, the ROC curve and calibration, by weight. */
#ifndef DCPN_CLI_HELD_OUT_H
#define DCPN_CLI_HELD_OUT_H

#include "results.h"

struct held_out {
    const dcpn_held_out *rows;
    const double *score; /* of a row by the fit without its fold, at the choice */
};

/* Returns 1 if the results have scores of the rows at this choice. They have those of the points that min and 1se
 * choose. */
int dcpn_cli_held_out_at(const struct results *results, struct choice choice, struct held_out *found);

/* For two classes: the weights of the rows by true class (0: negative) and by the class that the score speaks for. */
struct confusion {
    double weight[2][2];
};
struct confusion dcpn_cli_held_out_confusion(const struct held_out *held);

/* For numbers: r2, which is 1 - the squared error / that of the mean of the labels, and the root of the mean squared
 * error. */
struct held_out_fit {
    double r2, rmse;
};
struct held_out_fit dcpn_cli_held_out_fit(const struct held_out *held);

/* A curve: x, y and, unless NULL, the standard error of y. To be freed by dcpn_cli_curve_free. */
struct curve {
    int64_t count;
    double *x, *y, *deviation;
};
/* The ROC curve: x is the share of the negative rows that are called positive, y that of the positive rows, for every
 * threshold. Returns the exit code. */
int dcpn_cli_held_out_roc(const struct cli *cli, const struct held_out *held, struct curve *curve);
/* The calibration: x is the mean probability, y the share of positive rows, in groups of about as many rows by falling
 * probability. Returns the exit code. */
int dcpn_cli_held_out_calibration(const struct cli *cli, const struct held_out *held, struct curve *curve);
/* The predictions: x is the predicted number of a row, y the true one. Returns the exit code. */
int dcpn_cli_held_out_numbers(const struct cli *cli, const struct held_out *held, struct curve *curve);
void dcpn_cli_curve_free(struct curve *curve);

#endif
