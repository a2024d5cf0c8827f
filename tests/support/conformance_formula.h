/* SPDX-License-Identifier: BSD-3-Clause */
/* The formulas of the penalties in 113 bits. */
#ifndef DCPN_TESTS_CONFORMANCE_FORMULA_H
#define DCPN_TESTS_CONFORMANCE_FORMULA_H

#include <string.h>

#include "dcpn/extend.h"
#include "support/conformance_assert.h"
#include "support/conformance_quad.h"

/* p as its formula stands, in 113 bits. */
static inline quad l1_quad(const dcpn_penalty_shape *shape, quad lambda, quad t)
{
    (void)shape;
    return lambda * t;
}

static inline quad capped_l1_quad(const dcpn_penalty_shape *shape, quad lambda, quad t)
{
    return lambda * quad_least(t, (quad)shape->theta);
}

static inline quad scad_quad(const dcpn_penalty_shape *shape, quad lambda, quad t)
{
    quad a = (quad)shape->a, k = (quad)shape->unit;
    if (t <= k * lambda) return lambda * t;
    if (t <= a * lambda) return (2 * a * lambda * t - t * t - k * k * lambda * lambda) / (2 * (a - k));
    return lambda * lambda * (a + k) / 2;
}

static inline quad mcp_quad(const dcpn_penalty_shape *shape, quad lambda, quad t)
{
    quad gamma = (quad)shape->gamma;
    return t <= gamma * lambda ? lambda * t - t * t / (2 * gamma) : gamma * lambda * lambda / 2;
}

static inline quad exponential_quad(const dcpn_penalty_shape *shape, quad lambda, quad t)
{
    quad scale = (quad)shape->gamma * lambda, q = lambda > 0 ? t / scale : 0, sum = 0;
    if (q > (quad)1e-2) return scale * lambda * (1 - quad_exp(-q));
    for (int k = 20; k > 0; k--) sum = (1 - sum) * q / k; /* 1 - exp(-q), which 1 would round */
    return scale * lambda * sum;
}

static inline quad log_quad(const dcpn_penalty_shape *shape, quad lambda, quad t)
{
    return lambda * quad_log(1 + t / (quad)shape->theta);
}

static inline quad lp_quad(const dcpn_penalty_shape *shape, quad lambda, quad t)
{
    quad eps = (quad)shape->eps, p = (quad)shape->p;
    return lambda * (quad_power(t + eps, p) - quad_power(eps, p));
}

typedef quad scalar_quad(const dcpn_penalty_shape *shape, quad lambda, quad t);

static const struct reference {
    const char *name;
    scalar_quad *p;
} REFERENCES[] = {
    {"l1", l1_quad}, {"capped-l1", capped_l1_quad}, {"scad", scad_quad}, {"mcp", mcp_quad}, {"log", log_quad},
    {"lp", lp_quad}, {"exponential", exponential_quad},
};

static inline scalar_quad *reference_of(const dcpn_penalty_ops *ops)
{
    for (size_t i = 0; i < COUNT_OF(REFERENCES); i++)
        if (strcmp(REFERENCES[i].name, ops->name) == 0) return REFERENCES[i].p;
    return NULL;
}

#endif
