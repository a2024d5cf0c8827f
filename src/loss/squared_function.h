/* SPDX-License-Identifier: BSD-3-Clause */
/* 1/2 (u - y)^2, the convex part of a loss of two numbers. */
#ifndef DCPN_SRC_SQUARED_FUNCTION_H
#define DCPN_SRC_SQUARED_FUNCTION_H

#include "loss/loss.h"

static double phi1(const dcpn_loss *loss, double y, double u)
{
    (void)loss;
    return 0.5 * (u - y) * (u - y);
}

static double phi1_change(const dcpn_loss *loss, double y, double u, double s)
{
    (void)loss;
    return s * ((u - y) + 0.5 * s);
}

static double phi1_slope(const dcpn_loss *loss, double y, double u)
{
    (void)loss;
    return u - y;
}

static double phi1_curvature(const dcpn_loss *loss, double y, double u)
{
    (void)loss;
    (void)y;
    (void)u;
    return 1.0;
}

static double curvature1_sup(const dcpn_loss *loss)
{
    (void)loss;
    return 1.0;
}

#endif
