/* SPDX-License-Identifier: BSD-3-Clause */
/* The knockoff filter's threshold. Features that win by t or more are chosen; as many false ones win as lose, or with k
 * copies one of k losers wins, so that about
 *     (1 + losers by t or more) / k
 * of the winners are false (Barber and Candes 2015; Gimenez and Zou 2019 for several copies). The 1 is what makes the
 * expected share at most the one that was asked for. */
#include <math.h>

#include "dcpn/inference.h"

static int allows(const double *win, int64_t count, double t, double copies, double fdr, int is_lenient)
{
    double losers = is_lenient ? 0.0 : 1.0, winners = 0.0;
    for (int64_t j = 0; j < count; j++) {
        winners += win[j] >= t;
        losers += win[j] <= -t;
    }
    return winners > 0.0 && losers / copies <= fdr * winners;
}

double dcpn_knockoff_threshold(const double *win, int64_t count, int64_t copies, double fdr, int is_lenient)
{
    double least = INFINITY;
    if (!win || count < 1 || copies < 1) return INFINITY;
    for (int64_t j = 0; j < count; j++) {
        double t = fabs(win[j]);
        if (t > 0.0 && t < least && allows(win, count, t, (double)copies, fdr, is_lenient)) least = t;
    }
    return least;
}
