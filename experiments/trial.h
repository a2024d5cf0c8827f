/* SPDX-License-Identifier: BSD-3-Clause */
/* One problem, solved by each method from the same start with the same stopping rule. */
#ifndef DCPN_EXPERIMENTS_TRIAL_H
#define DCPN_EXPERIMENTS_TRIAL_H

#include "csv.h"
#include "plan.h"

/* The methods of the paper's tables, and dcpn as it is without being told a metric or a subsolver. */
enum { METHOD_DCA, METHOD_GIST, METHOD_DCPN, METHOD_DEFAULT, METHOD_COUNT };

struct method {
    const char *name;  /* in the CSV */
    const char *label; /* in tables */
    const char *algorithm, *metric, *subsolver;
    const char *stop; /* NULL: that of dcpn */
};
extern const struct method dcpn_exp_methods[METHOD_COUNT];

struct part {
    const dcpn_matrix *matrix;
    const double *labels; /* -1 or +1 */
};

struct task {
    const char *problem;
    int64_t trial;
    struct part train, test;
    double lambda, theta;
    const double *squares; /* |a_j|^2 of the training part; NULL: escapes are not counted */
};

/* F against time, as the observer sees it. */
struct curve {
    size_t count, room;
    double *time_s, *objective;
    int is_cut; /* the fit ended at the limit of passes */
};

/* The outcome of a fit that ended there. */
extern const char dcpn_exp_cut[];
void dcpn_exp_curve_free(struct curve *curve);

/* Fits from x, or from 0 if start is 0; x (one entry per feature) receives the solution. curve may be NULL. */
int dcpn_exp_fit(const struct lab *lab, const struct task *task, const struct method *method, int start, double *x,
                 struct row *row, struct curve *curve);

/* The share of test rows that x puts into their class, in percent; NaN if memory is out. */
double dcpn_exp_rate(const struct part *test, const double *x, double intercept);

/* What a fit of the task by the method of this name has come to; the rate is left. */
void dcpn_exp_fill_row(const struct task *task, const char *method, const dcpn_result *result, struct row *row);

/* All methods from 0; rows has METHOD_COUNT entries, whose trial_s counts from began_s. figure: the name of an SVG file
 * with the curves, or NULL. */
int dcpn_exp_trial(const struct lab *lab, const struct task *task, double began_s, const char *figure,
                   struct row *rows);

#endif
