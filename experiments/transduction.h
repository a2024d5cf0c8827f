/* SPDX-License-Identifier: BSD-3-Clause */
/* Few rows with a label and many without: the sparse supervised model, the transductive SVM and the sparse transductive
 * one, each judged on test rows. */
#ifndef DCPN_EXPERIMENTS_TRANSDUCTION_H
#define DCPN_EXPERIMENTS_TRANSDUCTION_H

#include "csv.h"
#include "trial.h"


enum { SPARSE_LOG, TSVM, SPARSE_TRANSDUCTIVE, TRANSDUCTION_METHODS };
extern const char *const dcpn_exp_transduction_names[TRANSDUCTION_METHODS];  /* in the CSV */
extern const char *const dcpn_exp_transduction_labels[TRANSDUCTION_METHODS]; /* in tables */

struct hyperparameters {
    double lambda, theta, weight; /* weight: of rows without a label, the paper's gamma */
};

/* The settings of a method; the transductive SVM has all its own. */
dcpn_settings dcpn_exp_transduction_settings(const struct lab *lab, int method, const struct hyperparameters *chosen);

/* Fits to train, whose labels are NaN where there are none, and fills the row. x: one entry per feature, scratch. */
int dcpn_exp_transduction_fit(const struct lab *lab, const struct task *task, int method,
                              const struct hyperparameters *chosen, double *x, struct row *row);

/* Means and deviations of the rates of each trial; returns how many trials there are. */
struct rates {
    int trials;
    double rate[TRANSDUCTION_METHODS][1000], nonzeros[TRANSDUCTION_METHODS], time_s[TRANSDUCTION_METHODS];
    double mean[TRANSDUCTION_METHODS], deviation[TRANSDUCTION_METHODS];
    double p; /* Wilcoxon's, of the sparse two */
};
int dcpn_exp_collect_rates(const struct csv *csv, const char *problem, int64_t trials, int with_tsvm,
                           struct rates *rates);

#endif
