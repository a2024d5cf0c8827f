/* SPDX-License-Identifier: BSD-3-Clause */
/* Rules that choose a point among all paths, besides the best mean. */
#ifndef DCPN_SRC_RULES_H
#define DCPN_SRC_RULES_H

#include "selection/cv.h"

/* NULL: there is no such rule, and the error says which there are. */
dcpn_status dcpn_rule_check(dcpn_context *context, const char *rule, const dcpn_loss_ops *loss);
/* The library's own text of the name of a rule that there is. */
const char *dcpn_rule_named(const char *rule);
int dcpn_rule_is_criterion(const char *rule);
/* The criterion's choice among the points of at most so many features (0: the usual number). */
dcpn_cv_choice dcpn_cv_choose_by_criterion(const dcpn_cv *cv, const char *rule, int64_t most_features);
/* L + k log n + 2 gamma log binom(d, k) of a point; infinity where it explains all there is. */
double dcpn_ebic_of(const dcpn_paths *paths, const dcpn_path_point *point, double gamma);
/* The sparsest of the paths' best points that the folds do not tell from the best of all. */
dcpn_cv_choice dcpn_cv_choose_paired(const dcpn_cv *cv);
/* Do the folds tell the share of wrong classes of one choice from that of the other, which is lower? */
int dcpn_cv_errs_more(const dcpn_cv *cv, const dcpn_cv_choice *choice, const dcpn_cv_choice *other);

#endif
