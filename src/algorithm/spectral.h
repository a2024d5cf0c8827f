/* SPDX-License-Identifier: BSD-3-Clause */
/* The frame of GIST, SpaRSA and SCP: a proximal gradient step whose L starts from Barzilai and Borwein's and grows
 * until F has decreased enough. They differ in what the prox is of, and in what is enough. */
#ifndef DCPN_SRC_SPECTRAL_H
#define DCPN_SRC_SPECTRAL_H

#include "algorithm/algorithm.h"
#include "base/tuning.h"

struct spectral {
    struct algorithm algorithm;
    struct gradient_step trial;
    double *x_before, *gradient_before, *gradient_before_that;
    double recent[SPECTRAL_RECENT]; /* F(x_k), F(x_{k-1}), ..., by k modulo SPECTRAL_RECENT */
    int64_t k;
    double first_L; /* 0: the curvature of f along its gradient */
};

struct spectral_rule {
    enum prox_of prox_of;
    double growth; /* of L from trial to trial */
    double sigma;  /* enough: F(x + d) <= reference - sigma/2 L |d|^2 */
    int window;    /* the reference is the largest of the last `window` values of F */
    int retarded;  /* Barzilai and Borwein's y is the change of the gradient in the step before the last */
};

void dcpn_spectral_layout(struct algorithm *algorithm, struct arena *arena);
void dcpn_spectral_start(struct algorithm *algorithm, const struct effort *effort);
void dcpn_spectral_state(struct algorithm *algorithm, struct state *state);
int dcpn_spectral_step(struct algorithm *algorithm, const double *v, const struct spectral_rule *rule);

#endif
