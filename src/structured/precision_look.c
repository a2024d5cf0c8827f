/* SPDX-License-Identifier: BSD-3-Clause */
/* The model of F at K: W, the slopes of f, and which pairs can matter. At a pair beside the diagonal f has the
 * curvature W_ij^2 + W_ii W_jj + ridge for each of its two entries, on the diagonal W_ii^2 + ridge. The curvature of h,
 * p'' <= 0, is added as far as the model stays convex along each entry (algorithm/model.c has the same for vectors). */
#include <math.h>

#include "base/tuning.h"
#include "penalty/scalar.h"
#include "structured/precision.h"

static double gradient(const struct precision *x, int64_t i, int64_t j)
{
    int64_t at = i * x->size + j;
    return x->S[at] - x->W[at] + x->ridge * x->K[at];
}

static void add_pair(struct precision *x, int64_t e, int64_t i, int64_t j, int64_t term, double g, int with_bend)
{
    const struct penalty *penalty = &x->h->penalty;
    const double *W = x->W;
    int64_t n = x->size;
    double entry = x->K[i * n + j], own = W[i * n + j] * W[i * n + j];
    double curvature = (i == j ? own : own + W[i * n + i] * W[j * n + j]) + x->ridge, bend = 0.0;
    if (with_bend && entry != 0.0) bend = fmax(dcpn_p_bend(penalty, term, fabs(entry)), -GRAPH_BEND_SHARE * curvature);
    x->pairs.row[e] = i;
    x->pairs.slope[e] = g - dcpn_penalty_h2_slope(penalty, term, entry, g);
    x->pairs.curvature[e] = curvature + bend;
    x->pairs.bend[e] = x->ridge + bend;
    x->pairs.move[e] = 0.0;
}

double dcpn_precision_look(struct precision *x, int with_bend)
{
    const struct penalty *penalty = &x->h->penalty;
    double worst = 0.0;
    int64_t count = 0;
    dcpn_positive_inverse(x->context, &x->space, x->U, x->W);
    for (int64_t j = 0; j < x->n; j++) {
        x->pairs.begin[j] = count;
        for (int64_t i = 0; i <= j; i++) {
            int64_t term = dcpn_term_of_pair(x->h, x->members[i], x->members[j]);
            double g = gradient(x, j, i), entry = x->K[j * x->size + i];
            if (entry == 0.0 && fabs(g) <= penalty->c[term]) continue;
            double violation = dcpn_penalty_violation(penalty, term, entry, g);
            if (violation > worst || isnan(violation)) worst = violation;
            add_pair(x, count++, i, j, term, g, with_bend);
        }
    }
    x->pairs.begin[x->n] = count;
    return worst;
}
