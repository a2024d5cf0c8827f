/* SPDX-License-Identifier: BSD-3-Clause */
/* The predicted decrease D = v'd + h1(x + d) - h1(x). With an exact direction D <= -d'Hd (the paper's second lemma). */
#include "base/vector.h"
#include "step/step.h"

double dcpn_predicted_decrease(const struct quadratic_model *model, const double *d)
{
    return dcpn_dot(model->size, model->v, d) + dcpn_penalty_h1_change(model->h1, model->x, d);
}
