/* SPDX-License-Identifier: BSD-3-Clause */
/* What was added to the quadratic model of Algorithm 1, and why. All of it is off with --curvature f1, which is the
 * paper's model; nothing of it changes what a stationary point is.
 *
 * With --majorize nothing of it is done: the model has to be above F.
 *
 * The curvature of h. h2 is linearised, and where h is smooth away from 0 (scad, mcp, log) that makes progress slow. So
 * the negative curvature of h at x_k goes into the model, as far as the model stays convex along each coordinate.
 *
 * Norms. c_g |x_g + d_g| - z_g'd_g has the curvature (c_g - p') / r across x_g, r = |x_g|, which h has not. p'(r) |x_g
 * + d_g| is between it and h, since p is concave, and has p' / r there, like h; only p'' along x_g is left to the
 * curvature of h. On 200 x 1000 with groups of 5, mcp, 83 lambdas to the end of the path: 678 iterations, with z_g
 * 2398.
 *
 * Care after cut steps. A step that has to be cut short says that the model had too little curvature. The next few
 * models go without the curvature of h, and the metric takes that of f1 alone.
 *
 * Longer steps. A metric that may have more curvature than f gives steps that are too short; where that cannot lead
 * into another basin they are lengthened as long as F falls. So may a model of groups: at a saddle of F, where its
 * curvature of h was left out since the model has to be convex, steps would grow by some per cent only from one to the
 * next. */
#include "algorithm/newton.h"

#include "base/tuning.h"
#include "base/vector.h"

void dcpn_model_layout(struct newton *n, struct arena *arena)
{
    const struct objective *F = &n->algorithm.objective;
    n->bend = dcpn_arena_doubles(arena, F->size);
    n->tight.c = dcpn_arena_doubles(arena, F->penalty.composition ? F->size : 0);
    n->tight.blocks.c = dcpn_arena_doubles(arena, F->penalty.composition ? F->penalty.blocks.count : 0);
}

static int is_of_norms(const struct penalty *h)
{
    return h->composition && !h->composition->separable_h1;
}

/* h1 = sum_g p'(|x_g|) |.|, and those of coefficients where they have terms of their own; and v = grad f. */
static void tighten(struct newton *n, struct quadratic_model *model)
{
    const struct point *x = &n->algorithm.point;
    double *c = n->tight.c, *block_c = n->tight.blocks.c;
    n->tight = *model->h1;
    n->tight.c = c;
    n->tight.blocks.c = block_c;
    dcpn_penalty_slopes(model->h1, x->x, x->gradient, c, block_c);
    model->h1 = &n->tight;
    model->v = x->gradient;
}

struct quadratic_model dcpn_model_at(struct newton *n)
{
    struct algorithm *a = &n->algorithm;
    const struct penalty *h = &a->objective.penalty;
    struct quadratic_model model = {.H = a->H, .v = a->v, .x = a->point.x, .h1 = h, .size = a->objective.size};
    if (a->search.trials > 1)
        n->careful = CAREFUL_STEPS;
    else if (n->careful > 0)
        n->careful--;
    if (!a->rules.bends || h->own || !dcpn_penalty_has_h2(h)) return model;
    if (is_of_norms(h)) tighten(n, &model);
    if (n->careful > 0) return model;
    dcpn_penalty_bend(h, a->point.x, n->bend);
    model.bend = n->bend;
    return model;
}

int dcpn_model_give_up_bend(struct newton *n, struct quadratic_model *model)
{
    if (!model->bend) return 0;
    dcpn_fill(model->size, 0.0, n->algorithm.direction.d);
    model->bend = NULL;
    n->careful = CAREFUL_STEPS;
    return 1;
}

/* The metric remembers a short step for the whole run: an active set begins anew in each of its steps, and would
 * meet the same short steps again. */
void dcpn_model_heed_step(struct newton *n, double t)
{
    struct metric *H = n->algorithm.H;
    if (t < SHORT_STEP)
        H->careful = CAREFUL_STEPS;
    else if (H->careful > 0)
        H->careful--;
}

/* May steps be longer than 1? A penalty that is not convex has basins, and a long step may lead into another one; so
 * may a long step on the way to a start. */
int dcpn_model_may_lengthen(const struct newton *n)
{
    const struct algorithm *a = &n->algorithm;
    const struct objective *F = &a->objective;
    int is_convex = !dcpn_penalty_has_h2(&F->penalty) && !F->penalty.first_only && !dcpn_loss_has_phi2(&F->loss);
    int is_clipped =
        dcpn_loss_has_curvature2(&F->loss) || (is_of_norms(&F->penalty) && dcpn_penalty_has_h2(&F->penalty));
    return a->rules.bends && a->H->ops->clips && (is_convex || is_clipped);
}
