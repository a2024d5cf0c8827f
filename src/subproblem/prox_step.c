/* SPDX-License-Identifier: BSD-3-Clause */
/* One proximal gradient step on the quadratic model, with the paper's cheap estimate of L,
 *     |grad g(y) - grad g(y')| / |y - y'| = |H s| / |s|,  s = y - y'. */
#include "subproblem/prox_step.h"

#include "base/vector.h"

static const double SLACK = 1.0 + 1e-12; /* rounding in s'Hs <= L s's */

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

double dcpn_prox_step_estimate(const struct prox_step *step, int64_t size)
{
    double length = dcpn_norm2(size, step->s);
    return length > 0.0 ? dcpn_norm2(size, step->Hs) / length : step->L;
}

static void try_step(struct prox_step *step, const struct quadratic_model *model, const double *d, const double *Hd)
{
    for (int64_t j = 0; j < model->size; j++)
        step->from[j] = model->x[j] + d[j] - (model->v[j] + Hd[j]) / step->L;
    dcpn_penalty_prox1(model->h1, step->from, 1.0 / step->L, step->to);
    for (int64_t j = 0; j < model->size; j++) step->s[j] = step->to[j] - (model->x[j] + d[j]);
    model->H->ops->apply(model->H, step->s, step->Hs);
}

double dcpn_prox_step_take(struct prox_step *step, const struct quadratic_model *model, const double *d,
                           const double *Hd)
{
    if (!(step->L > 0.0)) step->L = 1.0; /* v = 0 so far: any scale will do */
    for (;;) {
        try_step(step, model, d, Hd);
        double ss = dcpn_dot(model->size, step->s, step->s), sHs = dcpn_dot(model->size, step->s, step->Hs);
        if (!(sHs > SLACK * step->L * ss)) break;
        step->L = SLACK * dcpn_prox_step_estimate(step, model->size);
    }
    return step->L * dcpn_norm_max(model->size, step->s);
}
