/* SPDX-License-Identifier: BSD-3-Clause */
/* One proximal gradient step on the quadratic model, with the paper's cheap estimate of L,
 *     |grad g(y) - grad g(y')| / |y - y'| = |H s| / |s|,  s = y - y'. */
#include "subproblem/prox_step.h"

#include <math.h>

#include "base/tuning.h"
#include "base/vector.h"

void dcpn_prox_step_layout(struct prox_step *step, int64_t size, struct arena *arena)
{
    step->from = dcpn_arena_doubles(arena, size);
    step->to = dcpn_arena_doubles(arena, size);
    step->s = dcpn_arena_doubles(arena, size);
    step->Hs = dcpn_arena_doubles(arena, size);
}

void dcpn_prox_step_begin(struct prox_step *step, const struct quadratic_model *model)
{
    double vv = dcpn_dot(model->size, model->v, model->v);
    if (step->L > 0.0 || !(vv > 0.0)) return;
    model->H->ops->apply(model->H, model->v, step->Hs);
    step->L = dcpn_dot(model->size, model->v, step->Hs) / vv;
}

/* The sums that the step is judged by, in one sweep. */
static void measure(struct prox_step *step, int64_t size)
{
    double ss = 0.0, sHs = 0.0, HsHs = 0.0, largest = 0.0;
    for (int64_t j = 0; j < size; j++) {
        double s = step->s[j], Hs = step->Hs[j];
        ss += s * s;
        sHs += s * Hs;
        HsHs += Hs * Hs;
        if (fabs(s) > largest || isnan(s)) largest = fabs(s); /* NaN stays */
    }
    step->ss = ss;
    step->sHs = sHs;
    step->HsHs = HsHs;
    step->largest = largest;
}

double dcpn_prox_step_estimate(const struct prox_step *step)
{
    return step->ss > 0.0 ? sqrt(step->HsHs / step->ss) : step->L;
}

static void step_separable(struct prox_step *step, const struct quadratic_model *model, const double *d,
                           const double *Hd)
{
    const double *c = model->h1->c, inverse = 1.0 / step->L;
    for (int64_t j = 0; j < model->size; j++) {
        double y = model->x[j] + d[j];
        step->s[j] = dcpn_penalty_prox1_of(model->h1, j, y - inverse * (model->v[j] + Hd[j]), inverse * c[j]) - y;
    }
}

static void step_by_prox(struct prox_step *step, const struct quadratic_model *model, const double *d, const double *Hd)
{
    for (int64_t j = 0; j < model->size; j++) step->from[j] = model->x[j] + d[j] - (model->v[j] + Hd[j]) / step->L;
    dcpn_penalty_prox1(model->h1, step->from, 1.0 / step->L, step->to);
    for (int64_t j = 0; j < model->size; j++) step->s[j] = step->to[j] - (model->x[j] + d[j]);
}

static void try_step(struct prox_step *step, const struct quadratic_model *model, const double *d, const double *Hd)
{
    if (dcpn_penalty_has_separable_h1(model->h1))
        step_separable(step, model, d, Hd);
    else
        step_by_prox(step, model, d, Hd);
    model->H->ops->apply(model->H, step->s, step->Hs);
    measure(step, model->size);
}

/* A step whose square underflows says nothing of the curvature, and is as short as any. */
static int is_too_long(const struct prox_step *step)
{
    return step->ss > 0.0 && step->sHs > PROX_STEP_SLACK * step->L * step->ss;
}

double dcpn_prox_step_take(struct prox_step *step, const struct quadratic_model *model, const double *d,
                           const double *Hd)
{
    if (!(step->L > 0.0)) step->L = 1.0; /* v = 0 so far: any scale will do */
    for (int trial = 0;; trial++) {
        try_step(step, model, d, Hd);
        if (!is_too_long(step)) break;
        double enough = PROX_STEP_SLACK * dcpn_prox_step_estimate(step);
        step->L = trial < PROX_STEP_TRIALS ? enough : fmax(enough, 2.0 * step->L);
    }
    return step->L * step->largest;
}
