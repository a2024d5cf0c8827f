/* SPDX-License-Identifier: BSD-3-Clause */
/* The direction d = prox_{h1}^H(x - H^-1 v) - x = argmin_d 1/2 d'Hd + v'd + h1(x + d).
 *
 * It is solved to a share of the present stationarity: loosely far from a stationary point, tightly near it. The start
 * is what is left of the last direction, d_before (1 - t): the last solution y = x + d, as in the paper. */
#include "base/tuning.h"
#include "base/vector.h"
#include "step/step.h"

void dcpn_direction(struct subsolver *subsolver, const struct quadratic_model *model, double stationarity,
                    const struct direction_rule *rule, struct direction *direction)
{
    double tolerance = rule->share * stationarity;
    struct quadratic_model plain = *model;
    plain.bend = NULL;
    direction->iterations = 0;
    for (int attempt = 0; attempt < DIRECTION_ATTEMPTS; attempt++) {
        direction->iterations += subsolver->ops->solve(subsolver, attempt == 0 ? model : &plain, tolerance,
                                                       rule->max_iterations, direction->d);
        if (model->H->is_cut && subsolver->should_end) (void)subsolver->should_end(subsolver->driver); /* it is told */
        direction->D = dcpn_predicted_decrease(model, direction->d);
        if (direction->D < 0.0) return;
        /* The direction promises no decrease: a bend has made the model unbounded, or the solve began above the
         * model's value at 0 and had too few iterations. From 0 every solver goes down. */
        dcpn_fill(model->size, 0.0, direction->d);
        tolerance *= DIRECTION_TIGHTER;
    }
}
