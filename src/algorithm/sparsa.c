/* SPDX-License-Identifier: BSD-3-Clause */
/* SpaRSA, sparse reconstruction by separable approximation (Wright, Nowak, Figueiredo 2009): proximal gradient steps
 * with a Barzilai-Borwein L that doubles until F(x_{k+1}) <= max of the last values - sigma/2 L |x_{k+1} - x_k|^2.
 * h convex. */
#include "algorithm/spectral.h"
#include "base/tuning.h"

static int step(struct algorithm *a)
{
    const struct spectral_rule rule = {PROX_OF_H1, 2.0, SPARSA_SIGMA, SPECTRAL_RECENT, .retarded = 0};
    return dcpn_spectral_step(a, a->point.gradient, &rule);
}

const struct algorithm_ops dcpn_algorithm_sparsa = {
    .name = "sparsa",
    .formula = "x_{k+1} = prox_{h/L}(x_k - grad f(x_k)/L), non-monotone",
    .reference = "Wright, Nowak, Figueiredo 2009",
    .assumes = {"ncvx", "-", "cvx", "-", "L I"},
    .state_size = sizeof(struct spectral),
    .may_rise = 1,
    .layout = dcpn_spectral_layout,
    .start = dcpn_spectral_start,
    .step = step,
    .state = dcpn_spectral_state,
};
