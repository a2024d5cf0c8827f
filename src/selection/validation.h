/* SPDX-License-Identifier: BSD-3-Clause */
/* A cross-validation under way: what cv.c leads and fold.c works on. */
#ifndef DCPN_SRC_VALIDATION_H
#define DCPN_SRC_VALIDATION_H

#include "base/threads.h"
#include "selection/comparison.h"
#include "selection/cv.h"
#include "selection/measure.h"

struct validation {
    dcpn_context *context;
    const dcpn_problem *problem;
    double started_at;
    const dcpn_cv_options *options;
    dcpn_cv *cv;
    const struct measure *measures;
    double *strata;   /* labels, where folds keep their shares, NaN in rows that are in no fold; NULL: none */
    int64_t *fold_of; /* [repeat * rows + row] */
    double refit_ridges[DCPN_COMPARISON_RIDGES];
    int64_t *reached; /* [path * folds + fold]: how many lambdas the fold is to be measured at */
    const dcpn_loss_ops *loss;
    double loss_parameters[2];
    struct mutex mutex;  /* for the observer and what follows */
    int64_t done, total; /* fits; total 0: the paths on all the data are not done */
    int is_stopped;
    struct journal *journal; /* NULL: nothing is saved or resumed */
    const struct row_place *exact; /* where sums are exact the place of the rows among those of all ranks, else NULL */
    struct row_place place;
};

/* A fold to be fitted and measured. Patience 0 is the usual one, a negative number has it go down to the last lambda;
 * `stream` is its number in the journal. */
struct fold_task {
    int64_t fold, patience;
    uint64_t stream;
};

/* cv_options.c */
dcpn_status dcpn_cv_check_options(dcpn_context *context, const dcpn_problem *problem, int64_t rows,
                                  const dcpn_cv_options *options);

/* cv_folds.c: the strata that keep their shares in the folds, by class or all in one; the folds, drawn or given, with
 * their sizes and weights; and what tells given ones from others (0: they are drawn), whichever ranks have the rows. */
dcpn_status dcpn_cv_set_strata(struct validation *v, int by_class);
dcpn_status dcpn_cv_set_folds(struct validation *v);
uint64_t dcpn_cv_hash_folds(const struct validation *v);

/* fold.c: the paths without a fold, and their measures on it; what goes wrong is in the status of the fit. */
void dcpn_fold_work(struct validation *v, const struct subset_source *source, const struct fold_task *task,
                    struct subset_fit *fit);

#endif
