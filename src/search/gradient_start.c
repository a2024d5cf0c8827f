/* SPDX-License-Identifier: BSD-3-Clause */
/* A start by proximal gradient steps with the global prox of h, like GIST's:
 *     x <- argmin_y grad f(x)'(y - x) + L/2 |y - x|^2 + h(y)
 * A coefficient goes to 0 or beyond the bend of h at once, whichever is lower, while with a linearised h2 it would
 * creep. A step costs one reading of A. A few dozen steps settle which basin the start is in; a descent then leads
 * to its lowest point. */
#include "base/tuning.h"
#include "base/vector.h"
#include "search/search.h"

/* The gradient method works on the point of local itself. */
static void lend_point(struct algorithm *from, struct algorithm *to)
{
    to->objective = from->objective;
    to->point = from->point;
}

static void step_by_gradients(struct search *s)
{
    struct algorithm *local = s->local;
    double slope = dcpn_penalty_reference_slope(&local->objective.penalty);
    const struct effort effort = {.goal = SEARCH_LOOSE * slope,
                                  .little = GRADIENT_LITTLE,
                                  .calm = CALM_WHERE_F_MAY_RISE,
                                  .steps = GRADIENT_STEPS,
                                  .is_loose = 1};
    lend_point(local, s->gradient);
    s->local = s->gradient;
    dcpn_search_descend(s, &effort);
    s->local = local;
    local->objective.design.touched = s->gradient->objective.design.touched;
    local->point.value = s->gradient->point.value;
}

void dcpn_search_from_gradients(struct search *s)
{
    dcpn_fill(s->local->objective.size, 0.0, s->local->point.x);
    step_by_gradients(s);
    dcpn_search_descend_loosely(s);
    dcpn_search_keep_if_better(s);
}
