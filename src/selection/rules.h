/* SPDX-License-Identifier: BSD-3-Clause */
/* Rules that choose a point among all paths, besides the best mean. */
#ifndef DCPN_SRC_RULES_H
#define DCPN_SRC_RULES_H

#include "selection/cv.h"

/* Refuses a rule that does not exist, and a criterion with a loss that is not a likelihood; the sentence says what
 * is expected. Either may be NULL, and is then not checked. */
dcpn_status dcpn_rule_check(dcpn_context *context, const char *rule, const dcpn_loss_ops *loss);
/* Returns the library's own copy of the name of an existing rule. */
const char *dcpn_rule_named(const char *rule);
int dcpn_rule_is_criterion(const char *rule);
/* Chooses by a criterion among the points with at most so many features (0: the usual number). */
dcpn_cv_choice dcpn_cv_choose_by_criterion(const dcpn_cv *cv, const char *rule, int64_t most_features);
/* L + k log n + 2 gamma log binom(d, k) of a point; infinity where it explains all there is. */
double dcpn_ebic_of(const dcpn_paths *paths, const dcpn_path_point *point, double gamma);
/* Chooses the least -2 log likelihood of the rows held out + 2 features, of a loss that is a likelihood. */
dcpn_cv_choice dcpn_cv_choose_earned(const dcpn_cv *cv);
/* Chooses the sparsest among the best points of all paths that the folds do not tell from the best of all. */
dcpn_cv_choice dcpn_cv_choose_paired(const dcpn_cv *cv);
/* Do the folds show that one choice has a higher share of wrong classes than the other? */
int dcpn_cv_errs_more(const dcpn_cv *cv, const dcpn_cv_choice *choice, const dcpn_cv_choice *other);
/* Do the folds tell, with less certainty, that one choice predicts worse than the other? */
int dcpn_cv_predicts_worse(const dcpn_cv *cv, const dcpn_cv_choice *choice, const dcpn_cv_choice *other);
/* Chooses the best mean among paths of convex penalties; -1: there is none. */
dcpn_cv_choice dcpn_cv_choose_convex(const dcpn_cv *cv);
/* Chooses by gic among refitted models, and then the best mean of the same features with more or less ridge. */
dcpn_cv_choice dcpn_cv_choose_sized(const dcpn_cv *cv, int64_t most_features);
/* The path of refitted models without a ridge of their own, or -1. */
int64_t dcpn_cv_find_refits(const dcpn_cv *cv);
/* Refuses a rule that the penalties leave nothing to choose from. */
dcpn_status dcpn_rule_check_penalties(dcpn_context *context, const char *rule, const dcpn_settings *settings,
                                      const dcpn_path_options *options);

#endif
