/* SPDX-License-Identifier: BSD-3-Clause */
/* Cumulative logit of K ordered classes: a row has one score, and log odds of a class above class k are u + b_k, with
 * b_1 > b_2 > ... > b_{K-1}. With s(v) = 1 / (1 + exp(-v)) a row of class c has
 *     -log(s(u + b_{c-1}) - s(u + b_c))
 *         = log(1 + exp(-(u + b_{c-1}))) + log(1 + exp(u + b_c)) - log(1 - exp(-(b_{c-1} - b_c)))
 * where the first class lacks the first and the last term, the last class the last two. So it is a sum of logistic
 * losses, one for each boundary of the row's class, and of a barrier for each gap between neighbours. Those are the
 * rows of this loss: u + b_k of a boundary, with y = +1 for the one below the class and -1 for the one above it, and
 * behind them the gaps, with y = 0 (problem/ordered.h). A gap of 0 or less is outside the domain. */
#include <math.h>

#include "base/elementary.h"
#include "loss/loss.h"

/* Where the gaps begin, which are the last rows. */
static int64_t gaps_of(const dcpn_loss *loss, int64_t begin, int64_t end)
{
    while (end > begin && loss->y[end - 1] == 0.0) end--;
    return end;
}

/* log(1 - exp(-g)) of a gap g > 0: whichever of the two forms does not cancel. */
static double log_of_gap(double gap)
{
    return gap > 0.7 ? portable_log1p(-portable_exp(-gap)) : log(-portable_expm1(-gap));
}

static double value(const dcpn_loss *loss, int64_t begin, int64_t end, const double *u)
{
    int64_t gaps = gaps_of(loss, begin, end);
    double sum = dcpn_loss_logistic.value(loss, begin, gaps, u);
    for (int64_t i = gaps; i < end; i++)
        if (loss->w[i] > 0.0) sum -= u[i] > 0.0 ? loss->w[i] * log_of_gap(u[i]) : -HUGE_VAL;
    return sum;
}

/* -log(1 - exp(-g)) changes by -log(1 + (1 - exp(-s)) / (exp(g) - 1)). */
static double change_of_gap(double gap, double step)
{
    if (!(gap > 0.0) || !(gap + step > 0.0)) return HUGE_VAL;
    return -portable_log1p(-portable_expm1(-step) / portable_expm1(gap));
}

static double change(const dcpn_loss *loss, int64_t begin, int64_t end, const double *u, const double *du, double t)
{
    int64_t gaps = gaps_of(loss, begin, end);
    double sum = dcpn_loss_logistic.change(loss, begin, gaps, u, du, t);
    for (int64_t i = gaps; i < end; i++)
        if (loss->w[i] > 0.0) sum += loss->w[i] * change_of_gap(u[i], t * du[i]);
    return sum;
}

static void slope1(const dcpn_loss *loss, int64_t begin, int64_t end, const double *u, double *r)
{
    int64_t gaps = gaps_of(loss, begin, end);
    dcpn_loss_logistic.slope1(loss, begin, gaps, u, r);
    for (int64_t i = gaps; i < end; i++) r[i] = loss->w[i] > 0.0 ? -loss->w[i] / portable_expm1(u[i]) : 0.0;
}

static void curvature1(const dcpn_loss *loss, int64_t begin, int64_t end, const double *u, double *c)
{
    int64_t gaps = gaps_of(loss, begin, end);
    dcpn_loss_logistic.curvature1(loss, begin, gaps, u, c);
    for (int64_t i = gaps; i < end; i++)
        c[i] = loss->w[i] > 0.0 ? loss->w[i] / (portable_expm1(u[i]) * -portable_expm1(-u[i])) : 0.0;
}

/* log(1 + exp(v)) */
static double log_of_odds(double v)
{
    return v > 0.0 ? v + portable_log1p(portable_exp(-v)) : portable_log1p(portable_exp(v));
}

double dcpn_ordinal_log_share(int64_t classes, const double *intercepts, double score, int64_t k)
{
    int has_below = k > 0, has_above = k + 1 < classes;
    double sum = 0.0;
    if (has_below) sum -= log_of_odds(-(score + intercepts[k - 1]));
    if (has_above) sum -= log_of_odds(score + intercepts[k]);
    if (has_below && has_above) sum += log_of_gap(intercepts[k - 1] - intercepts[k]);
    return sum;
}

const dcpn_loss_ops dcpn_loss_ordinal = {
    .name = "ordinal",
    .formula = "-log(s(u + b_{y-1}) - s(u + b_y)), s(v) = 1/(1 + exp(-v)), b_1 > b_2 > ... between ordered classes",
    .targets = DCPN_ORDERED_CLASSES,
    .value = value,
    .value1 = value,
    .change = change,
    .change1 = change,
    .slope1 = slope1,
    .curvature1 = curvature1,
};
