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

#endif
