/* SPDX-License-Identifier: BSD-3-Clause */
/* The solver from inside: one algorithm on one problem, in one block of memory. */
#ifndef DCPN_SRC_SOLVER_H
#define DCPN_SRC_SOLVER_H

#include <signal.h>

#include "working_set/active_set.h"
#include "search/multistart.h"
#include "problem/nonempty_columns.h"
#include "dcpn/solver.h"
#include "problem/problem.h"

/* The parts that settings and problem name together. */
struct parts {
    const dcpn_loss_ops *loss; /* NULL: the caller's own f */
    void *loss_user;
    const dcpn_loss_ops *unlabelled; /* of the rows without a label; NULL: there are none */
    int balance;                     /* a row more, for the mean score of those */
    const dcpn_smooth *f;
    const dcpn_penalty_ops *penalty; /* NULL: the caller's own h */
    const dcpn_regularizer *h;
    const struct metric_ops *metric;
    int64_t memory; /* pairs that lbfgs keeps */
    const struct subsolver_ops *subsolver;
    const struct algorithm_ops *algorithm;
    int active_set;
    enum search_kind {
        DCPN_SEARCH_OFF,
        DCPN_SEARCH_PATH_ONLY,
        DCPN_SEARCH_PATH_THEN_DROP,
        DCPN_SEARCH_PATH_AND_DROP
    } search;
};

/* A struct that a run changes; a checkpoint saves it. */
struct solver_state {
    void *memory;
    size_t size; /* a multiple of 8 */
};
enum { DCPN_MOST_STATES = 16 };

/* What annealing knows of the rows, and what it has cost. */
struct annealing {
    double labelled, unlabelled; /* weights */
    int64_t count, positive;     /* of unlabelled rows, and how many of them are taken for positive */
    int64_t touched_to_make;     /* entries of A: the first run counts them */
    double time_s, passes;
    int has_labels; /* the rounds are done: they do not depend on the penalty, and serve every one of a path */
    int cut_short;  /* the last annealing was told to end soon: its start is not the one it would have found */
};

struct dcpn_solver {
    dcpn_context *context;
    dcpn_problem given;
    const dcpn_problem *problem; /* that one, or compact.problem */
    struct compact compact;
    dcpn_settings settings;
    struct parts parts;
    struct arena arena;
    struct algorithm *method;      /* the method that the settings name */
    struct active_set *active_set; /* around it; NULL: none */
    struct global_search *search;  /* around that; NULL: none */
    struct algorithm *algorithm;   /* what is driven: the outermost of them */
    struct moves escape;
    struct with_ones with_ones; /* A with an intercept */
    struct with_row with_row;   /* and with the mean of the rows without a label */
    double *mean_row, *offset;
    int64_t *runs;                  /* of rows with and without a label */
    struct ridge_svm *annealer; /* finds the start; NULL: 0 or the caller's own */
    struct annealing annealing;
    struct glance *glance;         /* at all columns of wide data; NULL: none */
    int reads_all;                 /* the gradients of all columns are wanted: no glance */
    struct short_list *short_list; /* NULL: none */
    int has_start;                 /* by the caller */
    dcpn_matrix identity;          /* A of the caller's own f */
    double *y, *w;                 /* targets and weights as the loss wants them */
    double weight;                 /* of all rows together, as F counts them; what the scale mean divides by */
    double middle;                 /* taken out of y; the intercept is that of x and this */
    double *start;                 /* x_0 */
    dcpn_matrix *standardized;     /* A with columns centred and scaled; NULL: as given */
    double *centre, *scale;        /* of its columns */
    double *coefficients;          /* x on the scale of the columns as given; NULL: x itself */
    double intercept;              /* likewise */
    int has_classes;
    double classes[2]; /* negative, positive */
    dcpn_observer *observer;
    void *observer_user;
    volatile sig_atomic_t interrupted; /* by dcpn_solver_interrupt */
    int cut_short;                     /* an iteration was told to end soon */
    double made_in_s;                  /* what it took to make it, which is part of its first run; 0 after that */
    double started_at;                 /* clock */
    double share;                      /* of the entries of A as given: what a pass over the columns kept counts */
    double slope_at_0;                 /* largest slope of the loss at x = 0; negative: not known yet */
    int null_is_flat;                  /* the null model of a path has the intercept of phi1, */
    double null_intercept;             /* which is this */
    int knows_gradient;                /* the gradients at hand are those of the start */
    int knows_u;                       /* and so is u */
    int is_running;                    /* the observer may call what is not meant for now */
    int is_quiet;                      /* nothing is said of the result: it is one of many */
    struct solver_state states[DCPN_MOST_STATES];
    int state_count;
    uint64_t *as_made;             /* the words of the states, as they were when the solver had been made */
    size_t work_from;              /* bytes of the arena before what runs work with: the start, targets and weights */
    struct checkpoint *checkpoint; /* NULL: none is written or read */
    dcpn_result result;
};

