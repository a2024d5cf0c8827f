/* SPDX-License-Identifier: BSD-3-Clause */
/* How good predictions are, measured with known labels. */
#ifndef DCPN_CLI_QUALITY_H
#define DCPN_CLI_QUALITY_H

#include "command.h"

struct class_quality {
    double accuracy;
    double auc; /* a tie counts half; NaN if all labels are of one class */
};

struct number_quality {
    double mse;
    double r2; /* NaN if all labels are equal */
};

/* The first row whose label is none of the two classes; -1: there is none. */
int64_t dcpn_cli_quality_stranger(const double *labels, int64_t rows, const double classes[2]);
/* 0, or the exit code if memory is short. */
int dcpn_cli_quality_of_classes(const struct cli *cli, const dcpn_model *model, const double *labels,
                                const double *scores, int64_t rows, struct class_quality *quality);
struct number_quality dcpn_cli_quality_of_numbers(const double *labels, const double *scores, int64_t rows);

#endif
