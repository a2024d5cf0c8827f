/* SPDX-License-Identifier: BSD-3-Clause */
/* How strongly f1 curves: along a direction, at most as estimated, at most for certain. */
#include <math.h>

#include "base/eigenvalue.h"
#include "base/rng.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "objective/objective.h"

/* Curvature of f1 along d at the point: d'(Hessian of f1)d / d'd. 0 if it cannot be told. */
static double curvature_along(struct objective *objective, const struct point *point, const double *d, double *scratch)
{
    double length2 = dcpn_dot(objective->size, d, d), sum = 0.0;
    if (!dcpn_loss_has_curvature(&objective->loss) || !(length2 > 0.0)) return 0.0;
    dcpn_loss_curvature1(&objective->loss, point->u, objective->r);
    dcpn_design_apply(&objective->design, d, scratch);
    for (int64_t i = 0; i < objective->rows; i++) sum += objective->r[i] * scratch[i] * scratch[i];
    return sum / length2 + objective->ridge;
}

double dcpn_objective_first_curvature(struct objective *objective, const struct point *point, double *scratch)
{
    double along = curvature_along(objective, point, point->gradient, scratch);
    if (along > 0.0) return along;
    double length = dcpn_norm2(objective->size, point->gradient);
    return length > 0.0 ? length / fmax(1.0, dcpn_norm2(objective->size, point->x)) : 1.0;
}

/* scratch = w.(A direction), direction = A'scratch / |A'scratch|; returns the norm, which tends to the eigenvalue. */
static double power_step(struct objective *objective, double *direction, double *scratch)
{
    dcpn_design_apply(&objective->design, direction, scratch);
    for (int64_t i = 0; i < objective->rows; i++) scratch[i] *= objective->loss.rows.w[i];
    dcpn_design_adjoint(&objective->design, scratch, direction);
    double norm = dcpn_norm2(objective->size, direction);
    for (int64_t j = 0; j < objective->size && norm > 0.0; j++) direction[j] /= norm;
    return norm;
}

double dcpn_objective_lipschitz_estimate(struct objective *objective, double *direction, double *scratch)
{
    double sup = dcpn_loss_curvature1_sup(&objective->loss), norm = 0.0;
    if (objective->loss.own) return sup > 0.0 ? sup + objective->ridge : 0.0;
    /* A start without symmetry, so that no pattern in the columns can be orthogonal to it by design. */
    for (int64_t j = 0; j < objective->size; j++) direction[j] = 1.0 + (double)(j % 7) / 7.0;
    double start = dcpn_norm2(objective->size, direction);
    for (int64_t j = 0; j < objective->size; j++) direction[j] /= start;
    for (int k = 0; k < POWER_ITERATIONS; k++) {
        double next = power_step(objective, direction, scratch);
        if (fabs(next - norm) <= 1e-3 * next) return sup * next + objective->ridge;
        norm = next;
    }
    return sup * norm + objective->ridge;
}

/* ---- a bound: Lanczos from a random direction ----
 *
 * In k steps on a matrix of n rows, from a direction drawn evenly, the largest Ritz value theta is below (1 - e) times
 * the largest eigenvalue with a probability of at most 1.648 sqrt(n) exp(-sqrt(e) (2k - 1)) (Kuczynski and Wozniakowski
 * 1992, theorem 4.2, whatever the matrix). k is chosen so that this is LANCZOS_DOUBT, and theta / (1 - e) is the bound.
 * The trace, which bounds it without a doubt, takes over where it is smaller. */

struct lanczos {
    double *q, *before, *image, *rows; /* the direction, the one before, A'wA q, w.(A q) */
    double *diagonal, *off;            /* of the tridiagonal matrix */
    int64_t steps;
};

static int64_t lanczos_steps(int64_t size)
{
    double k = 0.5 + 0.5 * log(1.648 * sqrt((double)size) / LANCZOS_DOUBT) / sqrt(LANCZOS_SLACK);
    return k < (double)size ? (int64_t)ceil(k) : size;
}

int64_t dcpn_objective_lipschitz_space(const struct objective *objective)
{
    return 3 * objective->size + objective->rows + 2 * lanczos_steps(objective->size);
}

static struct lanczos lanczos_in(const struct objective *F, double *space)
{
    struct lanczos l = {.q = space, .steps = lanczos_steps(F->size)};
    l.before = l.q + F->size;
    l.image = l.before + F->size;
    l.rows = l.image + F->size;
    l.diagonal = l.rows + F->rows;
    l.off = l.diagonal + l.steps;
    return l;
}

/* The same draw for the same size. */
static void draw_direction(int64_t size, double *q)
{
    struct rng rng;
    dcpn_rng_seed(&rng, 0);
    for (int64_t j = 0; j < size; j++) q[j] = dcpn_rng_normal(&rng);
    double length = dcpn_norm2(size, q);
    for (int64_t j = 0; j < size; j++) q[j] /= length;
}

/* image = A'wA q - (q'A'wA q) q - off before; returns its length. */
static double lanczos_step(struct objective *F, struct lanczos *l, int64_t k)
{
    dcpn_design_apply(&F->design, l->q, l->rows);
    for (int64_t i = 0; i < F->rows; i++) l->rows[i] *= F->loss.rows.w[i];
    dcpn_design_adjoint(&F->design, l->rows, l->image);
    l->diagonal[k] = dcpn_dot(F->size, l->q, l->image);
    dcpn_axpy(F->size, -l->diagonal[k], l->q, l->image);
    dcpn_axpy(F->size, -l->off[k], l->before, l->image);
    return dcpn_norm2(F->size, l->image);
}

/* Returns the largest Ritz value. */
static double largest_ritz_value(struct objective *F, struct lanczos *l)
{
    int64_t k = 0;
    draw_direction(F->size, l->q);
    dcpn_fill(F->size, 0.0, l->before);
    l->off[0] = 0.0;
    for (;;) {
        double length = lanczos_step(F, l, k++);
        if (k == l->steps || !(length > LANCZOS_ENDS * l->diagonal[0])) break; /* the space is exhausted */
        l->off[k] = length;
        for (int64_t j = 0; j < F->size; j++) {
            l->before[j] = l->q[j];
            l->q[j] = l->image[j] / length;
        }
    }
    for (int64_t i = 0; i < k; i++) l->diagonal[i] = -l->diagonal[i];
    return -dcpn_least_tridiagonal_eigenvalue(k, l->diagonal, l->off);
}

double dcpn_objective_lipschitz_bound(struct objective *objective, double *space)
{
    double sup = dcpn_loss_curvature1_sup(&objective->loss), trace = 0.0;
    if (objective->loss.own) return sup > 0.0 ? sup + objective->ridge : 0.0;
    for (int64_t j = 0; j < objective->size; j++)
        trace += dcpn_design_column_curvature(&objective->design, j, objective->loss.rows.w);
    struct lanczos l = lanczos_in(objective, space);
    double largest = trace > 0.0 && isfinite(trace) ? largest_ritz_value(objective, &l) / (1.0 - LANCZOS_SLACK) : trace;
    return sup * (largest < trace ? largest : trace) + objective->ridge;
}
