/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings, and the solver that takes a problem to a stationary point. */
#ifndef DCPN_SOLVER_H
#define DCPN_SOLVER_H

#include "problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A setting for each line of settings.def, where each is explained; made, set and read by name (handles.h). */
typedef struct dcpn_settings dcpn_settings;

/* Sets all that a preset names ("nabla-tsvm"); see dcpn_part_at("preset", ...). */
DCPN_API dcpn_status dcpn_settings_preset(dcpn_context *context, dcpn_settings *settings, const char *name);
DCPN_API dcpn_status dcpn_settings_check(dcpn_context *context, const dcpn_settings *settings);

/* Theta, a or gamma, whichever the penalty of the settings has, in raw units, which are those of the paper and of
 * other software. `unit` is the shape_unit of a model or a path, and 0 where the settings are raw already. NaN: the
 * penalty has no such parameter. */
DCPN_API double dcpn_raw_shape(const dcpn_settings *settings, double unit);

/* Do the parts that the settings name work together? DCPN_USAGE with the sentence of the refusal if not. */
DCPN_API dcpn_status dcpn_combination_check(dcpn_context *context, const dcpn_settings *settings);

/* One row of settings.def, for those who make options or bindings from it. */
typedef enum dcpn_setting_kind { DCPN_KIND_REAL, DCPN_KIND_COUNT, DCPN_KIND_FLAG, DCPN_KIND_CHOICE } dcpn_setting_kind;
typedef struct dcpn_setting {
    const char *group, *option;
    dcpn_setting_kind kind;
    const char *default_text; /* as written in settings.def */
    const char *choices;      /* words separated by |, or @kind for the names of that registry; the default
                               * is always one of them; NULL unless a choice */
    double low, high;
    const char *help;
    size_t offset; /* for the library itself */
} dcpn_setting;
DCPN_API size_t dcpn_setting_count(void);
DCPN_API const dcpn_setting *dcpn_setting_at(size_t index);

/* The registries, by kind: "loss" "unlabelled-loss" "penalty" "grouping" "metric" "subsolver"
 * "algorithm". */
typedef struct dcpn_part {
    const char *name, *formula;
    const char *settings; /* that it reads besides lambda; NULL: none */
    const char *note;     /* NULL: none */
    /* Algorithms: the row in the paper's table of related approaches, "cvx", "ncvx" or "-", and the metric. */
    const char *f1, *f2, *h1, *h2, *H;
} dcpn_part;
DCPN_API int dcpn_part_at(const char *kind, size_t index, dcpn_part *part); /* 0: there is none */
/* Is the loss of that name one for two classes, and not for numbers? */
DCPN_API int dcpn_loss_wants_classes(const char *loss);
/* Is it one for many classes, with a score for each? */
DCPN_API int dcpn_loss_takes_many_classes(const char *loss);
/* The loss that suits the labels: "squared" for measurements, that is, more than two numbers, one of them not whole;
 * "multinomial" for more than two texts, and for more than two whole numbers that occur twice on average; else the
 * default, which is for two classes. */
DCPN_API const char *dcpn_loss_for_labels(const dcpn_dataset *data);
/* Can the loss take the labels of the data, if they are texts? If not, DCPN_DATA and a sentence with the texts
 * themselves, which a solver, to which they are numbers, could not write. Labels that are numbers are left to the
 * solver. */
DCPN_API dcpn_status dcpn_labels_check(dcpn_context *context, const dcpn_dataset *data, const char *loss);
/* The same for a cross-validation, which needs two rows of each class, since one of them may be left out. */
DCPN_API dcpn_status dcpn_labels_check_folds(dcpn_context *context, const dcpn_dataset *data, const char *loss);

/* The state that an observer is shown after each outer iteration; k = 0 is the start. */
typedef struct dcpn_progress {
    int64_t k;
    double objective;    /* F(x_k) */
    double stationarity; /* of x_k */
    double decrease;     /* D of the step to x_k; 0 at k = 0 */
    double step;         /* t of that step */
    int64_t nonzeros;
    int64_t inner_iterations; /* of that step */
    double passes, time_s;    /* so far */
} dcpn_progress;
/* Returns 0 to go on; anything else ends the run with DCPN_INTERRUPTED. */
typedef int dcpn_observer(void *user, const dcpn_progress *progress);

