/* SPDX-License-Identifier: BSD-3-Clause */
/* What was added to the quadratic model of Algorithm 1, and why. All of it is off with --curvature f1, which is the
 * paper's model; nothing of it changes what a stationary point is.
 *
 * With --majorize nothing of it is done: the model has to be above F.
 *
 * The curvature of h. h2 is linearised, and where h is smooth away from 0 (scad, mcp, log) that makes progress slow. So
 * the negative curvature of h at x_k goes into the model, as far as the model stays convex along each coordinate.
 *
 * Care after cut steps. A step that has to be cut short says that the model had too little curvature. The next few models
 * go without the curvature of h, and the metric takes that of f1 alone.
 *
 * Longer steps. A metric that may have more curvature than f gives steps that are too short; where that cannot lead into
 * another basin they are lengthened as long as F falls. */
#include "algorithm/newton.h"

#include "base/tuning.h"
#include "base/vector.h"

struct quadratic_model dcpn_model_at(struct newton *n)
{
    struct algorithm *a = &n->algorithm;
    const struct penalty *h = &a->objective.penalty;
    struct quadratic_model model = {.H = a->H, .v = a->v, .x = a->point.x, .h1 = h, .size = a->objective.size};
    if (a->search.trials > 1)
        n->careful = CAREFUL_STEPS;
    else if (n->careful > 0)
        n->careful--;
    if (!a->rules.bends || n->careful > 0 || h->own || !dcpn_penalty_has_h2(h)) return model;
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

/* The metric remembers it for the whole run: an active set begins anew in each of its steps, and would meet the same
 * short ones again. */
void dcpn_model_heed_step(struct newton *n, double t)
{
    struct metric *H = n->algorithm.H;
    if (t < SHORT_STEP)
        H->careful = CAREFUL_STEPS;
    else if (H->careful > 0)
        H->careful--;
}

/* A non-convex penalty has basins, and a long step may lead into another one; so may one on the way to a start. */
int dcpn_model_may_lengthen(const struct newton *n)
{
    const struct algorithm *a = &n->algorithm;
    const struct objective *F = &a->objective;
    int is_convex = !dcpn_penalty_has_h2(&F->penalty) && !F->penalty.first_only && !dcpn_loss_has_phi2(&F->loss);
    return a->rules.bends && a->H->ops->clips && (is_convex || dcpn_loss_has_curvature2(&F->loss));
}
