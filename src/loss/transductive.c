/* SPDX-License-Identifier: BSD-3-Clause */
/* The paper's transductive loss, for a row without a label: T = 1 - g1(u) - g1(-u), g1(u) = (g(u) - g(u + tau)) / tau,
 * g(m) = log(1 + exp(-m)). Highest at u = 0, near 0 far out: it drives the boundary away from rows.
 *     phi1 = T1 = 1 + (g(u + tau) + g(tau - u)) / tau,   phi2 = T2 = (g(u) + g(-u)) / tau
 * The four logarithms join to one, in which nothing cancels:
 *     T = log(1 + rho) / tau,   rho = (sinh(tau/2) / cosh(u/2))^2 */
#include "loss/logistic_function.h"
#include "loss/loss.h"

/* log rho */
static double log_rho(double tau, double u)
{
    double a = fabs(u);
    return (tau - a) + 2.0 * (log(-expm1(-tau)) - log1p(exp(-a)));
}

static double phi(const dcpn_loss *loss, double y, double u)
{
    (void)y;
    return g(-log_rho(loss->parameter, u)) / loss->parameter;
}

/* sinh(u + s/2) / cosh^2((u + s)/2), with the exponentials taken together */
static double sinh_ratio(double u, double s)
{
    double middle = u + 0.5 * s, a = fabs(middle), b = fabs(u + s), e = exp(-b);
    double longer = middle * (u + s) > 0.0 ? copysign(0.5, -middle) * s : a - b;
    return copysign(-2.0 * expm1(-2.0 * a) * exp(longer) / ((1.0 + e) * (1.0 + e)), middle);
}

/* rho(u + s) - rho(u) = -rho(u) sinh(u + s/2) sinh(s/2) / cosh^2((u + s)/2); for a long step the plain difference loses
 * nothing */
static double phi_change(const dcpn_loss *loss, double y, double u, double s)
{
    double tau = loss->parameter;
    if (fabs(s) > 1.0) return phi(loss, y, u + s) - phi(loss, y, u);
    return log1p(-sigmoid(log_rho(tau, u)) * sinh_ratio(u, s) * sinh(0.5 * s)) / tau;
}

static double phi1(const dcpn_loss *loss, double y, double u)
{
    double tau = loss->parameter;
    (void)y;
    return 1.0 + (g(tau + u) + g(tau - u)) / tau;
}

static double phi1_change(const dcpn_loss *loss, double y, double u, double s)
{
    double tau = loss->parameter;
    (void)y;
    return (g_change(tau + u, s) + g_change(tau - u, -s)) / tau;
}

static double phi1_slope(const dcpn_loss *loss, double y, double u)
{
    double tau = loss->parameter;
    (void)y;
    return (g_slope(tau + u) - g_slope(tau - u)) / tau;
}

static double phi1_curvature(const dcpn_loss *loss, double y, double u)
{
    double tau = loss->parameter;
    (void)y;
    return (g_curvature(tau + u) + g_curvature(tau - u)) / tau;
}

static double phi2(const dcpn_loss *loss, double y, double u)
{
    (void)y;
    return (g(u) + g(-u)) / loss->parameter;
}

static double phi2_slope(const dcpn_loss *loss, double y, double u)
{
    (void)y;
    return tanh(0.5 * u) / loss->parameter;
}

static double phi2_curvature(const dcpn_loss *loss, double y, double u)
{
    (void)y;
    return 2.0 * g_curvature(u) / loss->parameter;
}

/* one of the two bells of phi1'' at its top, the other at least tau away from its own */
static double curvature1_sup(const dcpn_loss *loss)
{
    return (0.25 + g_curvature(loss->parameter)) / loss->parameter;
}

#define HAS_PHI2
#include "loss/rows.inc"

const dcpn_loss_ops dcpn_loss_transductive = {
    .name = "transductive",
    .formula = "1 - g1(u) - g1(-u), g1(u) = (g(u) - g(u + tau)) / tau, g(m) = log(1 + exp(-m))",
    .split = "phi1 = 1 + (g(u + tau) + g(tau - u)) / tau, phi2 = (g(u) + g(-u)) / tau",
    .parameter = "tau",
    .targets = DCPN_NO_TARGETS,
    .curvature1_sup = curvature1_sup,
    ROWWISE,
};
