/* SPDX-License-Identifier: BSD-3-Clause */
/* DC proximal Newton from inside: dcpn.c is the paper's Algorithm 1, model.c what was added to its quadratic model. */
#ifndef DCPN_SRC_NEWTON_H
#define DCPN_SRC_NEWTON_H

#include "algorithm/algorithm.h"

struct newton {
    struct algorithm algorithm;
    double *bend;         /* the curvature of h at x_k */
    int careful;          /* steps left without it */
    struct penalty tight; /* norms: the h1 that touches h at x_k */
};

void dcpn_model_layout(struct newton *newton, struct arena *arena);

/* Returns the model at x_k: the paper's, with the curvature of h if that is wanted. */
struct quadratic_model dcpn_model_at(struct newton *newton);
/* Call this if no step along a direction of the model was accepted. Returns 1 if the model has become the paper's,
 * so that another direction may lead on. */
int dcpn_model_give_up_bend(struct newton *newton, struct quadratic_model *model);
/* A step of this length was accepted. */
void dcpn_model_heed_step(struct newton *newton, double t);
/* May a step be longer than 1, where F keeps falling? */
int dcpn_model_may_lengthen(const struct newton *newton);

#endif
