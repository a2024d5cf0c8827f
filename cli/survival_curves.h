/* SPDX-License-Identifier: BSD-3-Clause */
/* Probabilities to survive given times, beside the risks that a model of times to events predicts. */
#ifndef DCPN_CLI_SURVIVAL_CURVES_H
#define DCPN_CLI_SURVIVAL_CURVES_H

#include "command.h"
#include "wanted.h"

struct survival_curves {
    dcpn_hazard *hazard; /* NULL: they were not asked for */
    double *times;
    int64_t count;
    double *strata; /* of the rows to predict; NULL: the model has none */
};

struct curves_asked {
    const char *times;     /* a list, a file, or "all": each time of an event */
    const char *fitted_to; /* the table of the fit */
    const char *data;      /* of the rows to predict */
    int is_table;          /* that is to be written */
};

/* Finds the hazard of the rows of the fit, whose columns, weights and offsets are those that the command of the fit
 * names. The scores of the rows to predict are to be computed before, since the model is made to follow the columns of
 * the table of the fit. Returns the exit code. */
int dcpn_cli_survival_curves(const struct cli *cli, dcpn_model *model, const struct wanted *wanted,
                             const struct curves_asked *asked, int64_t rows, struct survival_curves *curves);
void dcpn_cli_survival_curves_free(struct survival_curves *curves);

/* Print the columns of the curves, at the end of the header and of the line of a row. */
void dcpn_cli_survival_curves_head(FILE *stream, const struct survival_curves *curves);
void dcpn_cli_survival_curves_row(FILE *stream, const struct survival_curves *curves, int64_t row, double score);

#endif
