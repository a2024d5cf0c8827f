/* SPDX-License-Identifier: BSD-3-Clause */
/* Logistic loss: phi(u) = log(1 + exp(-y u)), y = -1 or +1. */
#include "loss/loss.h"
#include "loss/logistic_function.h"

static double phi(const dcpn_loss *loss, double y, double u)
{
    (void)loss;
    return g(y * u);
}

static double phi_change(const dcpn_loss *loss, double y, double u, double s)
{
    (void)loss;
    return g_change(y * u, y * s);
}

static double phi1_slope(const dcpn_loss *loss, double y, double u)
{
    (void)loss;
    return y * g_slope(y * u);
}

static double phi1_curvature(const dcpn_loss *loss, double y, double u)
{
    (void)loss;
    return g_curvature(y * u);
}

static double curvature1_sup(const dcpn_loss *loss)
{
    (void)loss;
    return 0.25;
}

#define phi1 phi
#include "loss/rows.inc"

const dcpn_loss_ops dcpn_loss_logistic = {
    .name = "logistic",
    .formula = "log(1 + exp(-y u))",
    .targets = DCPN_CLASSES,
    .curvature1_sup = curvature1_sup,
    .response.probability = sigmoid,
    ROWWISE,
};
