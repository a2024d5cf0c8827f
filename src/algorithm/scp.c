/* SPDX-License-Identifier: BSD-3-Clause */
/* SCP, sequential convex programming (Lu 2012), without constraints: H_k = L I and both concave parts linearised,
 *     x_{k+1} = argmin_x v_k'(x - x_k) + L/2 |x - x_k|^2 + h1(x),   v_k = grad f1(x_k) - z_f2 - z_h2
 * L starts from Barzilai and Borwein's and doubles until F decreases enough. */
#include "algorithm/spectral.h"
#include "base/tuning.h"

static int step(struct algorithm *a)
{
    const struct spectral_rule rule = {PROX_OF_H1, 2.0, SCP_SIGMA, 1, .retarded = 0};
    return dcpn_spectral_step(a, a->v, &rule);
}

const struct algorithm_ops dcpn_algorithm_scp = {
    .name = "scp",
    .formula = "x_{k+1} = prox_{h1/L}(x_k - v_k/L)",
    .reference = "Lu 2012",
    .assumes = {"cvx", "cvx", "cvx", "cvx", "L I"},
    .state_size = sizeof(struct spectral),
    .layout = dcpn_spectral_layout,
    .start = dcpn_spectral_start,
    .step = step,
    .state = dcpn_spectral_state,
};
