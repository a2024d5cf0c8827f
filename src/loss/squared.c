/* SPDX-License-Identifier: BSD-3-Clause */
/* Squared loss: phi(u) = 1/2 (u - y)^2. */
#define phi1 phi
#define phi1_change phi_change
#include "loss/squared_function.h"

#include "loss/rows.inc"

const dcpn_loss_ops dcpn_loss_squared = {
    .name = "squared",
    .formula = "1/2 (u - y)^2",
    .targets = DCPN_NUMBERS,
    .curvature1_sup = curvature1_sup,
    ROWWISE,
};