/* How a run ended; its fields are read by name (handles.h). */
typedef struct dcpn_result dcpn_result;

typedef struct dcpn_solver dcpn_solver;

/* Checks settings (NULL: the defaults), data and their combination, and allocates everything; running allocates
 * nothing, but for the first run on a dense matrix with far more columns than rows, of which it takes a copy in bytes.
 * The solver keeps the problem as it is now, which may be changed or freed afterwards; what the problem borrows must
 * outlive the solver. *solver is NULL if it fails. */
DCPN_API dcpn_status dcpn_solver_new(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                                     dcpn_solver **solver);
DCPN_API void dcpn_solver_free(dcpn_solver *solver);
/* Starts the next runs from these coefficients, one per feature, instead of 0. */
DCPN_API dcpn_status dcpn_solver_set_start(dcpn_solver *solver, const double *coefficients, double intercept);
DCPN_API void dcpn_solver_set_observer(dcpn_solver *solver, dcpn_observer *observer, void *user);
/* Runs from the start, also when the solver has run before. While it runs, its observer may not run it, continue it
 * or change its penalty, which is refused with DCPN_USAGE. */
DCPN_API dcpn_status dcpn_solver_run(dcpn_solver *solver);
/* Change the weight of the penalty, or a setting of its shape ("theta", "a", "gamma", "p", "eps"), for the next run,
 * but not during one; everything else stays. A setting that the penalty does not have is refused. A path down many
 * lambdas is one solver that is changed and continued. */
DCPN_API dcpn_status dcpn_solver_set_lambda(dcpn_solver *solver, double lambda);
DCPN_API dcpn_status dcpn_solver_set_shape(dcpn_solver *solver, const char *setting, double value);
/* Runs from the present point, which becomes the start; before the first run, from the start. */
DCPN_API dcpn_status dcpn_solver_continue(dcpn_solver *solver);
/* Saves the run to path every so many seconds, between iterations, and when it is interrupted or reaches a limit.
 * Saving never changes the result. If it fails, the log gets one warning for the run. A call while the solver runs
 * without a checkpoint takes effect with the next run. path NULL switches it off. */
DCPN_API dcpn_status dcpn_solver_set_checkpoint(dcpn_solver *solver, const char *path, double every_s);
/* Makes the next run go on from a checkpoint. It ends with the same bytes as the run without an interruption.
 * Version, problem, start and settings, limits excepted, must be the same, or the run is refused. Its time is the
 * sum of both parts; its passes can be more, since some columns are read once more. */
DCPN_API dcpn_status dcpn_solver_resume(dcpn_solver *solver, const char *path);
/* Makes the run end soon, with the outcome DCPN_INTERRUPTED. It may be called from a signal handler or another
 * thread. */
DCPN_API void dcpn_solver_interrupt(dcpn_solver *solver);

/* These are valid after a run, until the solver is freed or run again. */
DCPN_API const dcpn_result *dcpn_solver_result(const dcpn_solver *solver);
DCPN_API const double *dcpn_solver_coefficients(const dcpn_solver *solver);
DCPN_API double dcpn_solver_intercept(const dcpn_solver *solver);
/* The scores of a row: one for each class with a loss of many classes, else one. The coefficients are those of all
 * features for the first score, then those for the second, and so on, and each score has an intercept. */
DCPN_API int64_t dcpn_solver_scores(const dcpn_solver *solver);
DCPN_API const double *dcpn_solver_intercepts(const dcpn_solver *solver);
/* How many intercepts there are: with ordered classes a row has one score, and each boundary of two an intercept. */
DCPN_API int64_t dcpn_solver_intercept_count(const dcpn_solver *solver);
/* The labels of classes, ascending; NULL: they are two without an order, or numbers. */
DCPN_API const double *dcpn_solver_labels(const dcpn_solver *solver);
DCPN_API dcpn_status dcpn_solver_set_start_of_scores(dcpn_solver *solver, const double *coefficients,
                                                     const double *intercepts);

#ifdef __cplusplus
}
#endif

#ifdef DCPN_LAYOUTS /* within the project */
#include "layout/solver.h"
#endif
#endif