/* A solver on some columns of a full matrix, ascending; what it tells is told of all features. spare: memory of one before
 * it, or none yet; NULL: there is none. */
dcpn_status dcpn_solver_new_on(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                               const int64_t *columns, int64_t count, struct arena *spare, dcpn_solver **solver);
/* Can gradients of columns that do not matter be left out? A metric that learns may take all columns, with theirs. */
int dcpn_solver_can_glance(const dcpn_solver *solver);
/* From now on they are. The glance is borrowed; NULL: none. */
void dcpn_solver_set_glance(dcpn_solver *solver, struct glance *glance);
/* The most iterations for one direction from now on; returns what it was. */
int64_t dcpn_solver_limit_inner(dcpn_solver *solver, int64_t most);
/* combination.c: finds the parts, settles what is auto, and refuses what does not go together. problem may be NULL. */
dcpn_status dcpn_combine(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                         struct parts *parts);
/* What was chosen, for those who want to know. */
void dcpn_log_parts(dcpn_context *context, const struct parts *parts);
/* The value of the setting that a loss reads; 0 if it reads none. */
double dcpn_loss_parameter(const dcpn_loss_ops *loss, const dcpn_settings *settings);
/* run.c: DCPN_USAGE while the solver runs, as an observer would find it. */
dcpn_status dcpn_solver_refuse_running(const dcpn_solver *solver, const char *what);
/* From solver->start to a point that fulfils the stopping rule, without a word about it. */
dcpn_status dcpn_descend(dcpn_solver *solver);
/* The penalty of other settings, which may differ in lambda and shape alone; or of other factors or bounds. */
dcpn_status dcpn_solver_take_settings(dcpn_solver *solver, const dcpn_settings *settings);
void dcpn_solver_renew(dcpn_solver *solver);
/* solver_state.c: of the runs before nothing is left: the solver is as a new one with its settings and its start. */
void dcpn_solver_forget(dcpn_solver *solver);
/* The states one behind the other, and how many words these are. */
void dcpn_solver_copy_states(const dcpn_solver *solver, uint64_t *words);
size_t dcpn_solver_state_words(const dcpn_solver *solver);
dcpn_status dcpn_solver_keep_as_made(dcpn_solver *solver);
/* The part of the arena that runs work with, behind what they are given. */
void dcpn_solver_lay_out_work(dcpn_solver *solver);
/* That of the settings. */
dcpn_penalty_shape dcpn_solver_shape(const dcpn_solver *solver);
/* dcpn_solver_set_start from the features in use, ascending; those that the solver does not have are left out. */
void dcpn_solver_start_at(dcpn_solver *solver, const int64_t *index, const double *value, int64_t count,
                          double intercept);
/* targets.c: y and w from the labels and weights of the problem. */
dcpn_status dcpn_fill_targets(dcpn_solver *solver);
int64_t dcpn_count_runs(const dcpn_problem *problem);         /* of rows with a label and without, in turns */
void dcpn_fill_runs(dcpn_solver *solver);                     /* where they begin */
int dcpn_has_label(const dcpn_problem *problem, int64_t row); /* to a loss of two classes */
/* Do the unlabelled rows, as F counts them, weigh at most `times` as much as the labelled ones? The lower F is the better
 * end while they do not weigh too much; beyond, F is often least with all of them on one side. Two limits come of it. What
 * only compares F stops at 1: the search over basins (combination.c). A start that must also divide the rows as the
 * labels do may be tried up to 2 (anneal.c). */
int dcpn_unlabelled_weigh_at_most(double times, const dcpn_problem *problem, const dcpn_settings *settings);

/* standardize.c: the columns of the problem on one scale, and coefficients there and back. */
dcpn_status dcpn_solver_standardize(dcpn_solver *solver);
int dcpn_solver_has_far_columns(const dcpn_solver *solver); /* which are centred whatever the settings say */
void dcpn_solver_free_standardized(dcpn_solver *solver);
void dcpn_solver_to_given_scale(dcpn_solver *solver);
void dcpn_solver_start_to_own_scale(dcpn_solver *solver);

dcpn_context *dcpn_solver_context(const dcpn_solver *solver);
const dcpn_settings *dcpn_solver_settings(const dcpn_solver *solver);
int64_t dcpn_solver_features(const dcpn_solver *solver);
int64_t dcpn_solver_rows(const dcpn_solver *solver);
int dcpn_solver_classes(const dcpn_solver *solver, double classes[2]); /* 0: a regression loss */
const char *dcpn_solver_loss_name(const dcpn_solver *solver);
const char *dcpn_solver_penalty_name(const dcpn_solver *solver);

#endif
