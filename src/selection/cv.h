/* SPDX-License-Identifier: BSD-3-Clause */
/* Cross-validation from inside. */
#ifndef DCPN_SRC_CV_H
#define DCPN_SRC_CV_H

#include "dcpn/cv.h"
#include "selection/resample.h"

/* cv_choice.c: means, standard errors and the choices, from the values of the folds. */
void dcpn_cv_choose(dcpn_cv *cv, const dcpn_cv_options *options);
/* stability.c; is_cut: the observer or the limit of time has ended some subsample early. */
dcpn_status dcpn_cv_stability(dcpn_cv *cv, const struct subset_source *source, const dcpn_cv_options *options,
                              const double *strata, int *is_cut);
/* Returns the number of lambdas that each subsample is fitted at. */
int64_t dcpn_cv_stability_reach(const dcpn_cv *cv);
/* held_out.c */
void dcpn_held_out_free(dcpn_context *context, dcpn_held_out *out);
void dcpn_stability_free(dcpn_context *context, dcpn_stability *stability);

/* Returns the divisor of the variance between `count` folds, two or more: count, but at most the folds of one
 * repeat, less 1. */
double dcpn_cv_freedom(const dcpn_cv *cv, int64_t count);
/* Is a larger value of the measure a better one? */
int dcpn_cv_larger_is_better(const dcpn_cv *cv);

#endif
