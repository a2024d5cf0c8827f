/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes, the atoms being what they are: for each row of X by itself
 *     min_c  c G c' / 2 - b c' + sum_k p(|c_k|),   G = D D',   b = x D'
 * by coordinates. With q = c G - b that of coefficient k alone has its global minimum at
 *     prox of p / G_kk at c_k - q_k / G_kk
 * whether p is convex or not, and q goes along with each move. */
#include <math.h>

#include "base/interrupt.h"
#include "base/threads.h"
#include "base/vector.h"
#include "structured/factoring.h"
#include "structured/penalty_start.h"

/* Sets Q to -b for all rows, by one product with X for each atom. */
static void find_correlations(struct factoring *f)
{
    for (int64_t k = 0; k < f->atoms; k++) {
        f->X->ops->apply(f->X, f->D + k * f->length, f->space.numbers);
        for (int64_t i = 0; i < f->count; i++) f->Q[i * f->atoms + k] = -f->space.numbers[i];
    }
}

static void find_gram(struct factoring *f)
{
    for (int64_t k = 0; k < f->atoms; k++)
        for (int64_t l = 0; l <= k; l++)
            f->G[k * f->atoms + l] = f->G[l * f->atoms + k] =
                dcpn_dot(f->length, f->D + k * f->length, f->D + l * f->length) + (k == l ? f->ridge[k] : 0.0);
}

static void add_codes(void *user, int64_t begin, int64_t end)
{
    const struct factoring *f = user;
    int64_t K = f->atoms;
    for (int64_t i = begin; i < end; i++)
        for (int64_t k = 0; k < K; k++)
            if (f->C[i * K + k] != 0.0) dcpn_axpy(K, f->C[i * K + k], f->G + k * K, f->Q + i * K);
}

void dcpn_codes_look(struct factoring *f)
{
    if (f->seen) {
        dcpn_seen_codes_look(f);
        return;
    }
    find_gram(f);
    find_correlations(f);
    dcpn_parallel_ranges(f->context, f->count, add_codes, f);
}

/* Finds the least |q_k| at which a coefficient of 0 moves. Most coefficients are 0 and stay there, and this
 * comparison then suffices. */
void dcpn_codes_prepare(struct factoring *f)
{
    for (int64_t k = 0; k < f->atoms; k++) {
        double curvature = f->G[k * f->atoms + k];
        f->space.kept[k] = curvature > 0.0 ? dcpn_penalty_least_kept(&f->penalty, 1.0 / curvature) : HUGE_VAL;
    }
}

/* Returns the best value of coefficient k. An atom of 0 explains nothing, so that its coefficient only costs and is
 * best at 0. */
static double best_of(const struct factoring *f, int64_t k, double c, double q)
{
    double curvature = f->G[k * f->atoms + k];
    if (!(curvature > 0.0)) return f->penalty.lambda[k] > 0.0 ? 0.0 : c;
    double t = c - q / curvature;
    return f->penalty.lower && t <= 0.0 ? 0.0 : dcpn_penalty_prox_at(&f->penalty, k, t, 1.0 / curvature);
}

static double worst_of(const struct factoring *f, const double *c, const double *q)
{
    double worst = 0.0;
    for (int64_t k = 0; k < f->atoms; k++) {
        if (c[k] == 0.0 && fabs(q[k]) - f->penalty.c[k] <= worst) continue;
        double violation = c[k] == 0.0 ? dcpn_penalty_violation_at_0(&f->penalty, k, q[k])
                                       : dcpn_penalty_violation(&f->penalty, k, c[k], q[k]);
        if (violation > worst || isnan(violation)) worst = violation; /* NaN stays */
    }
    return worst;
}

/* Moves coefficient k to its best value. Returns how far its slope has moved. */
static double move(const struct factoring *f, int64_t k, double *c, double *q)
{
    double moved = best_of(f, k, c[k], q[k]) - c[k];
    if (moved == 0.0) return 0.0;
    c[k] += moved;
    dcpn_axpy(f->atoms, moved, f->G + k * f->atoms, q);
    return fabs(moved) * f->G[k * f->atoms + k];
}

static void sweep(const struct factoring *f, double *c, double *q)
{
    for (int64_t k = 0; k < f->atoms; k++)
        if (c[k] != 0.0 || !(fabs(q[k]) < f->space.kept[k])) move(f, k, c, q);
}

/* Sweeps over the coefficients in use alone, which are few, until they hardly move. Returns how many sweeps were
 * made. */
static int64_t sweep_in_use(const struct factoring *f, double *c, double *q, double enough, int64_t most)
{
    int64_t made = 0;
    double moved = HUGE_VAL;
    for (; made < most && moved > enough; made++) {
        moved = 0.0;
        for (int64_t k = 0; k < f->atoms; k++) {
            double way = c[k] == 0.0 ? 0.0 : move(f, k, c, q);
            if (way > moved) moved = way;
        }
    }
    return made;
}

void dcpn_codes_minimize_some(const struct factoring *f, int64_t begin, int64_t end, double enough, int64_t sweeps)
{
    for (int64_t i = begin; i < end && !dcpn_is_interrupted(f->context); i++) {
        double *c = f->C + i * f->atoms, *q = f->Q + i * f->atoms;
        for (int64_t made = 0; made < sweeps; made++) {
            sweep(f, c, q);
            made += sweep_in_use(f, c, q, enough, sweeps - made - 1);
            if (worst_of(f, c, q) <= enough) break;
        }
    }
}

struct codes_work {
    struct factoring *f;
    double enough;
    int64_t sweeps;
};

static void minimize_some(void *user, int64_t begin, int64_t end)
{
    const struct codes_work *work = user;
    dcpn_codes_minimize_some(work->f, begin, end, work->enough, work->sweeps);
}

void dcpn_codes_minimize(struct factoring *f, double enough, int64_t sweeps)
{
    struct codes_work work = {f, enough, sweeps};
    if (f->seen) {
        dcpn_seen_codes_minimize(f, enough, sweeps);
        return;
    }
    dcpn_codes_prepare(f);
    dcpn_parallel_ranges(f->context, f->count, minimize_some, &work);
}

double dcpn_codes_violation(struct factoring *f)
{
    double worst = 0.0;
    for (int64_t i = 0; i < f->count; i++) worst = fmax(worst, worst_of(f, f->C + i * f->atoms, f->Q + i * f->atoms));
    return worst;
}
