/* SPDX-License-Identifier: BSD-3-Clause */
/* Cross-validation and stability selection: which penalty, which lambda, which features. */
#ifndef DCPN_CV_H
#define DCPN_CV_H

#include "path.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How to cross-validate, by names (handles.h). */
typedef struct dcpn_cv_options dcpn_cv_options;

/* The paths of all the data, what the folds say of them and what was chosen, by names (handles.h). */
typedef struct dcpn_cv dcpn_cv;

/* Fits the paths to all the data, then the same lambdas without each fold in turn, each fold on one thread of the
 * context. Rows without a label are in no fold: every fit has all of them, and only rows with a label are left out
 * and measured. Your own allocator must allow calls from several threads if the context has more than one. */
DCPN_API dcpn_status dcpn_cv_run(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                                 const dcpn_cv_options *options, dcpn_cv **cv);
DCPN_API void dcpn_cv_free(dcpn_cv *cv);
/* The share of the features in use at a point that is expected to be independent of the response and of all that
 * matters is at most about this (docs/choosing.md); with orthonormal groups, that of the groups. NaN: not known for the
 * loss, the penalty, columns that are not standardised or groups that are not orthonormal. */
DCPN_API double dcpn_paths_mfdr(const dcpn_paths *paths, int64_t path, int64_t point);
/* The meaning of a rule, as a sentence without its full stop; NULL: there is no such rule. */
DCPN_API const char *dcpn_cv_rule_meaning(const char *rule);
/* The names of the rules, for k = 0, 1, ...; NULL: there are no more. */
DCPN_API const char *dcpn_cv_rule_at(int k);
/* Writes the cross-validation as JSON. folds_file names the file that the folds came from; NULL: they were drawn. */
DCPN_API dcpn_status dcpn_cv_write(const dcpn_cv *cv, const dcpn_provenance *provenance, const char *folds_file,
                                   const char *path);
/* Makes the text that dcpn_cv_write writes. Free it with dcpn_free. */
DCPN_API dcpn_status dcpn_cv_json(const dcpn_cv *cv, const dcpn_provenance *provenance, const char *folds_file,
                                  char **json);

/* Draws folds as a cross-validation would: each row gets a number from 0 to folds - 1. With strata, which may be
 * NULL, the rows of each stratum, those with the same number, are spread evenly over the folds, whatever that number
 * is; a row whose stratum is NaN is in no fold and gets -1. */
DCPN_API dcpn_status dcpn_folds_draw(dcpn_context *context, const double *strata, int64_t rows, int64_t folds,
                                     uint64_t seed, int64_t *fold_of);

#ifdef __cplusplus
}
#endif

#ifdef DCPN_LAYOUTS /* within the project */
#include "layout/cv.h"
#endif
#endif
