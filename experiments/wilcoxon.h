/* SPDX-License-Identifier: BSD-3-Clause */
/* Wilcoxon's signed-rank test of paired samples. */
#ifndef DCPN_EXPERIMENTS_WILCOXON_H
#define DCPN_EXPERIMENTS_WILCOXON_H

enum { DCPN_EXP_MOST_PAIRS = 1000 };

/* The two-sided p-value of "a_i - b_i is symmetric around 0". Pairs that are equal are left out. Exact for up to 30
 * pairs if none are equal and no two differences tie; otherwise the normal approximation, with the variance corrected
 * for ties and no correction for continuity. 1 if all pairs are equal. pairs <= DCPN_EXP_MOST_PAIRS. */
double dcpn_exp_wilcoxon(int pairs, const double *a, const double *b);

#endif
