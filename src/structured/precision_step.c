/* SPDX-License-Identifier: BSD-3-Clause */
/* The step: t = 1, 1/2, 1/4 ... until K + t D is positive definite and
 *     F(K + t D) - F(K) <= armijo t (<v, D> + h1(K + D) - h1(K)).
 * The change of F is summed term by term; that of the determinant is the sum of log(U_ii'/U_ii) of the factors. */
#include <float.h>
#include <math.h>

#include "base/tuning.h"
#include "base/vector.h"
#include "penalty/scalar.h"
#include "structured/precision.h"

struct gains {
    double predicted; /* <v, D> + h1(K + D) - h1(K) */
    double size;      /* the sum of the absolute values of what adds up to it */
};

static int64_t term_of(const struct precision *x, int64_t e, int64_t j)
{
    return dcpn_term_of_pair(x->h, x->members[x->pairs.row[e]], x->members[j]);
}

static struct gains predict(const struct precision *x)
{
    struct gains gains = {0.0, 0.0};
    for (int64_t j = 0; j < x->n; j++)
        for (int64_t e = x->pairs.begin[j]; e < x->pairs.begin[j + 1]; e++) {
            double move = x->pairs.move[e], entry = x->K[j * x->size + x->pairs.row[e]];
            if (move == 0.0) continue;
            double times = dcpn_pair_times(x->pairs.row[e], j), linear = x->pairs.slope[e] * move;
            double absolute = x->h->penalty.c[term_of(x, e, j)] * dcpn_absolute_change(entry, move);
            gains.predicted += times * (linear + absolute);
            gains.size += times * (fabs(linear) + fabs(absolute));
        }
    return gains;
}

/* Returns the change of all terms of F but the determinant. */
static double change_of_sums(const struct precision *x, double t)
{
    double change = 0.0;
    for (int64_t j = 0; j < x->n; j++)
        for (int64_t e = x->pairs.begin[j]; e < x->pairs.begin[j + 1]; e++) {
            double move = t * x->pairs.move[e], entry = x->K[j * x->size + x->pairs.row[e]];
            if (move == 0.0) continue;
            double linear = (x->S[j * x->size + x->pairs.row[e]] + x->ridge * (entry + 0.5 * move)) * move;
            double bent =
                dcpn_p_change(&x->h->penalty, term_of(x, e, j), fabs(entry), dcpn_absolute_change(entry, move));
            change += dcpn_pair_times(x->pairs.row[e], j) * (linear + bent);
        }
    return change;
}

static void add_moves(const struct precision *x, double t, double *M)
{
    for (int64_t j = 0; j < x->n; j++)
        for (int64_t e = x->pairs.begin[j]; e < x->pairs.begin[j + 1]; e++)
            M[x->pairs.row[e] * x->size + j] += t * x->pairs.move[e];
}

/* Is K + t D positive definite? Its factor is left in `trial`. */
static int factor_trial(struct precision *x, double t)
{
    dcpn_copy(x->size * x->size, x->K, x->trial);
    add_moves(x, t, x->trial);
    return dcpn_positive_factor(x->context, &x->space, GRAPH_LEAST_PIVOT, x->trial);
}

static double change_of_determinant(const struct precision *x)
{
    double sum = 0.0;
    for (int64_t i = 0; i < x->n; i++) sum += log(x->trial[i * x->size + i] / x->U[i * x->size + i]);
    return 2.0 * sum;
}

static void accept(struct precision *x, double t)
{
    double *old = x->U;
    for (int64_t j = 0; j < x->n; j++)
        for (int64_t e = x->pairs.begin[j]; e < x->pairs.begin[j + 1]; e++) {
            int64_t i = x->pairs.row[e];
            x->K[j * x->size + i] = x->K[i * x->size + j] += t * x->pairs.move[e];
        }
    x->U = x->trial;
    x->trial = old;
}

int dcpn_precision_step(struct precision *x, double armijo, int *is_tiny)
{
    const struct gains gains = predict(x);
    double rounding = 8.0 * DBL_EPSILON * ((double)x->n + gains.size);
    *is_tiny = fabs(gains.predicted) <= rounding;
    if (!(gains.predicted < 0.0)) return 0;
    double t = 1.0;
    for (int halved = 0; halved < GRAPH_MOST_HALVES; halved++, t *= 0.5) {
        if (!factor_trial(x, t)) continue;
        double change = change_of_sums(x, t) - change_of_determinant(x);
        if (change > armijo * t * gains.predicted + rounding) continue;
        accept(x, t);
        return 1;
    }
    return 0;
}
