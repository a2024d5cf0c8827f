/* SPDX-License-Identifier: BSD-3-Clause */
/* One proximal gradient step on the quadratic model, shared by forward-backward and FISTA. */
#ifndef DCPN_SRC_PROX_STEP_H
#define DCPN_SRC_PROX_STEP_H

#include "subproblem/subproblem.h"

struct prox_step {
    double L;                      /* inverse step size, kept from one solve to the next */
    double *s, *Hs;                /* the step and H times it */
    double ss, sHs, HsHs, largest; /* s's, s'Hs, |Hs|^2, |s|_max */
    double *from, *to;             /* x + d - gradient / L, and what the prox made of it */
};

void dcpn_prox_step_layout(struct prox_step *step, int64_t size, struct arena *arena);
/* Finds a first L, the curvature along v, if there is none yet. */
void dcpn_prox_step_begin(struct prox_step *step, const struct quadratic_model *model);
/* Computes the step s = prox_{h1/L}(x + d - (v + Hd)/L) - (x + d), and Hs. L is raised to the paper's estimate |Hs|
 * / |s|, and the step taken again, until s'Hs <= L s's: then the model decreases. Returns |s|_max L, which is 0 at
 * the solution. */
double dcpn_prox_step_take(struct prox_step *step, const struct quadratic_model *model, const double *d,
                           const double *Hd);
/* Returns the paper's estimate of L from the step just taken. */
double dcpn_prox_step_estimate(const struct prox_step *step);

#endif
