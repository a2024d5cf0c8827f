/* SPDX-License-Identifier: BSD-3-Clause */
/* The solver from inside: a plan, workspaces, a run and its result. */
#ifndef DCPN_SRC_SOLVER_H
#define DCPN_SRC_SOLVER_H

#include <signal.h>

#include "algorithm/journal.h"
#include "dcpn/path.h"
#include "workspace/run.h"

/* The start of a problem with rows that have no label; transduction/start.h has its functions. The solver calls them
 * through pointers, because they make descents of their own. */
struct transduction;

/* The report of a run while it goes on. A search reports the lowest point so far, so that F never rises. */
struct report {
    dcpn_progress shown;
    int may_rise; /* the method's F may, and is shown as it is */
};
void dcpn_report_begin(struct report *report, const struct plan *plan, const dcpn_settings *settings);
/* Notes that a step is done, in a run that has touched so many entries of A, and returns what an observer is shown. */
const dcpn_progress *dcpn_report_step(struct report *report, const struct algorithm *algorithm, int counts,
                                      int64_t touched, const struct workspace *all);

struct dcpn_solver {
    struct plan *plan;
    dcpn_context *context;
    struct levels levels;
    dcpn_settings settings;            /* those of the plan, but for the penalty's, which may change between runs */
    struct transduction *transduction; /* NULL: the start is 0 or the caller's */
    double *start;                     /* x_0, as the plan has it */
    int has_start;                     /* by the caller */
    double *coefficients, *intercepts; /* of the last point, as the problem was given */
    dcpn_observer *observer;
    void *observer_user;
    struct report report;
    struct journal *journal;           /* NULL: no checkpoint is written or read */
    volatile sig_atomic_t interrupted; /* by dcpn_solver_interrupt */
    int is_running;                    /* the observer may call what is not meant for now */
    int is_quiet;                      /* nothing is said of the result: it is one of many */
    double made_in_s;                  /* what it took to make it, which is part of its first run; 0 after that */
    dcpn_result result;
};

/* Fails with DCPN_USAGE while the solver runs, as it does when an observer calls. */
dcpn_status dcpn_solver_refuse_running(const dcpn_solver *solver, const char *what);
dcpn_context *dcpn_solver_context(const dcpn_solver *solver);
const dcpn_settings *dcpn_solver_settings(const dcpn_solver *solver);
int64_t dcpn_solver_features(const dcpn_solver *solver);
int64_t dcpn_solver_rows(const dcpn_solver *solver);
const double *dcpn_solver_classes(const dcpn_solver *solver, int64_t *count); /* NULL, 0: a regression loss */
const char *dcpn_solver_loss_name(const dcpn_solver *solver);
const char *dcpn_solver_penalty_name(const dcpn_solver *solver);

/* result.c: what is said of the point of a workspace, where a descent has ended. */
struct ending {
    struct workspace *workspace;
    const struct descent *descent;
    double goal;
    double time_s, passes;
};
dcpn_result dcpn_result_of(const struct ending *ending);
void dcpn_explain_result(const struct ending *ending, const dcpn_result *result);
/* The number of passes over the data that so many entries of A make. */
double dcpn_passes_of(const struct workspace *all, int64_t touched);

/* fingerprint.c: the key that a checkpoint must have to be resumed by this run. */
dcpn_status dcpn_key_of(const struct plan *plan, const dcpn_settings *settings, const double *start,
                        struct journal_key *key);

/* null_model.c finds the model without features, where a path starts, and the smallest lambda at which it is
 * stationary. The point of `all` is that model afterwards, and its penalty has this lambda. */
struct null_model {
    double lambda_max;
    int is_flat; /* the loss ends flat on both sides, and has taken the intercept there; the null model has that of
                  * phi1, */
    double intercept; /* which is this */
};
void dcpn_null_model_find(struct workspace *all, const dcpn_settings *settings, struct watch *watch,
                          struct null_model *null);
/* The mean square of the label, 0 or 1, less its probability at u; NaN if that is not known. */
double dcpn_brier_at(const struct workspace *workspace, const double *u);
/* Twice the weighted sum of the losses at u, whatever the scale. */
double dcpn_deviance_at(const struct workspace *workspace, const double *u);
/* The deviance of the best intercept (of 0 without one) and the offset. */
double dcpn_null_deviance(struct workspace *workspace);

#endif
