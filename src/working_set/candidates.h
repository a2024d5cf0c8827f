/* SPDX-License-Identifier: BSD-3-Clause */
/* Candidates: where columns far outnumber rows, the few of them that a descent works on.
 *
 * Nearly no column ever matters then, yet every descent would look at all of them again and again. So descents are made
 * on a short list, and one look at all columns afterwards shows which others belong on the next one. The list only
 * proposes: a point is the last only if it is stationary on all columns. */
#ifndef DCPN_SRC_CANDIDATES_H
#define DCPN_SRC_CANDIDATES_H

#include "working_set/look.h"

/* The number of columns of a list; 0: there are too few columns for a list to help. */
int64_t dcpn_candidate_count(double rows, int64_t features);
/* |g_j| as a multiple of the slope of the penalty, for each feature; infinite where that is 0, and for what is in use;
 * 0 for what the look has not listed. */
void dcpn_candidates_measure(const struct objective *objective, const struct point *point, const struct look *look,
                             double *steepness);
/* Chooses the steepest of the features, the first among equally steep ones, and lists them ascending. earlier:
 * steepness at another point, by which half of them are chosen; NULL: there is none. space has two numbers for each
 * feature. */
void dcpn_candidates_choose(int64_t features, const double *steepness, const double *earlier, int64_t count,
                            double *space, int64_t *columns);

#endif
