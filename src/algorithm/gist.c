/* SPDX-License-Identifier: BSD-3-Clause */
/* GIST, general iterative shrinkage and thresholding (Gong, Zhang, Lu, Huang, Ye 2013):
 *     x_{k+1} = a global minimiser of f(x_k) + grad f(x_k)'(x - x_k) + L/2 |x - x_k|^2 + h(x)
 * h itself, not a linearisation, so that a coefficient can jump over the hill between 0 and the flat part of h. L starts
 * from Barzilai and Borwein's and doubles until F(x_{k+1}) <= max of the last values - sigma/2 L |x_{k+1} - x_k|^2, the
 * last 5 if non-monotone, the last if monotone. */
#include "algorithm/spectral.h"

static const double SIGMA = 1e-5;

static int step(struct algorithm *a)
{
    const struct spectral_rule rule = {PROX_OF_H, 2.0, SIGMA, a->nonmonotone ? DCPN_RECENT : 1};
    return dcpn_spectral_step(a, a->point.gradient, &rule);
}

const struct algorithm_ops dcpn_algorithm_gist = {
    .name = "gist",
    .formula = "x_{k+1} = prox_{h/L}(x_k - grad f(x_k)/L), globally",
    .reference = "Gong, Zhang, Lu, Huang, Ye 2013",
    .assumes = {"ncvx", "-", "cvx", "cvx", "L I"},
    .state_size = sizeof(struct spectral),
    .layout = dcpn_spectral_layout,
    .start = dcpn_spectral_start,
    .step = step,
};
